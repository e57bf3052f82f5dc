"""Every setting, read once from a mapping; its defaults are the embedded stack. Nothing else reads the environment."""

import os
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

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


Url = Annotated[str, AfterValidator(_http_url)]


class Settings(BaseModel, frozen=True):
    """All settings; each field is the environment variable of the same name in upper case.

    An empty value is the same as an absent one.
    """

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)

    llm_provider: Literal["offline"] = "offline"

    embedding_provider: Literal["local", "openai", "none"] = "local"
    embedding_api_key: SecretStr = SecretStr("")
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
    assistant_enabled: bool = True
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"

    @model_validator(mode="after")
    def _users_are_named_whole(self) -> "Settings":
        named = (self.jwt_issuer, self.jwt_audience, self.jwt_jwks_url)
        if any(named) and not all(named):
            raise ValueError("JWT_ISSUER, JWT_AUDIENCE and JWT_JWKS_URL belong together")
        return self

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
