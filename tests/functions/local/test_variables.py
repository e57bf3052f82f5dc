"""Which variables the functions get from `make run`."""

import pytest

from functions.local.variables import StandIns, function_variables, settings_of, variables_of

ENDPOINTS = {
    "redis": "http://127.0.0.1:1",
    "qdrant": "http://127.0.0.1:2",
    "embeddings": "http://127.0.0.1:3/v1",
    "aws": "http://127.0.0.1:4",
}


def variables(**environment: str) -> dict[str, str]:
    return function_variables(
        environment, endpoints=ENDPOINTS, session_secret="made-here", store_pack=""
    )


def test_without_settings_every_part_is_a_stand_in() -> None:
    made = variables()
    assert made["UPSTASH_REDIS_REST_URL"] == ENDPOINTS["redis"]
    assert made["QDRANT_URL"] == ENDPOINTS["qdrant"]
    assert made["EMBEDDING_PROVIDER"] == "openai"
    assert made["EMBEDDING_BASE_URL"] == ENDPOINTS["embeddings"]
    assert made["AWS_ENDPOINT_URL"] == ENDPOINTS["aws"]
    assert made["SESSION_SECRET"] == "made-here"
    assert StandIns.needed({}) == StandIns(redis=True, qdrant=True, embeddings=True, aws=True)


@pytest.mark.parametrize(
    ("own", "part"),
    [
        ({"QDRANT_URL": "https://q.example", "QDRANT_API_KEY": "k"}, "qdrant"),
        ({"UPSTASH_REDIS_REST_URL": "https://r.example", "UPSTASH_REDIS_REST_TOKEN": "t"}, "redis"),
        ({"EMBEDDING_PROVIDER": "none"}, "embeddings"),
        ({"EMBEDDING_PROVIDER": "openai", "EMBEDDING_BASE_URL": "https://e.example"}, "embeddings"),
        ({"AWS_ENDPOINT_URL": "https://s3.example", "AWS_ACCESS_KEY_ID": "mine"}, "aws"),
    ],
)
def test_a_part_that_the_caller_names_is_used_instead_of_its_stand_in(
    own: dict[str, str], part: str
) -> None:
    assert not getattr(StandIns.needed(own), part)
    made = variables(**own)
    assert own.items() <= made.items()


def test_the_callers_own_aws_account_is_never_used_with_the_stand_in() -> None:
    made = variables(AWS_ACCESS_KEY_ID="mine", AWS_SECRET_ACCESS_KEY="mine", AWS_PROFILE="shop")
    assert made["AWS_ACCESS_KEY_ID"] == "local"
    assert "AWS_PROFILE" not in made
    assert "mine" not in made.values()


def test_every_setting_of_the_caller_reaches_the_functions_and_other_variables_do_not() -> None:
    made = variables(MAX_TOOL_CALLS="3", STORE_CURRENCY="EUR", SESSION_SECRET="mine", HOME="/h")
    assert made["MAX_TOOL_CALLS"] == "3"
    assert made["STORE_CURRENCY"] == "EUR"
    assert made["SESSION_SECRET"] == "mine"
    assert "HOME" not in made


def test_an_empty_setting_is_an_absent_one() -> None:
    assert settings_of({"QDRANT_URL": "", "LOG_LEVEL": "DEBUG"}) == {"LOG_LEVEL": "DEBUG"}
    assert StandIns.needed(settings_of({"QDRANT_URL": ""})).qdrant


def test_a_providers_settings_reach_the_chat_function_and_no_other() -> None:
    made = variables(LLM_PROVIDER="groq", GROQ_API_KEY="gsk", LLM_FALLBACKS="xai", XAI_API_KEY="x")
    chat = variables_of("chat", made)
    assert (chat["LLM_PROVIDER"], chat["GROQ_API_KEY"], chat["XAI_API_KEY"]) == ("groq", "gsk", "x")
    for function in ("store", "ingest"):
        others = variables_of(function, made)
        assert not {"gsk", "x", "groq"} & set(others.values())
        assert others["UPSTASH_REDIS_REST_URL"] == chat["UPSTASH_REDIS_REST_URL"]
