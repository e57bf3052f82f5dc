"""The built artefacts of all three functions end to end: upload, ingestion, talk, and workers that die or freeze on the way.

AWS's own runtime client runs them on Python 3.13 with nothing else to import. S3 notifies SQS (moto), Redis stands behind
Upstash's protocol, Qdrant behind its REST API, the model is a strict fake over HTTP; requests come through the gateway.
"""

import contextlib
import json
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import boto3
import httpx
import pytest
from shopping_agent import bootstrap
from shopping_agent.domain.deadline import Deadline
from shopping_agent.settings import Settings

from functions.local.aws_server import DEAD_LETTERS, QUEUE
from functions.local.backends import Backends, machine_variables, python_module
from functions.local.children import Child, ChildSpec, Supervisor, accepts_connections, free_port
from functions.local.data_folder import DataFolder
from functions.local.event_source import EventSource
from functions.local.fake_provider import Answer, FakeProvider, fake_provider
from functions.local.http_event import HttpRequest, event_of
from functions.local.invocations import Outcome
from functions.local.lambda_service import FunctionSpec, LambdaService
from functions.local.secrets_extension import secrets_extension
from functions.local.variables import LOCAL_REDIS_TOKEN, StandIns, function_variables

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

ROOT = Path(__file__).parents[2]
RUNNER = Path(__file__).with_name("runtime_runner.py")
BUCKET = "catalog"
FLAGSHIP = "Something fresh for summer, under 800 MAD, and add the best one to my cart."
CHAT_SECONDS = 8.0
"""The function's own limit here: what is frozen for longer is killed."""
PATIENT = "-patient"
"""A second worker of chat whose limit outlasts a freeze, as Lambda's clock may: it thaws and goes on."""
LIMITS = {"chat": CHAT_SECONDS, f"chat{PATIENT}": 60.0, "store": 15.0, "ingest": 120.0}
ROWS = 800
PART_SIZE = 100
CATALOG = {
    product["id"]: product
    for line in (ROOT / "demo/catalog.jsonl").read_text("utf-8").splitlines()
    for product in [json.loads(line)]
}


@dataclass(frozen=True)
class Shop:
    """A running deployment, from the outside."""

    url: str
    model: FakeProvider
    workers: dict[str, list[Child]]
    redis: Child
    functions: LambdaService
    endpoint: str
    settings: Settings
    logs: Path

    def client(self, service: str) -> Any:
        return boto3.client(
            service,  # pyright: ignore[reportArgumentType, reportCallIssue]
            endpoint_url=self.endpoint,
            region_name="eu-west-1",
            aws_access_key_id="local",
            aws_secret_access_key="local",
        )

    def put(self, key: str, body: bytes) -> None:
        self.client("s3").put_object(Bucket=BUCKET, Key=key, Body=body)

    def reports(self, key: str) -> list[dict[str, Any]]:
        """Of a file, oldest first."""
        s3 = self.client("s3")
        listed = s3.list_objects_v2(Bucket=BUCKET, Prefix=f"reports/{key}/").get("Contents", [])
        names = sorted(entry["Key"] for entry in listed)
        return [json.loads(s3.get_object(Bucket=BUCKET, Key=n)["Body"].read()) for n in names]

    def waiting(self, queue: str) -> int:
        """Messages of a queue, those at work included."""
        sqs = self.client("sqs")
        counts = ("ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible")
        url = sqs.get_queue_url(QueueName=queue)["QueueUrl"]
        told = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=list(counts))["Attributes"]
        return sum(int(told[name]) for name in counts)

    def upload(self, key: str, body: bytes, *, seconds: float = 90) -> dict[str, Any]:
        """Upload a file and wait until it is ingested; its report."""
        before = len(self.reports(key))
        self.put(key, body)
        wait_until(lambda: len(self.reports(key)) > before, seconds, key, self.logs)
        return self.reports(key)[-1]

    def http(
        self, method: str, path: str, body: Any = None, *, token: str = "", seconds: float = 35
    ) -> httpx.Response:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        return httpx.request(method, self.url + path, json=body, headers=headers, timeout=seconds)

    def session(self) -> str:
        return self.http("POST", "/api/v1/sessions").json()["token"]

    def say(self, message: str, token: str, turn_id: str = "") -> httpx.Response:
        body = {"message": message, **({"turnId": turn_id} if turn_id else {})}
        return self.http("POST", "/api/v1/ai/cart", body, token=token)

    def cart(self, token: str) -> dict[str, int]:
        items = self.http("GET", "/api/v1/cart", token=token).json()["items"]
        return {item["productId"]: item["quantity"] for item in items}

    def busy(self, function: str) -> int:
        """The process of a function's only worker."""
        return self._process(function).pid

    def signal(self, function: str, number: signal.Signals) -> int:
        """Signal a function's only worker, never a process that has ended; its pid."""
        process = self._process(function)
        process.send_signal(number)
        return process.pid

    def _process(self, function: str) -> "subprocess.Popen[bytes]":
        (worker,) = self.workers[function]
        wait_until(lambda: worker.process is not None, 10, f"a worker of {function}", self.logs)
        assert worker.process is not None
        return worker.process


