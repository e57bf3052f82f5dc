"""Every setting, read once from a mapping; its defaults are the embedded stack. Nothing else reads the environment."""

import os
import re
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, NamedTuple, cast, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    model_validator,
)

from shopping_agent.domain.limits import parse_limits
from shopping_agent.domain.prices import parse_prices
from shopping_agent.errors import ConfigurationError


def _http_url(value: str) -> str:
    if value and not value.startswith(("http://", "https://")):
        raise ValueError("must be an http(s) address")
    return value.rstrip("/")


_SAFE_ADDRESS = re.compile(r"https://[^/]|http://(127\.0\.0\.1|localhost)(:\d+)?(/|$)")


def _key_set_url(value: str) -> str:
    # Whoever can alter these keys on the way signs in as anybody.
    if value and not _SAFE_ADDRESS.match(value):
        raise ValueError("must be an https address")
    return value


def _limits(value: str) -> str:
    parse_limits(value)
    return value


def _key(value: SecretStr) -> SecretStr:
    # A pasted line break would fail in every request's header, and there the key would be in the message.
    text = value.get_secret_value().strip()
    if not all("!" <= character <= "~" for character in text):
        raise ValueError("must be visible ASCII characters")
    return SecretStr(text)


Provider = Literal["offline", "gemini", "groq", "xai", "openai"]
NO_FALLBACK: Final = "none"
SHORTEST_TOKEN: Final = 24


def _long_enough(value: SecretStr) -> SecretStr:
    if 0 < len(value.get_secret_value()) < SHORTEST_TOKEN:
        raise ValueError(f"must have {SHORTEST_TOKEN} characters or more")
    return value


def _fallbacks(value: str) -> str:
    names = [name.strip() for name in value.split(",")]
    known = get_args(Provider)
    if unknown := [name for name in names if name not in (*known, NO_FALLBACK)]:
        raise ValueError(f"{', '.join(unknown)!r} is none of {', '.join(known)}, {NO_FALLBACK}")
    if repeated := {name for name in names if names.count(name) > 1}:
        raise ValueError(f"{', '.join(sorted(repeated))} is named twice")
    if NO_FALLBACK in names[1:] or names[0] == NO_FALLBACK != value.strip():
        raise ValueError(f"{NO_FALLBACK} stands alone")
    if "offline" in names[:-1]:
        raise ValueError("offline always answers: it comes last")
    return ",".join(names)


def _prices(value: str) -> str:
    if value:
        parse_prices(value)
    return value


Url = Annotated[str, AfterValidator(_http_url)]
Key = Annotated[SecretStr, AfterValidator(_key)]


class Endpoint(NamedTuple):
    """Where a provider of language models is, and which model is asked for there."""

    base_url: str
    api_key: str
    model: str


