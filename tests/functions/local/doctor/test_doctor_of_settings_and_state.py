"""The doctor on settings, store pack and Redis: refused, odd, down, slow, lying, another token."""

from typing import Any

import pytest

from tests.functions.local.doctor.said import DOWN, SECRET, Doctor, Liar, Said

REDIS = {"UPSTASH_REDIS_REST_TOKEN": "a-token-of-redis"}


def test_settings_that_are_refused_are_named_and_nothing_of_their_values(doctor: Doctor) -> None:
    report = doctor(SESSION_SECRET=SECRET, LLM_PROVIDER="hal-9000", MAX_TOOL_CALLS="minus-one")
    assert report.status == 1
    assert "LLM_PROVIDER" in report.of("settings")[0][1]
    assert "MAX_TOOL_CALLS" in report.of("settings")[0][1]
    assert "hal-9000" not in report.shown
    assert report.worst("redis") == "not checked"


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"LLM_PROVIDER": "groq"}, "GROQ_API_KEY"),
        ({"LLM_PROVIDER": "openai"}, "OPENAI_BASE_URL"),
        ({"EMBEDDING_PROVIDER": "gemini", "EMBEDDING_MODEL": "m"}, "EMBEDDING_API_KEY"),
        ({"EMBEDDING_PROVIDER": "local"}, "EMBEDDING_PROVIDER=local"),
        ({"CHECKOUT_URL": "https://shop.example/pay"}, "CHECKOUT_WEBHOOK_SECRET"),
        ({"SESSION_SECRET": "short"}, "SESSION_SECRET"),
        ({"SESSION_SECRET": f"new:{SECRET},old:short"}, "SESSION_SECRET"),
        ({"CHECKOUT_WEBHOOK_SECRET": "short"}, "CHECKOUT_WEBHOOK_SECRET"),
        (
            {
                "LLM_PROVIDER": "groq",
                "GROQ_API_KEY": "k",
                "GROQ_MODEL": "x",
                "DAILY_SPEND_LIMIT": "5",
            },
            "MODEL_PRICES",
        ),
    ],
)
def test_what_the_first_request_would_fail_with_is_told_before(
    doctor: Doctor, settings: dict[str, str], said: str
) -> None:
    given = {"SESSION_SECRET": SECRET, "EMBEDDING_PROVIDER": "none", **settings}
    report = doctor(**given)
    assert report.worst("settings") == "fail"
    assert any(said in message for status, message in report.of("settings") if status == "fail")


def test_keys_that_are_in_a_secret_are_not_missed(doctor: Doctor) -> None:
    report = doctor(SECRETS_ID="shop", LLM_PROVIDER="groq", EMBEDDING_PROVIDER="none")
    assert report.worst("settings") != "fail"
    assert "not checked" in {status for status, _ in report.of("settings")}
    assert report.of("model groq")[0] == (
        "not checked",
        "needs GROQ_API_KEY, in the environment or by --settings",
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ASSISTANT_ENABLED", "false"),
        ("RATE_LIMITS", "off"),
        ("CIRCUIT_BREAKER", "off"),
        ("RECORD_TURNS", "24"),
    ],
)
def test_settings_that_are_meant_for_a_while_are_a_warning(
    doctor: Doctor, name: str, value: str
) -> None:
    report = doctor(SESSION_SECRET=SECRET, EMBEDDING_PROVIDER="none", **{name: value})
    assert report.worst("settings") == "warn"
    assert any(message.startswith(name) for _, message in report.of("settings"))


def test_a_paid_model_without_a_daily_limit_is_a_warning(doctor: Doctor, liar: Liar) -> None:
    report = doctor(
        SESSION_SECRET=SECRET,
        EMBEDDING_PROVIDER="none",
        LLM_PROVIDER="openai",
        OPENAI_BASE_URL=liar.url,
        OPENAI_MODEL="m",
    )
    assert any("DAILY_SPEND_LIMIT" in message for _, message in report.of("settings"))


def test_a_store_pack_that_cannot_be_read_fails(doctor: Doctor) -> None:
    report = doctor(SESSION_SECRET=SECRET, STORE_PACK="/nowhere/at/all")
    assert report.worst("store pack") == "fail"


def test_a_store_pack_in_a_bucket_needs_credentials(doctor: Doctor) -> None:
    report = doctor(SESSION_SECRET=SECRET, STORE_PACK="s3://bucket/pack")
    assert report.worst("store pack") == "not checked"
    assert "AWS credentials" in report.of("store pack")[0][1]


def test_another_currency_than_the_packs_is_a_warning(doctor: Doctor) -> None:
    assert doctor(SESSION_SECRET=SECRET, STORE_CURRENCY="EUR").worst("store pack") == "warn"


def test_a_redis_that_is_well_is_ok_and_nothing_is_written_there(
    doctor: Doctor, redis_stack: Any
) -> None:
    report = doctor(
        UPSTASH_REDIS_REST_URL=redis_stack.url,
        UPSTASH_REDIS_REST_TOKEN=redis_stack.token,
        REDIS_PREFIX="doctor-test",
    )
    assert [status for status, _ in report.of("redis")] == ["ok", "ok"]
    from shopping_agent.adapters.redis.connection import RedisConnection
    from shopping_agent.domain.deadline import Deadline

    connection = RedisConnection(url=redis_stack.url, token=redis_stack.token, prefix="x")
    assert connection.run(["KEYS", "doctor-test*"], Deadline.after(5)) == []
    connection.close()


def test_a_redis_with_another_token_fails_without_saying_the_token(
    doctor: Doctor, redis_stack: Any
) -> None:
    report = doctor(UPSTASH_REDIS_REST_URL=redis_stack.url, **REDIS)
    assert report.worst("redis") == "fail"
    assert REDIS["UPSTASH_REDIS_REST_TOKEN"] not in report.shown


def test_a_redis_that_is_down_fails(doctor: Doctor) -> None:
    assert doctor(UPSTASH_REDIS_REST_URL=DOWN, **REDIS).worst("redis") == "fail"


def test_a_redis_that_hangs_is_told_in_time(doctor: Doctor, liar: Liar) -> None:
    liar["POST /"] = Said({"result": "UE9ORw=="}, seconds=30)
    report = doctor(UPSTASH_REDIS_REST_URL=liar.url, timeout=1, **REDIS)
    assert report.worst("redis") == "fail"
    assert report.seconds < 10


@pytest.mark.parametrize(
    "body", [b"<html>", {"result": "aGVsbG8="}, {"result": None}, {}, [1], {"error": "NOPERM"}]
)
def test_something_that_is_no_redis_fails(doctor: Doctor, liar: Liar, body: object) -> None:
    liar["POST /"] = Said(body)
    assert doctor(UPSTASH_REDIS_REST_URL=liar.url, **REDIS).worst("redis") == "fail"


def test_a_token_that_may_not_run_scripts_fails(doctor: Doctor, liar: Liar) -> None:
    # PONG to everything: EVAL brings what it should not.
    liar["POST /"] = Said({"result": "UE9ORw=="})
    report = doctor(UPSTASH_REDIS_REST_URL=liar.url, **REDIS)
    assert ("fail", "scripts do not run") in report.of("redis")