def wait_until(
    reached: Callable[[], bool], seconds: float, what: str, logs: Path, pause: float = 0.1
) -> None:
    until = time.monotonic() + seconds
    while not reached():
        if time.monotonic() > until:
            tails = [f"{p.name}: {p.read_text(errors='replace')[-1500:]}" for p in logs.iterdir()]
            pytest.fail(f"{what}: not within {seconds} s\n" + "\n".join(tails))
        time.sleep(pause)


@contextlib.contextmanager
def running(
    python: str, artefacts: Path, runtime: dict[str, Path], data: DataFolder, model: FakeProvider
) -> Generator[Shop]:
    needed = StandIns(redis=True, qdrant=True, embeddings=False, aws=True)
    backends = Backends(data=data, needed=needed, bucket=BUCKET)
    secret = {
        "SESSION_SECRET": "a-session-secret-of-more-than-32-characters",
        "UPSTASH_REDIS_REST_TOKEN": LOCAL_REDIS_TOKEN,
        "GROQ_API_KEY": "a-key",
    }
    plain = {
        "LLM_PROVIDER": "groq",
        "LLM_FALLBACKS": "none",
        "GROQ_BASE_URL": model.url,
        "EMBEDDING_PROVIDER": "none",
        "INGEST_PART_SIZE": str(PART_SIZE),
        "REQUEST_BUDGET_SECONDS": str(CHAT_SECONDS - 2),
    }
    supervisor = Supervisor(logs=data.logs, report=lambda _: None)
    functions = LambdaService(supervisor=supervisor)
    events: EventSource | None = None
    with secrets_extension(secret) as told:
        variables = function_variables(
            plain, endpoints=backends.endpoints, session_secret="", store_pack=""
        )
        variables |= {**told, "UPSTASH_REDIS_REST_TOKEN": ""}
        try:
            children = [supervisor.add(spec) for spec in backends.specs]
            workers = {
                name: functions.add(_function(name, python, artefacts, runtime, seconds), variables)
                for name, seconds in LIMITS.items()
            }
            port = free_port()
            children.append(supervisor.add(_gateway(port, functions.port)))
            supervisor.wait_ready([*children, *(c for w in workers.values() for c in w)], 120)
            events = EventSource(endpoint_url=backends.endpoints["aws"], invoke=functions.invoke)
            events.start()
            yield Shop(
                url=f"http://127.0.0.1:{port}",
                model=model,
                workers=workers,
                redis=next(child for child in children if child.spec.name == "redis"),
                functions=functions,
                endpoint=backends.endpoints["aws"],
                settings=Settings.from_mapping(
                    {**{n: v for n, v in variables.items() if n not in told}, **secret}
                ),
                logs=data.logs,
            )
        finally:
            if events is not None:
                stopping = threading.Thread(target=events.stop, daemon=True)
                stopping.start()
                stopping.join(10)
            supervisor.stop()
            functions.close()


def _function(
    name: str, python: str, artefacts: Path, runtime: dict[str, Path], seconds: float
) -> FunctionSpec:
    paths = [artefacts / "dependencies/python", artefacts / "shared/python", runtime["client"]]
    paths += [runtime["sdk"]] if name == "ingest" else []
    command = [python, "-I", "-S", str(RUNNER), *map(str, paths)]
    folder = artefacts / name.removesuffix(PATIENT)
    return FunctionSpec(name=name, folder=folder, timeout=seconds, command=command)


def _gateway(port: int, invoke_port: int) -> ChildSpec:
    command = python_module("gateway", "--port", port, "--invoke-port", invoke_port)
    return ChildSpec(
        name="gateway",
        command=[*command, "--cors", "*"],
        environment=machine_variables(),
        ready=partial(accepts_connections, port),
        port=port,
        tier=3,
    )


