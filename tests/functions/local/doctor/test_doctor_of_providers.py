"""The doctor on models and embeddings: asked for free unless `--paid`; refused keys, unknown models, down, slow, lying."""

from collections.abc import Iterator

import pytest

from functions.local.fake_provider.provider import FakeProvider
from functions.local.fake_provider.server import fake_provider
from tests.functions.local.doctor.said import DOWN, SECRET, Doctor, Liar, Report, Said

KEY = "a-key-of-a-provider"
GROQ = {"LLM_PROVIDER": "groq", "GROQ_API_KEY": KEY, "GROQ_MODEL": "fake"}
LISTED = {"data": [{"id": "fake"}, {"id": "other"}]}


@pytest.fixture
def provider() -> Iterator[FakeProvider]:
    with fake_provider() as provider:
        yield provider


def of_groq(doctor: Doctor, url: str, *arguments: str, **settings: str) -> Report:
    given = {"EMBEDDING_PROVIDER": "none", **GROQ, "GROQ_BASE_URL": url, **settings}
    report = doctor(*arguments, SESSION_SECRET=SECRET, **given)
    assert KEY not in report.shown
    return report


def test_a_key_and_a_model_are_checked_without_a_paid_call(
    doctor: Doctor, provider: FakeProvider
) -> None:
    report = of_groq(doctor, provider.url)
    assert report.worst("model groq") == "ok"
    assert report.worst("model offline") == "ok"
    assert not provider.requests


def test_a_model_is_asked_for_real_when_told_to(doctor: Doctor, provider: FakeProvider) -> None:
    assert of_groq(doctor, provider.url, "--paid").worst("model groq") == "ok"
    assert len(provider.requests) == 1


def test_a_model_that_fails_when_asked_fails(doctor: Doctor, provider: FakeProvider) -> None:
    report = of_groq(doctor, f"{provider.url}/auth", "--paid")
    assert report.worst("model groq") == "fail"
    assert "auth" in report.of("model groq")[0][1]


@pytest.mark.parametrize(
    ("answer", "finding"),
    [
        (Said(LISTED), "ok"),
        (Said({"data": [{"id": "other"}]}), "warn"),
        (Said({"error": {"message": f"wrong key {KEY}"}}, 401), "fail"),
        (Said({}, 403), "fail"),
        (Said({}, 404), "warn"),
        (Said({}, 429), "warn"),
        (Said({}, 500), "fail"),
        (Said(b"<html>"), "fail"),
        (Said({"data": "none"}), "fail"),
        (Said([KEY]), "fail"),
        (Said({"data": [{"name": "fake"}]}), "fail"),
    ],
)
def test_what_a_provider_answers_about_its_models_counts(
    doctor: Doctor, liar: Liar, answer: Said, finding: str
) -> None:
    liar["GET /openai/v1/models"] = answer
    assert of_groq(doctor, liar.url).worst("model groq") == finding
    assert ("GET /openai/v1/models", f"Bearer {KEY}") in [
        (request, headers.get("authorization")) for request, headers in liar.seen
    ]


def test_a_provider_that_is_down_fails(doctor: Doctor) -> None:
    assert of_groq(doctor, DOWN).worst("model groq") == "fail"


def test_a_provider_that_hangs_is_told_in_time(doctor: Doctor, liar: Liar) -> None:
    liar["GET /openai/v1/models"] = Said(LISTED, seconds=30)
    report = doctor(
        timeout=1, SESSION_SECRET=SECRET, EMBEDDING_PROVIDER="none", GROQ_BASE_URL=liar.url, **GROQ
    )
    assert report.worst("model groq") == "fail"
    assert report.seconds < 10


@pytest.mark.parametrize(("status", "finding"), [(200, "ok"), (404, "fail"), (400, "fail")])
def test_geminis_model_is_looked_up(doctor: Doctor, liar: Liar, status: int, finding: str) -> None:
    liar["GET /v1beta/models/gemini-x"] = Said({"name": "models/gemini-x"}, status)
    report = doctor(
        SESSION_SECRET=SECRET,
        EMBEDDING_PROVIDER="none",
        LLM_PROVIDER="gemini",
        GEMINI_API_KEY=KEY,
        GEMINI_MODEL="gemini-x",
        GEMINI_BASE_URL=liar.url,
    )
    assert report.worst("model gemini") == finding
    assert KEY not in report.shown


def of_embeddings(doctor: Doctor, url: str, **settings: str) -> Report:
    return doctor(
        SESSION_SECRET=SECRET,
        EMBEDDING_PROVIDER="openai",
        EMBEDDING_BASE_URL=url,
        EMBEDDING_MODEL="fake",
        EMBEDDING_API_KEY=KEY,
        **{"EMBEDDING_DIMENSIONS": "8", **settings},
    )


@pytest.mark.parametrize(
    ("answer", "finding"),
    [
        (Said({"data": [{"index": 0, "embedding": [0.5] * 8}]}), "ok"),
        (Said({"data": [{"index": 0, "embedding": [0.5] * 9}]}), "fail"),
        (Said({"data": [{"index": 0, "embedding": ["x"] * 8}]}), "fail"),
        (Said({"data": []}), "fail"),
        (Said(b"<html>"), "fail"),
        (Said({}, 401), "fail"),
        (Said({}, 500), "fail"),
    ],
)
def test_embeddings_of_a_server_on_this_machine_are_asked_for(
    doctor: Doctor, liar: Liar, answer: Said, finding: str
) -> None:
    liar["POST /v1/embeddings"] = answer
    report = of_embeddings(doctor, f"{liar.url}/v1")
    assert report.worst("embeddings") == finding
    assert KEY not in report.shown


def test_embeddings_that_are_down_fail(doctor: Doctor) -> None:
    assert of_embeddings(doctor, f"{DOWN}/v1").worst("embeddings") == "fail"


def test_embeddings_that_hang_are_told_in_time(doctor: Doctor, liar: Liar) -> None:
    liar["POST /v1/embeddings"] = Said({}, seconds=30)
    report = doctor(
        timeout=1,
        EMBEDDING_PROVIDER="openai",
        EMBEDDING_BASE_URL=f"{liar.url}/v1",
        EMBEDDING_MODEL="fake",
    )
    assert report.worst("embeddings") == "fail"
    assert report.seconds < 10


def test_embeddings_elsewhere_cost_nothing_without_paid(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch, liar: Liar
) -> None:
    from functions.local.doctor import providers

    monkeypatch.setattr(providers, "_is_here", lambda _: False)
    liar["GET /v1/models"] = Said(LISTED)
    assert of_embeddings(doctor, f"{liar.url}/v1").worst("embeddings") == "ok"
    assert [request for request, _ in liar.seen] == ["GET /v1/models"]
