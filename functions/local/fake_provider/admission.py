"""Whether a provider takes a request at all: the key, the model, the contract of its wire."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from functions.local.fake_provider import gemini_rules, openai_rules
from functions.local.fake_provider.refusals import RefusedError
from functions.local.fake_provider.script import Dialect

_RETIRED: Final = re.compile(
    r"gone-|gemini-1|gemini-2\.0|llama-3\.3-70b-versatile|grok-(?:3$|4-fast|4-0709|4-1-fast)"
)


def admitted(
    dialect: Dialect, model: str, body: Mapping[str, Any], issued: Callable[[str], bool]
) -> None:
    """The model is served, and the request is as the wire wants it.

    Args:
        issued: whether this provider gave out that id or signature.

    Raises:
        RefusedError: as the provider says it.
    """
    if _RETIRED.match(model):
        raise RefusedError(
            f"The model {model} does not exist or you do not have access to it.",
            status=404,
            code="model_not_found",
        )
    if dialect == "gemini":
        gemini_rules.check(model, body, issued)
    else:
        openai_rules.check(dialect, body)


def authorised(dialect: Dialect, headers: Mapping[str, str]) -> None:
    """A key is there, and is none that begins with `bad`; a server of one's own may ask for none.

    Raises:
        RefusedError: as the provider says it.
    """
    bearer = headers.get("authorization", "").removeprefix("Bearer").strip()
    key = headers.get("x-goog-api-key", "") if dialect == "gemini" else bearer
    if key.startswith("bad") or not (key or dialect == "openai"):
        status = 400 if dialect in ("gemini", "xai") else 401
        words = (
            "API key not valid." if dialect == "gemini" else f"Incorrect API key provided: {key}"
        )
        raise RefusedError(words, status=status, code="invalid_api_key", reason="API_KEY_INVALID")