@pytest.fixture(scope="module")
def model() -> Iterator[FakeProvider]:
    with fake_provider() as fake:
        yield fake


@pytest.fixture(scope="module")
def shop(
    python313: str,
    artefacts: Path,
    runtime_packages: dict[str, Path],
    model: FakeProvider,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Shop]:
    data = DataFolder(tmp_path_factory.mktemp("end-to-end"))
    with running(python313, artefacts, runtime_packages, data, model) as shop:
        catalog = shop.upload("catalog/catalog.jsonl", (ROOT / "demo/catalog.jsonl").read_bytes())
        assert (catalog["status"], catalog["counts"]["accepted"]) == ("applied", len(CATALOG))
        for name in ("delivery.en.md", "delivery.fr.md"):
            guide = shop.upload(f"guides/{name}", (ROOT / f"demo/guides/{name}").read_bytes())
            assert guide["status"] == "applied"
        yield shop
        bootstrap.redis(shop.settings).close()
        bootstrap.product_index(shop.settings).close()  # pyright: ignore[reportAttributeAccessIssue]


@pytest.fixture(autouse=True)
def fresh_model(model: FakeProvider) -> None:
    model.reset()


@pytest.fixture
def asking() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(4) as pool:
        yield pool


def price(product_id: str) -> float:
    return CATALOG[product_id].get("salePrice") or CATALOG[product_id]["price"]


# --- all is well ---------------------------------------------------------------------------------


def test_what_was_uploaded_is_sold_at_its_price(shop: Shop) -> None:
    found = shop.http("GET", "/api/v1/products?query=neroli&limit=5").json()["products"]
    assert found
    assert all(product["id"] in CATALOG for product in found)
    one = shop.http("GET", f"/api/v1/products/{found[0]['id']}").json()
    assert one["price"] == found[0]["price"]


@pytest.mark.parametrize(
    "message",
    [FLAGSHIP, "Quelque chose de frais pour l'été, à moins de 800 MAD, et ajoute le meilleur"],
)
def test_the_flagship_sentence_fills_the_real_cart(shop: Shop, message: str) -> None:
    token = shop.session()
    reply = shop.say(message, token)
    assert reply.status_code == 200, reply.text
    body = reply.json()
    ((product_id, quantity),) = shop.cart(token).items()
    assert quantity == 1
    assert body["actions"][0]["productId"] == product_id
    assert body["cart"]["total"] == price(product_id) <= 800
    assert len(shop.model.requests) == 2


def test_a_question_is_answered_from_the_uploaded_guide_in_one_call(shop: Shop) -> None:
    reply = shop.say("How much is delivery to Casablanca?", shop.session()).json()
    assert reply["intent"] == "knowledge"
    assert "20 MAD" in reply["answer"]
    assert len(shop.model.requests) == 1


def test_the_cart_is_changed_by_hand_as_by_word(shop: Shop) -> None:
    token = shop.session()
    chosen = shop.say(FLAGSHIP, token).json()["actions"][0]["productId"]
    line = f"/api/v1/cart/items/{chosen}"
    two = shop.http("PATCH", line, {"quantity": 2}, token=token).json()
    assert two["total"] == 2 * price(chosen)
    assert shop.cart(token) == {chosen: 2}
    assert shop.http("DELETE", line, token=token).json()["count"] == 0
    assert shop.http("POST", "/api/v1/cart/undo", {}, token=token).json()["count"] == 2
    assert shop.say("Empty my cart", token).status_code == 200
    assert shop.cart(token) == {}


def test_a_new_price_is_in_the_cart_as_soon_as_its_file_is_ingested(shop: Shop) -> None:
    token = shop.session()
    product = next(p for p in CATALOG.values() if not p.get("salePrice") and p.get("stock", 0) > 3)
    added = shop.http("POST", "/api/v1/cart/items", {"productId": product["id"]}, token=token)
    assert added.json()["total"] == product["price"]
    row = f"id,price,stock\n{product['id']},{product['price'] + 11},3\n"
    shop.upload("inventory/today.csv", row.encode())
    assert shop.http("GET", "/api/v1/cart", token=token).json()["total"] == product["price"] + 11
    back = f"id,price,stock\n{product['id']},{product['price']},{product['stock']}\n"
    shop.upload("inventory/today.csv", back.encode())


# --- workers that die or freeze ------------------------------------------------------------------