class Settings(BaseModel, frozen=True):
    """All settings; each field is the environment variable of the same name in upper case.

    An empty value is the same as an absent one.
    """

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)

    llm_provider: Provider = "offline"
    llm_fallbacks: Annotated[str, AfterValidator(_fallbacks)] = "offline"
    llm_temperature: float = Field(default=0.2, ge=0.0, le=2.0, allow_inf_nan=False)
    llm_max_tokens: int = Field(default=700, ge=16, le=65536)
    gemini_api_key: Key = SecretStr("")
    gemini_base_url: Url = "https://generativelanguage.googleapis.com"
    gemini_model: str = "gemini-3.8-flash"
    groq_api_key: Key = SecretStr("")
    groq_base_url: Url = "https://api.groq.com"
    groq_model: str = "openai/gpt-oss-120b"
    xai_api_key: Key = SecretStr("")
    xai_base_url: Url = "https://api.x.ai/v1"
    xai_model: str = "grok-4.3"
    openai_api_key: Key = SecretStr("")
    openai_base_url: Url = ""
    openai_model: str = ""
    circuit_breaker: Literal["on", "off"] = "on"
    fast_confirmation: bool = False
    max_turn_tokens: int = Field(default=60_000, ge=0, le=10_000_000)
    max_turn_spend: float = Field(default=0.0, ge=0.0, le=1000.0, allow_inf_nan=False)
    model_prices: Annotated[str, AfterValidator(_prices)] = ""
    record_turns: int = Field(default=0, ge=0, le=168)

    embedding_provider: Literal["local", "gemini", "openai", "none"] = "local"
    embedding_api_key: Key = SecretStr("")
    embedding_base_url: Url = ""
    embedding_model: str = "multilingual-e5-small"
    embedding_dimensions: int = Field(default=384, ge=1, le=8192)

    qdrant_url: Url = ""
    qdrant_api_key: SecretStr = SecretStr("")
    qdrant_path: str = ""
    qdrant_collection: str = Field(default="products", pattern=r"^[A-Za-z0-9_-]{1,128}$")

    upstash_redis_rest_url: Url = "http://127.0.0.1:8079"
    upstash_redis_rest_token: SecretStr = SecretStr("local")
    redis_prefix: str = Field(default="sa", pattern=r"^[A-Za-z0-9_-]{1,128}$")

    catalog_bucket: str = "catalog"
    aws_endpoint_url: Url = ""

    operator_token: Annotated[SecretStr, AfterValidator(_long_enough)] = SecretStr("")
    session_secret: SecretStr = SecretStr("")
    jwt_issuer: str = ""
    jwt_audience: str = ""
    jwt_jwks_url: Annotated[str, AfterValidator(_key_set_url)] = ""
    secrets_id: str = ""
    # Set by Lambda, and what AWS's Parameters and Secrets extension calls its own port.
    aws_session_token: SecretStr = SecretStr("")
    parameters_secrets_extension_http_port: int = Field(default=2773, ge=1, le=65535)

    store_pack: str = ""
    store_currency: str = Field(default="MAD", pattern=r"^[A-Z]{3}$")

    checkout_kind: Literal["shopify", "woocommerce", "signed"] = "signed"
    checkout_url: Url = ""
    checkout_webhook_secret: SecretStr = SecretStr("")

    cors_origins: str = "*"
    rate_limits: Annotated[str, AfterValidator(_limits)] = ""
    daily_spend_limit: float = Field(default=0.0, ge=0.0, le=1e6, allow_inf_nan=False)
    max_tool_calls: int = Field(default=10, ge=1, le=50)
    request_budget_seconds: float = Field(default=25.0, ge=1.0, le=29.0)
    max_delete_ratio: float = Field(default=0.5, ge=0.0, le=1.0)
    ingest_queue_url: Url = ""
    ingest_part_size: int = Field(default=1000, ge=1, le=100_000)
    ingest_max_receives: int = Field(default=5, ge=1, le=1000)
    assistant_enabled: bool = True
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    metrics_namespace: str = Field(default="ShoppingAgent", pattern=r"^[A-Za-z0-9._#-]{1,255}$")

    @model_validator(mode="after")
    def _users_are_named_whole(self) -> "Settings":
        named = (self.jwt_issuer, self.jwt_audience, self.jwt_jwks_url)
        if any(named) and not all(named):
            raise ValueError("JWT_ISSUER, JWT_AUDIENCE and JWT_JWKS_URL belong together")
        return self

    @property
    def model_chain(self) -> tuple[Provider, ...]:
        """Providers in the order they are asked: `LLM_PROVIDER`, then those of `LLM_FALLBACKS` that are left.

        What would come after `offline` is not in it: that one always answers.
        """
        if self.llm_provider == "offline" or self.llm_fallbacks == NO_FALLBACK:
            return (self.llm_provider,)
        named = cast(tuple[Provider, ...], tuple(self.llm_fallbacks.split(",")))
        return (self.llm_provider, *(name for name in named if name != self.llm_provider))

    def endpoint(self, provider: Provider) -> Endpoint:
        """Where a paid provider is.

        Raises:
            ConfigurationError: naming the variable that it cannot do without.
        """
        values = Endpoint(
            getattr(self, f"{provider}_base_url"),
            getattr(self, f"{provider}_api_key").get_secret_value(),
            getattr(self, f"{provider}_model"),
        )
        # A server of one's own asks for no key, but nobody else knows where it is and what it runs.
        needed = ("base_url", "model") if provider == "openai" else ("api_key",)
        missing = [f"{provider}_{n}".upper() for n in needed if not getattr(values, n)]
        if missing:
            named = "LLM_PROVIDER" if provider == self.llm_provider else "LLM_FALLBACKS"
            raise ConfigurationError(
                f"{named} names {provider}, which needs {' and '.join(missing)}"
            )
        return values

    def check_models(self) -> None:
        """Raises `ConfigurationError` when a provider of the chain could not be asked, the fallbacks included.

        Not a part of validation: a secret (`SECRETS_ID`) may bring the keys later.
        """
        for provider in self.model_chain:
            if provider != "offline":
                self.endpoint(provider)

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> "Settings":
        """Settings from variables such as `os.environ`.

        Raises:
            ConfigurationError: naming each wrong variable and what it accepts; never its value.
        """
        known = {
            name: values[name.upper()]
            for name in cls.model_fields
            if str(values.get(name.upper(), "")) != ""
        }
        try:
            return cls.model_validate(known)
        except ValidationError as error:
            wrong = "; ".join(
                ": ".join([*(str(part).upper() for part in e["loc"][:1]), e["msg"]])
                for e in error.errors(include_input=False)
            )
            raise ConfigurationError(f"wrong setting: {wrong}") from None

    @classmethod
    def from_environment(cls, otherwise: Mapping[str, str] | None = None) -> "Settings":
        """Settings of this process; `otherwise` fills the variables that are absent or empty."""
        present = {name: value for name, value in os.environ.items() if value != ""}
        return cls.from_mapping({**(otherwise or {}), **present})
