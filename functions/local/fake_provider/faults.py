"""Faults by name, in the words of each provider: what a segment of the base URL, or the fault matrix, asks for."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from functions.local.fake_provider.refusals import error_body
from functions.local.fake_provider.script import Answer, Call, Dialect, Move, Scripted

_HTML: Final = (
    "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>"
)
_RETRY_INFO: Final = "type.googleapis.com/google.rpc.RetryInfo"
_QUOTA_FAILURE: Final = "type.googleapis.com/google.rpc.QuotaFailure"
SLOW_SECONDS: Final = 15.0


class Asked(NamedTuple):
    """Whom a fault happens to."""

    dialect: Dialect
    model: str


Fault = Callable[[Asked], Scripted]


def _error(
    status: int, message: str, *, code: str | None = None, reason: str = "", **headers: str
) -> Fault:
    def fault(asked: Asked) -> Answer:
        body = error_body(asked.dialect, status, message, code=code, reason=reason)
        return Answer(status, body, {k.replace("_", "-"): v for k, v in headers.items()})

    return fault


def rate_limited(seconds: float | None) -> Fault:
    """429; with the delay where the provider tells it: in the body at Gemini, as a header elsewhere."""

    def fault(asked: Asked) -> Answer:
        details: list[dict[str, Any]] = []
        headers: dict[str, str] = {}
        if seconds is not None and asked.dialect == "gemini":
            details = [{"@type": _RETRY_INFO, "retryDelay": f"{seconds:g}s"}]
        elif seconds is not None:
            headers = {"retry-after": f"{seconds:g}"}
        words = "Rate limit reached for requests per minute."
        code = "rate_limit_exceeded"
        return Answer(
            429, error_body(asked.dialect, 429, words, code=code, details=details), headers
        )

    return fault


def _quota(asked: Asked) -> Answer:
    quota = "GenerateRequestsPerDayPerProjectPerModel-FreeTier"
    details = [
        {"@type": _QUOTA_FAILURE, "violations": [{"quotaId": quota, "quotaValue": "250"}]},
        {"@type": _RETRY_INFO, "retryDelay": "31s"},
    ]
    body = error_body(
        asked.dialect,
        429,
        "You exceeded your current quota: requests per day (RPD). Check your plan and billing.",
        code="insufficient_quota" if asked.dialect == "openai" else "rate_limit_exceeded",
        details=details,
    )
    return Answer(429, body, {} if asked.dialect == "gemini" else {"retry-after": "5400"})


def _auth(asked: Asked) -> Answer:
    status = 400 if asked.dialect in ("gemini", "xai") else 401
    words = {
        "gemini": "API key not valid. Please pass a valid API key.",
        "xai": "Incorrect API key provided: xa***ey. You can obtain an API key from the console.",
    }.get(asked.dialect, "Invalid API Key")
    body = error_body(
        asked.dialect, status, words, code="invalid_api_key", reason="API_KEY_INVALID"
    )
    return Answer(status, body)


def _too_large(asked: Asked) -> Answer:
    if asked.dialect == "gemini":
        words = "The input token count (1200345) exceeds the maximum number of tokens allowed (1048576)."
        return Answer(400, error_body("gemini", 400, words))
    if asked.dialect == "openai":
        words = "This model's maximum context length is 8192 tokens. However, your messages resulted in 9120 tokens."
        return Answer(400, error_body("openai", 400, words, code="context_length_exceeded"))
    words = "Request too large for model on tokens per minute (TPM): Limit 8000, Requested 9310."
    return Answer(413, error_body(asked.dialect, 413, words, code="rate_limit_exceeded"))


def _tool_use_failed(generation: str) -> Fault:
    def fault(asked: Asked) -> Scripted:
        if asked.dialect != "groq":
            return Move(calls=[Call("search_products", generation[:20])])
        words = "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details."
        body = error_body("groq", 400, words, code="tool_use_failed")
        body["error"]["failed_generation"] = generation
        return Answer(400, body)

    return fault


def _empty_choices(asked: Asked) -> Answer:
    if asked.dialect == "gemini":
        return Answer(body={"usageMetadata": {"promptTokenCount": 300, "totalTokenCount": 300}})
    return Answer(
        body={"id": "x", "object": "chat.completion", "model": asked.model, "choices": []}
    )


def _blocked(asked: Asked) -> Scripted:
    words = "Content violates usage guidelines."
    if asked.dialect == "gemini":
        return Move(finish="SAFETY")
    if asked.dialect == "xai":
        return Answer(403, error_body("xai", 403, words))
    return Move(finish="content_filter")


def _blocked_prompt(asked: Asked) -> Scripted:
    if asked.dialect != "gemini":
        return _blocked(asked)
    feedback = {"blockReason": "PROHIBITED_CONTENT"}
    return Answer(body={"promptFeedback": feedback, "usageMetadata": {"promptTokenCount": 300}})


def _max_tokens(asked: Asked) -> Move:
    return Move(finish="MAX_TOKENS" if asked.dialect == "gemini" else "length")


def _malformed(asked: Asked) -> Move:
    if asked.dialect == "gemini":
        return Move(finish="MALFORMED_FUNCTION_CALL")
    return Move(calls=[Call("", '""')])


def _behaves(behaviour: Any, **options: Any) -> Fault:
    return lambda _: Answer(behaviour=behaviour, **options)


_WRONG: Final = {"query": "fresh", "maxPrice": "eight hundred", "limit": "many"}
FAULTS: Final[dict[str, Fault]] = {
    "http429": rate_limited(None),
    "http500": _error(500, "An internal error has occurred. Please retry."),
    "http503": _error(503, "The model is overloaded. Please try again later."),
    "html502": lambda _: Answer(502, _HTML, {"content-type": "text/html"}),
    "quota": _quota,
    "auth": _auth,
    "model_gone": _error(404, "The model does not exist or is retired.", code="model_not_found"),
    "too_large": _too_large,
    "bad_request": _error(400, "Invalid value at 'tools' (schema)."),
    "reset": _behaves("reset"),
    "close": _behaves("close"),
    "stale": _behaves("stale"),
    "hang": _behaves("hang"),
    "slow": _behaves("whole", delay=SLOW_SECONDS),
    "drip": _behaves("drip"),
    "cut": _behaves("cut"),
    "invalid_json": lambda _: Answer(
        body=b'{"choices": [{"message": {"content": "I add', headers={}
    ),
    "empty_choices": _empty_choices,
    "empty_text": lambda _: Move(),
    "blocked": _blocked,
    "blocked_prompt": _blocked_prompt,
    "max_tokens": _max_tokens,
    "malformed": _malformed,
    "bad_json": lambda _: Move(calls=[Call("add_to_cart", '{"productId": "neroli')]),
    "unknown_tool": lambda _: Move(calls=[Call("order_now", {"sku": "1"})]),
    "wrong_type": lambda _: Move(calls=[Call("search_products", _WRONG)]),
    "tool_use_failed": _tool_use_failed('<function=search_products{"query": "fresh"</function>'),
    "tool_use_failed_json": _tool_use_failed(
        '{"name": "search_products", "arguments": {"query": "fresh", "maxPrice": "800 MAD"}}'
    ),
    "loop": lambda _: Move(calls=[Call("search_products", {"query": "fresh"})]),
    "markup": lambda _: Move('<function=get_stock>{"id": "x", "n": </function>'),
    "boast": lambda _: Move("Done! I added Nuit Imaginaire (123 MAD) to your cart."),
    "ok": _behaves("whole"),
}
# These would never end if they came each time.
ONCE: Final = frozenset({"bad_json", "unknown_tool", "wrong_type", "malformed", "max_tokens"})
_SWITCH: Final = re.compile(
    r"([a-z]+(?:_[a-z]+)*(?:\d{3})?)(?:ra(\d+))?(?:x(\d+))?(?:@(\d+))?(?:~(\d+))?"
)


@dataclass(frozen=True)
class Switch:
    """A fault that a segment of the base URL asks for: NAME, http429raSECONDS, NAMExTIMES, NAME@CALL, NAME~DELAY_MS.

    Attributes:
        times: the first calls only; None for all.
        at: that call only.
    """

    name: str
    fault: Fault
    times: int | None = None
    at: int | None = None
    delay: float = 0.0

    def meets(self, number: int) -> bool:
        """Whether call number `number` (from 1) has the fault."""
        if self.at is not None:
            return number == self.at
        return self.times is None or number <= self.times


def switch_of(segment: str) -> Switch | None:
    """The fault that a segment names, or None when it names none."""
    found = _SWITCH.fullmatch(segment)
    if found is None or found[1] not in FAULTS:
        return None
    name, wait, times, at, delay = found.groups()
    if wait and name != "http429":
        return None
    once = 1 if name in ONCE or name.startswith("tool_use_failed") else None
    return Switch(
        name,
        rate_limited(float(wait)) if wait else FAULTS[name],
        int(times) if times else once,
        int(at) if at else None,
        int(delay) / 1000 if delay else 0.0,
    )
