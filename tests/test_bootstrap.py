"""The composition root."""

import pytest
from shopping_agent import bootstrap
from shopping_agent.adapters.llm.offline import OfflineModel
from shopping_agent.errors import ConfigurationError
from shopping_agent.settings import Settings

GROQ = {"LLM_PROVIDER": "groq", "GROQ_API_KEY": "gsk"}
OLLAMA = {
    "LLM_PROVIDER": "openai",
    "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
    "OPENAI_MODEL": "qwen3:8b",
}


def test_texts_are_in_the_currency_of_the_cart() -> None:
    settings = Settings.from_mapping({"STORE_CURRENCY": "TND"})
    assert bootstrap.store_pack(settings).currency == "TND"
    assert bootstrap.store_pack(Settings()).currency == Settings().store_currency


def test_the_offline_model_alone_stands_behind_no_chain() -> None:
    assert isinstance(bootstrap.language_model(Settings()), OfflineModel)


def test_a_provider_without_its_key_is_refused_when_the_model_is_wired() -> None:
    with pytest.raises(ConfigurationError, match="XAI_API_KEY"):
        bootstrap.language_model(Settings.from_mapping({**GROQ, "LLM_FALLBACKS": "xai,offline"}))


@pytest.mark.parametrize("limit", ["DAILY_SPEND_LIMIT", "MAX_TURN_SPEND"])
def test_money_is_limited_only_where_the_price_is_known(limit: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        bootstrap.language_model(Settings.from_mapping({**OLLAMA, limit: "2.5"}))
    message = str(caught.value)
    assert message.startswith(f"{limit} needs the price of qwen3:8b (openai)")
    assert "MODEL_PRICES=" in message
    prices = {"MODEL_PRICES": '{"qwen3:8b": {"input": 0, "output": 0}}'}
    bootstrap.language_model(Settings.from_mapping({**OLLAMA, **prices, limit: "2.5"}))
    bootstrap.language_model(Settings.from_mapping({**GROQ, limit: "2.5"}))
    bootstrap.language_model(Settings.from_mapping(OLLAMA))


def test_the_price_of_a_fallback_must_be_known_too() -> None:
    fallback = {**OLLAMA, **GROQ, "LLM_FALLBACKS": "openai,offline", "DAILY_SPEND_LIMIT": "1"}
    with pytest.raises(ConfigurationError, match="qwen3:8b"):
        bootstrap.language_model(Settings.from_mapping(fallback))


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ({}, "EMBEDDING_API_KEY"),
        ({"EMBEDDING_API_KEY": "k"}, "EMBEDDING_MODEL"),
    ],
)
def test_geminis_embeddings_name_what_they_lack(given: dict[str, str], missing: str) -> None:
    settings = Settings.from_mapping({"EMBEDDING_PROVIDER": "gemini", **given})
    with pytest.raises(ConfigurationError, match=missing):
        bootstrap.embedder(settings)


def test_geminis_embeddings_are_built_from_the_embedding_settings() -> None:
    settings = Settings.from_mapping(
        {
            "EMBEDDING_PROVIDER": "gemini",
            "EMBEDDING_API_KEY": "k",
            "EMBEDDING_MODEL": "gemini-embedding-001",
            "EMBEDDING_DIMENSIONS": "768",
        }
    )
    model = bootstrap.embedder(settings)
    assert model is not None
    assert (model.model, model.dimensions) == ("gemini-embedding-001", 768)