def in_flight(
    shop: Shop, asking: ThreadPoolExecutor, token: str, turn_id: str, *, call: int = 2
) -> "Future[httpx.Response]":
    """A turn that waits for a call of the model: with the second, its change of the cart is made."""
    shop.model.on(call, Answer(delay=20))
    running_turn = asking.submit(shop.say, FLAGSHIP, token, turn_id)
    wait_until(lambda: len(shop.model.requests) == call, 20, f"call {call}", shop.logs, 0.01)
    return running_turn


def send_again(shop: Shop, token: str, turn_id: str) -> dict[str, Any]:
    """As a client does: the dead attempt's claim ends with its deadline, until then the turn is in progress."""
    until = time.monotonic() + 30
    while (again := shop.say(FLAGSHIP, token, turn_id)).status_code == 409:
        assert time.monotonic() < until, again.text
        time.sleep(0.3)
    assert again.status_code == 200, again.text
    return again.json()


@pytest.mark.parametrize("call", [1, 2], ids=["before its change", "after its change"])
def test_a_turn_whose_worker_is_killed_adds_once_when_sent_again(
    shop: Shop, asking: ThreadPoolExecutor, call: int
) -> None:
    token, turn_id = shop.session(), uuid4().hex
    first = in_flight(shop, asking, token, turn_id, call=call)
    shop.signal("chat", signal.SIGKILL)
    assert first.result(30).status_code >= 500
    before = shop.cart(token)
    assert sum(before.values()) == call - 1
    shop.model.reset()
    again = send_again(shop, token, turn_id)
    after = shop.cart(token)
    assert sum(after.values()) == again["cart"]["count"] == 1
    assert after == (before or after)


def test_a_worker_that_thaws_when_its_turn_was_made_by_another_writes_nothing(
    shop: Shop, asking: ThreadPoolExecutor
) -> None:
    token, turn_id = shop.session(), uuid4().hex
    shop.model.on(1, Answer(delay=1))
    first = asking.submit(invoke, shop, f"chat{PATIENT}", FLAGSHIP, token, turn_id)
    wait_until(lambda: len(shop.model.requests) == 1, 20, "the first call", shop.logs, 0.01)
    frozen = shop.signal(f"chat{PATIENT}", signal.SIGSTOP)
    try:
        shop.model.reset()
        send_again(shop, token, turn_id)
        made = shop.http("GET", "/api/v1/cart", token=token).json()
        assert not first.done()
    finally:
        shop.signal(f"chat{PATIENT}", signal.SIGCONT)
    outcome = first.result(30)
    assert not outcome.error, outcome.payload
    assert shop.http("GET", "/api/v1/cart", token=token).json() == made
    assert made["count"] == 1
    # The same process lived to see it.
    assert shop.busy(f"chat{PATIENT}") == frozen
    assert shop.say(FLAGSHIP, token, turn_id).json()["cart"]["count"] == 1


def invoke(shop: Shop, function: str, message: str, token: str, turn_id: str) -> Outcome:
    """A turn by a function that the gateway does not know."""
    body = json.dumps({"message": message, "turnId": turn_id}).encode()
    headers = [("host", "shop.example"), ("content-type", "application/json")]
    headers.append(("authorization", f"Bearer {token}"))
    request = HttpRequest(
        method="POST", path="/api/v1/ai/cart", query="", headers=headers, body=body
    )
    return shop.functions.invoke(function, event_of(request, route="POST /api/v1/ai/{proxy+}"))


def test_a_worker_that_freezes_for_a_moment_goes_on_and_adds_once(
    shop: Shop, asking: ThreadPoolExecutor
) -> None:
    token = shop.session()
    shop.model.on(2, Answer(delay=0.5))
    turn = asking.submit(shop.say, FLAGSHIP, token, uuid4().hex)
    wait_until(lambda: len(shop.model.requests) == 2, 20, "the second call", shop.logs, 0.01)
    shop.signal("chat", signal.SIGSTOP)
    time.sleep(2)
    shop.signal("chat", signal.SIGCONT)
    reply = turn.result(30)
    assert reply.status_code == 200, reply.text
    assert sum(shop.cart(token).values()) == 1
    assert reply.json()["cart"]["count"] == 1


