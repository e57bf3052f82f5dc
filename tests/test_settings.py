"""Settings of language models: what is refused when a process starts, and how that is said."""

import pytest
from shopping_agent.errors import ConfigurationError
from shopping_agent.settings import Settings


def chain(**values: str) -> tuple[str, ...]:
    return Settings.from_mapping(values).model_chain


def refusal(**values: str) -> str:
    with pytest.raises(ConfigurationError) as caught:
        Settings.from_mapping(values).check_models()
    return str(caught.value)


def test_a_provider_is_followed_by_its_fallbacks_in_the_order_they_are_named() -> None:
    assert chain() == ("offline",)
    assert chain(LLM_PROVIDER="groq") == ("groq", "offline")
    assert chain(LLM_PROVIDER="groq", LLM_FALLBACKS="xai, gemini") == ("groq", "xai", "gemini")
    assert chain(LLM_PROVIDER="groq", LLM_FALLBACKS="none") == ("groq",)


def test_a_fallback_that_is_the_provider_itself_is_dropped() -> None:
    assert chain(LLM_PROVIDER="groq", LLM_FALLBACKS="groq,offline") == ("groq", "offline")


def test_nothing_comes_after_the_offline_model() -> None:
    assert chain(LLM_PROVIDER="offline", LLM_FALLBACKS="gemini") == ("offline",)
    assert "offline always answers" in refusal(LLM_FALLBACKS="offline,gemini")


@pytest.mark.parametrize(
    ("fallbacks", "named"),
    [
        ("gemini,claude", "'claude'"),
        ("xai,gemini,xai", "xai is named twice"),
        ("none,offline", "none stands alone"),
        ("gemini,none", "none stands alone"),
        ("gemini,,offline", "''"),
    ],
)
def test_a_list_of_fallbacks_that_cannot_be_is_refused_by_name(fallbacks: str, named: str) -> None:
    message = refusal(LLM_PROVIDER="groq", GROQ_API_KEY="k", LLM_FALLBACKS=fallbacks)
    assert message.startswith("wrong setting: LLM_FALLBACKS: ")
    assert named in message


@pytest.mark.parametrize("provider", ["gemini", "groq", "xai"])
def test_a_provider_without_its_key_is_refused_by_the_name_of_the_variable(provider: str) -> None:
    message = refusal(LLM_PROVIDER=provider)
    assert message == f"LLM_PROVIDER names {provider}, which needs {provider.upper()}_API_KEY"


def test_a_fallback_without_its_key_is_refused_too() -> None:
    message = refusal(LLM_PROVIDER="groq", GROQ_API_KEY="k", LLM_FALLBACKS="xai,offline")
    assert message == "LLM_FALLBACKS names xai, which needs XAI_API_KEY"


def test_a_server_of_ones_own_needs_an_address_and_a_model_but_no_key() -> None:
    assert refusal(LLM_PROVIDER="openai") == (
        "LLM_PROVIDER names openai, which needs OPENAI_BASE_URL and OPENAI_MODEL"
    )
    named = {"OPENAI_BASE_URL": "http://127.0.0.1:11434/v1/", "OPENAI_MODEL": "qwen3:8b"}
    settings = Settings.from_mapping({"LLM_PROVIDER": "openai", **named})
    settings.check_models()
    assert settings.endpoint("openai") == ("http://127.0.0.1:11434/v1", "", "qwen3:8b")


def test_providers_that_are_not_named_need_nothing() -> None:
    Settings.from_mapping({"LLM_FALLBACKS": "gemini,xai,openai"}).check_models()


def test_a_key_loses_the_line_break_it_was_pasted_with_and_is_never_shown() -> None:
    settings = Settings.from_mapping({"LLM_PROVIDER": "groq", "GROQ_API_KEY": " gsk-secret\n"})
    assert settings.endpoint("groq").api_key == "gsk-secret"
    assert "gsk-secret" not in repr(settings)
    message = refusal(LLM_PROVIDER="groq", GROQ_API_KEY="gsk-\u00e9secret")
    assert message.startswith("wrong setting: GROQ_API_KEY: ")
    assert "secret" not in message.partition("GROQ_API_KEY")[2]


@pytest.mark.parametrize(
    ("prices", "named"),
    [
        ("{", "JSON object"),
        ("[]", "JSON object"),
        ('{"m": 3}', "'m'"),
        ('{"m": {"input": 1}}', "'m'"),
        ('{"m": {"input": 1, "output": "2"}}', "'m'"),
        ('{"m": {"input": 1, "output": -2}}', "'m'"),
        ('{"m": {"input": 1, "output": 2, "cache": 3}}', "'m'"),
    ],
)
def test_prices_that_cannot_be_read_are_refused_with_the_models_name(
    prices: str, named: str
) -> None:
    message = refusal(MODEL_PRICES=prices)
    assert message.startswith("wrong setting: MODEL_PRICES: ")
    assert named in message


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LLM_PROVIDER", "claude"),
        ("LLM_TEMPERATURE", "2.5"),
        ("LLM_TEMPERATURE", "nan"),
        ("LLM_MAX_TOKENS", "0"),
        ("CIRCUIT_BREAKER", "maybe"),
        ("MAX_TURN_TOKENS", "-1"),
        ("MAX_TURN_SPEND", "inf"),
        ("RECORD_TURNS", "169"),
        ("GROQ_BASE_URL", "api.groq.com"),
    ],
)
def test_a_value_out_of_range_is_refused_by_its_name(name: str, value: str) -> None:
    assert refusal(**{name: value}).startswith(f"wrong setting: {name}: ")


def test_a_key_may_come_later_from_a_secret() -> None:
    named = {"LLM_PROVIDER": "groq", "SECRETS_ID": "shop"}
    Settings.from_mapping(named)
    Settings.from_mapping({**named, "GROQ_API_KEY": "gsk"}).check_models()
