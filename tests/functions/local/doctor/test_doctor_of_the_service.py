"""The doctor on the API: down, slow, lying, switched off, with the wrong CORS or the wrong clock."""

import json
import time
from email.utils import formatdate
from pathlib import Path

import pytest
from shopping_agent import __version__

from functions.local.cli import main
from tests.functions.local.doctor.said import DOWN, SECRET, Doctor, Liar, Said

READY = {"redis": {"ready": True, "ms": 1}, "search": {"ready": True, "ms": 2}}
HEALTHY = {"status": "ok", "version": __version__, "dependencies": READY}
PREFLIGHT = {
    "access-control-allow-origin": "https://shop.example",
    "access-control-allow-methods": "DELETE,GET,OPTIONS,PATCH,POST",
    "access-control-allow-headers": "Authorization, Content-Type, Idempotency-Key, If-Match",
}


@pytest.fixture
def api(liar: Liar) -> Liar:
    liar["GET /api/v1/health"] = Said(HEALTHY, headers={"date": formatdate(usegmt=True)})
    liar["POST /api/v1/ai/cart"] = Said({"code": "invalid_field"}, 422)
    liar["OPTIONS /api/v1/ai/cart"] = Said(headers=PREFLIGHT, status=204)
    return liar


def test_a_service_that_is_well_is_ok_and_what_access_is_missing_is_said(
    doctor: Doctor, api: Liar
) -> None:
    report = doctor("--base-url", api.url, "--origin", "https://shop.example")
    assert report.status == 0
    for check in ("api", "assistant", "cors", "clock"):
        assert report.worst(check) in ("ok", "warn"), report.of(check)
    assert report.of("redis")[0][0] == "not checked"
    assert "UPSTASH_REDIS_REST_URL" in report.of("redis")[0][1]
    assert "--bucket" in report.of("freshness")[0][1]
    assert "LLM_PROVIDER" in report.of("language model")[0][1]


def test_an_api_that_is_down_fails(doctor: Doctor) -> None:
    report = doctor("--base-url", DOWN)
    assert report.status == 1
    assert "does not answer" in report.of("api")[0][1]
    assert report.worst("clock") == "not checked"


@pytest.mark.parametrize("seconds", [30.0])
def test_an_api_that_hangs_is_told_in_time(doctor: Doctor, api: Liar, seconds: float) -> None:
    api["GET /api/v1/health"] = Said(HEALTHY, seconds=seconds)
    report = doctor("--base-url", api.url, timeout=1)
    assert report.worst("api") == "fail"
    assert report.seconds < 10


@pytest.mark.parametrize(
    "body",
    [
        b"<html>hello</html>",
        "ok",
        [],
        {"status": "ok"},
        {"status": "ok", "dependencies": ["redis"]},
    ],
)
def test_another_service_at_the_address_is_no_healthy_one(
    doctor: Doctor, api: Liar, body: object
) -> None:
    api["GET /api/v1/health"] = Said(body)
    assert doctor("--base-url", api.url).worst("api") == "fail"


@pytest.mark.parametrize(
    ("status", "dependencies", "finding"),
    [
        ("ok", {"redis": {"ready": False}}, "fail"),
        ("ok", {"redis": "ready"}, "fail"),
        ("down", {"redis": {"ready": False}}, "fail"),
        ("degraded", {"embeddings": {"ready": False}}, "warn"),
        ("fine", {"redis": {"ready": True}}, "fail"),
    ],
)
def test_what_the_service_says_of_its_dependencies_counts(
    doctor: Doctor, api: Liar, status: str, dependencies: object, finding: str
) -> None:
    api["GET /api/v1/health"] = Said({**HEALTHY, "status": status, "dependencies": dependencies})
    assert doctor("--base-url", api.url).worst("api") == finding


def test_another_version_than_the_doctors_is_a_warning(doctor: Doctor, api: Liar) -> None:
    api["GET /api/v1/health"] = Said({**HEALTHY, "version": "0.0.1"})
    report = doctor("--base-url", api.url)
    assert report.worst("api") == "warn"
    assert report.status == 0


@pytest.mark.parametrize(
    ("answer", "finding"),
    [
        (Said({"code": "assistant_off"}, 503), "warn"),
        (Said({"code": "session_limit"}, 429), "ok"),
        (Said({"message": "Service Unavailable"}, 503), "fail"),
        (Said({"message": "Internal Server Error"}, 500), "fail"),
        (Said({"answer": "hello"}, 200), "fail"),
        (Said(b"", 422), "fail"),
        (Said({"message": "Not Found"}, 404), "fail"),
    ],
)
def test_the_assistant_is_asked_what_costs_nothing(
    doctor: Doctor, api: Liar, answer: Said, finding: str
) -> None:
    api["POST /api/v1/ai/cart"] = answer
    assert doctor("--base-url", api.url).worst("assistant") == finding