def test_connections_that_were_cut_while_workers_were_frozen_are_opened_anew(shop: Shop) -> None:
    # The model drops the next request on this connection; the front of Redis starts anew.
    shop.model.on(2, Answer(behaviour="stale"))
    assert shop.say(FLAGSHIP, shop.session()).status_code == 200
    for function in ("chat", "store"):
        shop.signal(function, signal.SIGSTOP)
    try:
        dead, bridge = shop.redis.pid, shop.redis
        bridge.kill()
        wait_until(
            lambda: bridge.pid not in (0, dead) and bridge.is_ready.is_set(),
            20,
            "Redis again",
            shop.logs,
        )
    finally:
        for function in ("chat", "store"):
            shop.signal(function, signal.SIGCONT)
    token = shop.session()
    reply = shop.say(FLAGSHIP, token)
    assert reply.status_code == 200, reply.text
    assert reply.json()["cart"]["count"] == 1
    assert sum(shop.cart(token).values()) == 1
    assert shop.model.dropped == 1


def test_a_worker_that_stays_frozen_is_replaced_and_its_turn_adds_once(
    shop: Shop, asking: ThreadPoolExecutor
) -> None:
    token, turn_id = shop.session(), uuid4().hex
    first = in_flight(shop, asking, token, turn_id)
    frozen = shop.signal("chat", signal.SIGSTOP)
    began = time.monotonic()
    assert first.result(40).status_code >= 500
    assert time.monotonic() - began < CHAT_SECONDS + 5
    shop.model.reset()
    send_again(shop, token, turn_id)
    assert sum(shop.cart(token).values()) == 1
    assert shop.busy("chat") != frozen


# --- ingestion that is killed --------------------------------------------------------------------


def rows(word: str) -> bytes:
    lines = [
        {
            "id": f"many-{n}",
            "name": f"{word} number {n}",
            "price": 100 + n,
            "currency": "MAD",
            "stock": 5,
            "description": f"{word} {n}, of many.",
        }
        for n in range(ROWS)
    ]
    return "\n".join(json.dumps(line) for line in lines).encode()


def state(shop: Shop) -> dict[str, Any]:
    """What of the many products is live, and what of them is found."""
    deadline = Deadline.after(60)
    ids = [f"many-{n}" for n in range(ROWS)]
    live = bootstrap.live_catalog(shop.settings).get(ids, deadline)
    index = bootstrap.product_index(shop.settings)
    texts = [c for n in range(0, ROWS, 100) for c in index.chunks_of(ids[n : n + 100], deadline)]
    return {
        "live": {i: (f.name, f.price.regular, f.stock) for i, f in live.items()},
        "texts": {chunk.id: chunk.text for chunk in texts},
    }


def test_a_catalog_whose_worker_is_killed_and_frozen_ends_as_a_clean_run(shop: Shop) -> None:
    key = "catalog/many.jsonl"
    shop.put(key, rows("Jar"))
    live = bootstrap.live_catalog(shop.settings)
    ids = [f"many-{n}" for n in range(ROWS)]
    for wanted in (PART_SIZE, ROWS // 2):
        wait_until(
            lambda wanted=wanted: len(live.get(ids, Deadline.after(30))) >= wanted,
            120,
            f"{wanted} products",
            shop.logs,
            0.02,
        )
        shop.signal("ingest", signal.SIGSTOP)
        time.sleep(0.5)
        shop.signal("ingest", signal.SIGCONT)
        dead = shop.signal("ingest", signal.SIGKILL)
        wait_until(lambda dead=dead: shop.busy("ingest") != dead, 20, "another worker", shop.logs)
    wait_until(
        lambda: any(r["status"] == "applied" for r in shop.reports(key)), 180, key, shop.logs
    )
    wait_until(lambda: shop.waiting(QUEUE) == 0, 60, "an empty queue", shop.logs)
    resumed = state(shop)
    assert len(resumed["live"]) == ROWS
    # The same again from nothing, with nobody killed.
    shop.client("s3").delete_object(Bucket=BUCKET, Key=key)
    wait_until(lambda: not state(shop)["live"], 120, "an empty catalog", shop.logs, 0.5)
    shop.upload(key, rows("Jar"), seconds=180)
    wait_until(lambda: len(state(shop)["live"]) == ROWS, 120, "a clean run", shop.logs, 0.5)
    assert state(shop) == resumed
    shop.client("s3").delete_object(Bucket=BUCKET, Key=key)


def test_nothing_is_left_behind(shop: Shop) -> None:
    wait_until(lambda: shop.waiting(QUEUE) == 0, 120, "an empty queue", shop.logs)
    assert shop.waiting(DEAD_LETTERS) == 0
    listed = shop.client("s3").list_objects_v2(Bucket=BUCKET, Prefix="staging/")
    assert listed.get("KeyCount", 0) == 0
