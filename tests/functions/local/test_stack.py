"""The whole local stack, as `make run` starts it."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from shopping_agent.adapters.catalog.store_pack import DEFAULT

from functions.local.children import ROOT
from functions.local.data_folder import StackError
from functions.local.stack import checked_environment

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

FLAGSHIP = {
    "en": "Something fresh for summer, under 800 MAD, and add the best one to my cart.",
    "fr": "Quelque chose de frais pour l'été, à moins de 800 MAD, et ajoute le meilleur à mon panier.",
    "ar": "أريد عطرا منعشا للصيف بأقل من 800 درهم، وأضف الأفضل إلى سلتي.",
    "ary": "bghit chi haja fresh l sif, 9al mn 800 dh, w zidha f panier",
}


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def eventually(condition: Callable[[], Any], seconds: float) -> Any:
    until = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < until
        time.sleep(0.1)
    return value


def make_run(*arguments: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "functions.local", *arguments],
        cwd=ROOT,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def shopping_agent(data: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", "from functions.local.cli import main; exit(main())", *arguments],
        cwd=ROOT,
        env={**os.environ, "DATA": str(data)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def product(number: int, price: float, **more: Any) -> dict[str, Any]:
    return {
        "id": f"p{number}",
        "name": f"Testine {number}",
        "brand": "Maison Test",
        "description": "A fresh citrus water for hot summer days.",
        "price": price,
        "currency": "MAD",
        "stock": 5,
        "families": ["citrus", "fresh"],
        "seasons": ["summer"],
        **more,
    }


def write_catalog(folder: Path, *products: dict[str, Any] | str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    lines = [p if isinstance(p, str) else json.dumps(p) for p in products]
    path = folder / "catalog.jsonl"
    path.write_text("\n".join(lines) + "\n")
    return path


# --- the main job ------------------------------------------------------------------------------


@pytest.mark.parametrize("language", FLAGSHIP)
def test_the_flagship_sentence_puts_one_fresh_product_within_the_budget_into_the_cart(
    stack: Any, language: str
) -> None:
    answer = stack.post("/api/v1/ai/cart", {"message": FLAGSHIP[language]})
    assert answer.status == 200
    reply = answer.json()
    assert (reply["route"], reply["finish"]) == ("agent", "answered")
    (item,) = reply["cart"]["items"]
    assert item["quantity"] == 1
    assert item["unitPrice"] <= 800
    assert reply["cart"]["total"] == item["lineTotal"] == item["unitPrice"]
    assert f"{item['unitPrice']:g}" in reply["answer"].replace("\u202f", "").replace(",", "")
    found = stack.get(f"/api/v1/products/{item['productId']}").json()
    assert found["inStock"]
    assert {"fresh", "citrus", "aquatic"} & set(found["families"])
    token = reply["sessionToken"]
    assert stack.get("/api/v1/cart", token=token).json()["items"] == reply["cart"]["items"]


def test_a_question_is_answered_from_the_guide_and_leaves_the_cart_alone(stack: Any) -> None:
    answer = stack.post("/api/v1/ai/cart", {"message": "How long does delivery to Agadir take?"})
    reply = answer.json()
    assert (answer.status, reply["route"]) == (200, "rag")
    assert reply["cart"]["items"] == []


def test_the_command_line_asks_the_running_stack_and_keeps_the_session(
    stack: Any, tmp_path: Path
) -> None:
    session = str(tmp_path / "session.json")
    asked = shopping_agent(stack.data, "ask", FLAGSHIP["en"], "--session", session, "--json")
    assert asked.returncode == 0, asked.stderr
    assert len(json.loads(asked.stdout)["cart"]["items"]) == 1
    asked = shopping_agent(stack.data, "ask", "show", "my", "cart", "--session", session)
    assert "total, before delivery" in asked.stdout


def test_an_event_runs_through_the_same_handlers_without_http(stack: Any) -> None:
    command = [sys.executable, "-m", "functions.local.invoke", "events/store-health.json"]
    done = subprocess.run(
        [*command, "--data", str(stack.data)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["statusCode"] == 200
    assert answer["body"]["status"] == "ok"


# --- what it writes down -----------------------------------------------------------------------


def test_the_variables_for_sam_point_each_function_at_the_stack(stack: Any) -> None:
    path = stack.data / "env.json"
    assert path.stat().st_mode & 0o077 == 0
    variables = json.loads(path.read_text())
    assert set(variables) == {"ChatFunction", "StoreFunction", "IngestFunction"}
    chat = variables["ChatFunction"]
    assert chat["QDRANT_URL"] == stack.endpoints["qdrant"]
    assert chat["UPSTASH_REDIS_REST_URL"] == stack.endpoints["redis"]
    assert chat["EMBEDDING_PROVIDER"] == "openai"
    assert chat["EMBEDDING_BASE_URL"] == stack.endpoints["embeddings"]
    assert variables["IngestFunction"]["AWS_ENDPOINT_URL"] == stack.endpoints["aws"]


def test_every_child_has_its_pid_printed(stack: Any) -> None:
    printed = stack.log.read_text()
    names = {"valkey", "redis", "qdrant", "embeddings", "aws", "gateway"}
    names |= {"chat-1", "chat-2", "store-1", "store-2", "ingest-1"}
    assert set(stack.pids()) == names
    for name, pid in stack.pids().items():
        assert is_running(pid)
        assert f"  {name:<12} pid {pid}" in printed


# --- what ends is started again ----------------------------------------------------------------


def test_without_valkey_it_is_503_naming_redis_and_it_recovers_with_its_data(stack: Any) -> None:
    token = stack.post("/api/v1/ai/cart", {"message": FLAGSHIP["en"]}).json()["sessionToken"]
    before = stack.get("/api/v1/cart", token=token).json()
    os.kill(stack.pids()["valkey"], signal.SIGKILL)
    killed = time.monotonic()
    requests = [
        ("POST", "/api/v1/sessions", None),
        ("GET", "/api/v1/cart", None),
        ("POST", "/api/v1/ai/cart", {"message": "hello"}),
    ]
    for method, path, body in requests:
        answer = stack.request(method, path, body, token=token)
        assert answer.status == 503, (path, answer.body)
        assert answer.headers["content-type"].startswith("application/problem+json")
        assert "redis" in json.dumps(answer.json())
    eventually(lambda: stack.get("/api/v1/cart", token=token).status == 200, 10)
    assert time.monotonic() - killed < 10
    after = stack.get("/api/v1/cart", token=token).json()
    assert after["items"] == before["items"]
    stack.wait_healthy()


def test_every_child_that_is_killed_is_back_within_ten_seconds(stack: Any) -> None:
    before = stack.pids()
    for pid in before.values():
        os.kill(pid, signal.SIGKILL)
    killed = time.monotonic()
    eventually(lambda: not set(before.values()) & set(stack.pids().values()) - {0}, 10)
    eventually(lambda: all(is_running(pid) for pid in stack.pids().values()), 10)
    eventually(stack.accepts_connections, 10)
    assert time.monotonic() - killed < 10
    stack.wait_healthy()
    assert stack.get("/api/v1/products?limit=5").json()["products"]
    reply = stack.post("/api/v1/ai/cart", {"message": FLAGSHIP["en"]}).json()
    assert reply["cart"]["count"] == 1


# --- a store of one's own ----------------------------------------------------------------------


def test_another_store_lives_from_upload_to_restart(start_stack: Any, tmp_path: Path) -> None:
    store, data = tmp_path / "store", tmp_path / "data"
    write_catalog(store, product(1, 500), product(2, 900))
    with start_stack(data, catalog=store, EMBEDDING_PROVIDER="none") as stack:
        assert "embeddings" not in stack.pids()
        assert stack.get("/api/v1/products/p1").json()["price"] == 500
        token = stack.post("/api/v1/sessions").json()["token"]
        added = stack.post("/api/v1/cart/items", {"productId": "p1"}, token=token)
        assert added.json()["total"] == 500

        # A changed file changes answers without a restart; a bad row is reported by its line.
        changed = write_catalog(tmp_path / "new", product(1, 450), "{broken", product(2, 900))
        done = shopping_agent(data, "upload", str(changed), "--json")
        assert done.returncode == 0, done.stderr
        report = json.loads(done.stdout)
        assert report["status"] == "applied"
        assert [row["line"] for row in report["rejected"]] == [2]
        assert stack.get("/api/v1/products/p1").json()["price"] == 450
        assert stack.get("/api/v1/cart", token=token).json()["total"] == 450
        pids = stack.pids()
    assert not any(is_running(pid) for pid in pids.values())

    began = time.monotonic()
    with start_stack(data, catalog=store, EMBEDDING_PROVIDER="none") as stack:
        assert time.monotonic() - began < 15
        assert stack.get("/api/v1/cart", token=token).json()["total"] == 450

        # Nothing outlives a stack that is killed.
        pids = [*stack.pids().values()]
        stack.process.kill()
        stack.process.wait(10)
        eventually(lambda: not any(is_running(pid) for pid in pids), 5)


# --- refusals ----------------------------------------------------------------------------------


def test_a_port_in_use_a_wrong_setting_and_a_missing_store_are_refused_at_once(
    tmp_path: Path,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = make_run("--port", str(port), "--data", str(tmp_path / "data"))
    assert refused.returncode == 1
    assert f"port {port} is in use" in refused.stderr
    assert "PORT=" in refused.stderr
    common = ["--port", "0", "--data", str(tmp_path / "data")]
    refused = make_run(*common, MAX_TOOL_CALLS="many")
    assert refused.returncode == 1
    assert "MAX_TOOL_CALLS" in refused.stderr
    refused = make_run(*common, "--catalog", str(tmp_path))
    assert refused.returncode == 1
    assert "catalog.*" in refused.stderr
    refused = make_run(*common, SESSION_SECRET="a:1,a:2")
    assert refused.returncode == 1
    assert "SESSION_SECRET" in refused.stderr
    assert not (tmp_path / "data" / "logs").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="reads a process's signals from /proc")
@pytest.mark.parametrize("seconds", [0.0, 0.2, 0.5])
def test_a_ctrl_c_while_it_is_still_starting_ends_it_without_a_trace(
    tmp_path: Path, seconds: float
) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "functions.local", "--port", "0", "--data", str(tmp_path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as starting:
        _wait_until_it_is_our_code_that_runs(starting.pid)
        time.sleep(seconds)
        starting.send_signal(signal.SIGINT)
        said, _ = starting.communicate(timeout=20)
    assert starting.returncode in (0, -signal.SIGINT), said
    assert "Traceback" not in said


def _wait_until_it_is_our_code_that_runs(pid: int) -> None:
    """Python catches SIGINT while it starts itself, and dies of it; our first line gives the signal back."""
    caught_before = False
    until = time.monotonic() + 5  # by then our own handler has it
    while time.monotonic() < until:
        caught = _catches(pid, signal.SIGINT)
        if caught_before and not caught:
            return
        caught_before = caught_before or caught
        time.sleep(0.001)


def _catches(pid: int, number: int) -> bool:
    status = Path(f"/proc/{pid}/status").read_text()
    mask = next(line.split()[1] for line in status.splitlines() if line.startswith("SigCgt"))
    return bool(int(mask, 16) >> (number - 1) & 1)


def test_a_folder_that_cannot_be_written_ends_the_start_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "env.json").mkdir()
    refused = make_run("--port", "0", "--data", str(tmp_path))
    assert refused.returncode == 1
    assert refused.stderr.startswith("make run: ")
    assert "env.json" in refused.stderr
    assert refused.stderr.count("\n") == 1


def test_a_store_has_the_currency_of_its_pack_unless_it_is_told_another(tmp_path: Path) -> None:
    document = json.loads((DEFAULT / "store.json").read_text(encoding="utf-8"))
    (tmp_path / "store.json").write_text(json.dumps({**document, "currency": "EUR"}))
    pack = str(tmp_path)
    assert checked_environment({"A": "1"}, store_pack="") == {"A": "1"}
    assert checked_environment({}, store_pack=pack) == {"STORE_CURRENCY": "EUR"}
    for told in ({"STORE_PACK": pack}, {"STORE_PACK": pack, "STORE_CURRENCY": ""}):
        assert checked_environment(told, store_pack="")["STORE_CURRENCY"] == "EUR"
    told = {"STORE_CURRENCY": "MAD"}
    assert checked_environment(told, store_pack=pack) == told


@pytest.mark.parametrize(
    ("variables", "named"),
    [
        ({"LLM_PROVIDER": "groq"}, "GROQ_API_KEY"),
        ({"LLM_PROVIDER": "gemini", "GEMINI_API_KEY": "k", "LLM_FALLBACKS": "xai"}, "XAI_API_KEY"),
        ({"LLM_PROVIDER": "openai"}, "OPENAI_BASE_URL and OPENAI_MODEL"),
        (
            {
                "LLM_PROVIDER": "openai",
                "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
                "OPENAI_MODEL": "m",
                "DAILY_SPEND_LIMIT": "1",
            },
            "MODEL_PRICES",
        ),
    ],
)
def test_a_model_that_could_not_be_asked_is_refused_before_anything_starts(
    variables: dict[str, str], named: str
) -> None:
    with pytest.raises(StackError, match=named):
        checked_environment(variables, store_pack="")
    # A secret may still bring it.
    assert checked_environment({**variables, "SECRETS_ID": "s"}, store_pack="")


def test_a_store_pack_that_cannot_be_read_is_refused_at_once(tmp_path: Path) -> None:
    store = tmp_path / "store"
    write_catalog(store, product(1, 100))
    (store / "pack").mkdir()
    (store / "pack" / "store.json").write_text('{"name": "Shop"')
    common = ["--port", "0", "--data", str(tmp_path / "data"), "--catalog", str(store)]
    refused = make_run(*common)
    assert refused.returncode == 1
    assert "store pack: store.json is no JSON" in refused.stderr
    refused = make_run(*common, STORE_PACK=str(tmp_path / "nowhere"))
    assert refused.returncode == 1
    assert "nowhere is no folder" in refused.stderr


def test_a_wrong_table_of_rules_is_refused_before_anything_starts(tmp_path: Path) -> None:
    table = (DEFAULT / "rules.csv").read_text("utf-8-sig")
    wrong = table.replace("citrus 3", "citrsu 3").replace("climate=cold", "climate=icy")
    (tmp_path / "rules.csv").write_text(wrong, encoding="utf-8")
    with pytest.raises(StackError) as refused:
        checked_environment({}, store_pack=str(tmp_path))
    assert "row 2 (hot climate), prefer: unknown term 'citrsu'" in str(refused.value)
    assert "row 3 (cold climate), when: climate cannot be 'icy'" in str(refused.value)


def test_a_second_stack_on_the_same_folder_is_refused_and_leaves_the_first_alone(
    stack: Any,
) -> None:
    refused = make_run("--port", "0", "--data", str(stack.data))
    assert refused.returncode == 1
    assert f"pid {stack.process.pid}" in refused.stderr
    assert "DATA=" in refused.stderr
    assert (stack.data / "stack.json").exists()