@pytest.mark.parametrize(
    ("origins", "headers", "finding"),
    [
        ("https://shop.example", PREFLIGHT, "ok"),
        ("https://other.example", PREFLIGHT, "fail"),
        ("https://shop.example,https://other.example", PREFLIGHT, "fail"),
        ("https://shop.example", {}, "fail"),
        ("https://shop.example", {**PREFLIGHT, "access-control-allow-methods": "GET"}, "fail"),
        ("https://shop.example", {**PREFLIGHT, "access-control-allow-headers": ""}, "fail"),
        ("https://shop.example", {**PREFLIGHT, "access-control-allow-origin": "*"}, "warn"),
        ("*", {**PREFLIGHT, "access-control-allow-origin": "*"}, "warn"),
        ("*", PREFLIGHT, "fail"),
    ],
)
def test_pages_of_the_shop_may_call_and_no_others(
    doctor: Doctor, api: Liar, origins: str, headers: dict[str, str], finding: str
) -> None:
    api["OPTIONS /api/v1/ai/cart"] = Said(status=204, headers=headers)
    report = doctor("--base-url", api.url, SESSION_SECRET=SECRET, CORS_ORIGINS=origins)
    assert report.worst("cors") == finding


@pytest.mark.parametrize(
    ("ahead", "finding"), [(0, "ok"), (20, "warn"), (-20, "warn"), (-90, "fail")]
)
def test_clocks_that_differ_are_told(doctor: Doctor, api: Liar, ahead: int, finding: str) -> None:
    date = formatdate(time.time() + ahead, usegmt=True)
    api["GET /api/v1/health"] = Said(HEALTHY, headers={"date": date})
    assert doctor("--base-url", api.url).worst("clock") == finding


def test_a_date_that_is_none_is_not_checked(doctor: Doctor, api: Liar) -> None:
    api["GET /api/v1/health"] = Said(HEALTHY, headers={"date": "yesterday"})
    assert doctor("--base-url", api.url).worst("clock") == "not checked"


@pytest.mark.parametrize("address", ["ftp://shop", "shop.example", "http://", "http://[::1"])
def test_an_address_that_is_none_is_refused(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--base-url", address]) == 1
    assert "--base-url must be" in capsys.readouterr().err


def test_without_a_stack_or_an_address_it_says_what_it_needs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["doctor"]) == 1
    assert "make run" in (said := capsys.readouterr().err)
    assert "--base-url" in said


@pytest.mark.parametrize("text", ["", "[]", '"x"', "{", "[" * 100_000])
def test_a_settings_file_that_cannot_be_read_is_refused(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (file := tmp_path / "settings.json").write_text(text)
    assert main(["doctor", "--settings", str(file)]) == 1
    assert str(file) in capsys.readouterr().err


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "soon"])
def test_a_time_limit_that_is_none_is_refused(
    seconds: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["doctor", "--timeout", seconds])
    assert ended.value.code == 2
    assert "--timeout" in capsys.readouterr().err


def test_people_get_lines_with_what_to_do(api: Liar, capsys: pytest.CaptureFixture[str]) -> None:
    api["POST /api/v1/ai/cart"] = Said({"code": "assistant_off"}, 503)
    assert main(["doctor", "--base-url", api.url, "--timeout", "5"]) == 0
    shown = capsys.readouterr().out
    assert "it is switched off" in shown
    assert "-> ASSISTANT_ENABLED=true" in shown


def test_settings_are_read_as_aws_and_as_the_stack_write_them(
    doctor: Doctor, tmp_path: Path
) -> None:
    files: list[str] = []
    for name, document in {
        "aws": {"Variables": {"EMBEDDING_PROVIDER": "none", "LOG_LEVEL": "INFO"}},
        "sam": {"ChatFunction": {"LLM_PROVIDER": "offline"}, "StoreFunction": {"LLM_PROVIDER": ""}},
        "secret": {"SESSION_SECRET": SECRET, "AWS_REGION": "eu-west-1", "GROQ_APIKEY": "gsk"},
    }.items():
        (file := tmp_path / f"{name}.json").write_text(json.dumps(document))
        files += ["--settings", str(file)]
    report = doctor(*files)
    assert report.worst("settings") == "warn"
    assert "GROQ_APIKEY" in report.of("settings")[0][1]
    assert report.of("model offline")[0][0] == "ok"
    assert report.of("embeddings")[0] == ("ok", "none: searches go by words alone")


def test_what_a_service_answers_cannot_write_on_the_terminal(
    api: Liar, capsys: pytest.CaptureFixture[str]
) -> None:
    evil = "\x1b[2Jok\r\nok           redis\u202e" + "x" * 5000
    api["GET /api/v1/health"] = Said({**HEALTHY, "status": evil, "dependencies": {evil: {}}})
    assert main(["doctor", "--base-url", api.url, "--timeout", "5"]) == 1
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert not [line for line in shown.splitlines() if line.startswith("ok           redis")]
    assert max(map(len, shown.splitlines())) < 700


def test_an_address_that_redirects_is_told_with_where_to(doctor: Doctor, api: Liar) -> None:
    api["GET /api/v1/health"] = Said(
        b"", 301, headers={"location": "https://shop.example/api/v1/health"}
    )
    [(status, message)] = doctor("--base-url", api.url).of("api")
    assert status == "fail"
    assert "https://shop.example" in message


def test_a_password_in_an_address_is_not_repeated(doctor: Doctor) -> None:
    report = doctor("--base-url", DOWN.replace("//", "//someone:" + "hunter22@"))
    assert report.worst("api") == "fail"
    assert "hunter22" not in report.shown
