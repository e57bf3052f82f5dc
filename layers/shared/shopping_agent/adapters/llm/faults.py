"""Every way in which a provider fails, as one `LanguageModelError`: by status, then by codes, then by kinds of wording.

Nothing that a provider wrote gets into a message: it may repeat our key or the shopper's words.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from shopping_agent.adapters.llm import fault_words as words
from shopping_agent.adapters.llm.delays import header_delay, text_delay
from shopping_agent.adapters.llm.error_bodies import Problem, read_problem
from shopping_agent.adapters.llm.transport_faults import UNREADABLE, transport_fault
from shopping_agent.errors import LanguageModelError, LanguageModelFault, Remedy

__all__ = ["fault_of", "transport_fault"]

_Verdict = tuple[LanguageModelFault, Remedy | None]
_DISTANT_SECONDS: Final = 60.0
"""A daily limit that comes back sooner is a rolling one: as good as a limit per minute."""
_HINTS: Final = {
    "undeclared": "Call only the tools that are declared, by their exact names, or answer in plain words.",
    "arguments": "Your last tool call could not be read. Its arguments must be JSON that fits the tool's schema: "
    "right types, no null, no other field.",
    "reply": UNREADABLE,
}
_LEAST_ERROR: Final = 400
_LEAST_SERVER_ERROR: Final = 500
_ACCEPTED: Final = 202
_LEAST_REDIRECT: Final = 300
_FORBIDDEN: Final = 403
_TOO_MANY: Final = 429
_LATE: Final = 504


def fault_of(
    status: int, headers: Mapping[str, str], body: bytes | str, *, provider: str
) -> LanguageModelError:
    """The error that a reply means: one with an error status, or a 200 that holds an error or nothing usable.

    Args:
        status: of the reply; of an error frame inside a 200, what the frame says (or 200).
        provider: gemini, groq, xai or openai (any compatible server).
    """
    problem = read_problem(body)
    named = status if status >= _LEAST_ERROR else _status_in(problem, status)
    advised = problem.text
    problem = replace(problem, text=words.ADVICE.sub(" ", problem.text))
    delay = header_delay(headers)
    if delay is None:
        delay = problem.delay if problem.delay is not None else text_delay(advised)
    kind, remedy = _verdict(named, problem, provider, delay)
    if kind == "quota_exhausted" and delay is not None and delay < _DISTANT_SECONDS:
        delay = None  # what a provider says of its limits per minute is not true of the day's
    hint = _hint(problem) if kind == "malformed" else ""
    message = f"{provider} answered {status}: {kind}"
    return LanguageModelError(kind, message, retry_after=delay, remedy=remedy, hint=hint)


def _status_in(problem: Problem, status: int) -> int:
    """The status that a body names which came with another one; 0 for a reply that is no error and no answer."""
    if problem.number:
        return problem.number
    if problem.fails:
        coded = next((meant for signs, meant in _STATUSES if signs.in_codes(problem)), 0)
        coded = coded or _GRPC.get(problem.grpc, 0)
        return coded or next((meant for signs, meant in _STATUSES if signs.seen(problem)), 500)
    if status == _ACCEPTED:
        return 503
    return status if status >= _LEAST_REDIRECT else 0


_STATUSES: Final = (
    (words.BAD_CALL, 400),
    (words.AUTH, 401),
    (words.BILLING, 402),
    (words.MODEL_GONE, 404),
    (words.TOO_LARGE, 413),
    (words.REFUSED, 403),
    (words.RATE, 429),
    (words.LATE, 504),
    (words.DENIED, 403),
    (words.MISSING, 404),
    (words.DOWN, 503),
    (words.INVALID, 400),
)
_GRPC: Final = {3: 400, 4: 504, 5: 404, 7: 403, 8: 429, 9: 400, 13: 500, 14: 503, 16: 401}


def _verdict(status: int, problem: Problem, provider: str, delay: float | None) -> _Verdict:
    if status == 0:
        return "malformed", "again"
    if status < _LEAST_ERROR:
        return "bad_request", None  # a redirect: the base URL is wrong
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status == _TOO_MANY:
        return _limited(problem, provider, delay)
    if status == _FORBIDDEN:
        return _forbidden(problem, provider, delay)
    if status >= _LEAST_SERVER_ERROR:
        return _server_error(problem, status)
    return _client_error(problem, provider, delay)


def _server_error(problem: Problem, status: int) -> _Verdict:
    if words.TOO_LARGE.seen(problem):
        return "too_large", "smaller"
    if status == _LATE and words.LATE.in_codes(problem):
        return "timeout", None
    return "overloaded", "again"


def _limited(problem: Problem, provider: str, delay: float | None) -> _Verdict:
    """A 429: too much in one request, too much for today or for the money, or too much for now."""
    if _one_request_too_large(problem):
        return "too_large", "smaller"
    nothing = problem.nothing_allowed or words.NOTHING_ALLOWED.search(problem.text)
    if nothing or words.BILLING.seen(problem):
        return "quota_exhausted", None
    if provider != "gemini" and "exceeded your current quota" in problem.text:
        return "quota_exhausted", None
    if words.DAILY.search(problem.quotas):
        return "quota_exhausted", None
    if words.DAILY.search(problem.text) and (delay is None or delay > _DISTANT_SECONDS):
        return "quota_exhausted", None
    return "rate_limited", None


def _one_request_too_large(problem: Problem) -> bool:
    text = problem.text
    return words.TOO_LARGE.in_codes(problem) or "request too large" in text


def _forbidden(problem: Problem, provider: str, delay: float | None) -> _Verdict:
    if problem.html:
        return "overloaded", None  # a guard before the provider, which says nothing of our key
    if words.AUTH.in_codes(problem):
        return "auth", None
    if words.BILLING.seen(problem):
        return "quota_exhausted", None
    if words.RATE.in_codes(problem):
        return _limited(problem, provider, delay)
    if words.REFUSED.seen(problem):
        return "content_refused", None
    if words.MODEL_GONE.seen(problem):
        return "model_gone", None
    return "auth", None


def _client_error(problem: Problem, provider: str, delay: float | None) -> _Verdict:
    """A 400, a 422 or any other: the providers put most of what can go wrong under these."""
    if problem.html:
        return "overloaded", "again"
    if words.RATE.in_codes(problem):
        return _limited(problem, provider, delay)
    return _by_codes(problem) or _by_words(problem) or ("bad_request", None)


def _by_codes(problem: Problem) -> _Verdict | None:
    if problem.param == "model":
        return "model_gone", None
    return next((verdict for signs, verdict in _CLIENT_ERRORS if signs.in_codes(problem)), None)


def _by_words(problem: Problem) -> _Verdict | None:
    return next((verdict for signs, verdict in _CLIENT_ERRORS if signs.seen(problem)), None)


_CLIENT_ERRORS: Final[tuple[tuple[words.Signs, _Verdict], ...]] = (
    (words.BAD_CALL, ("malformed", "again")),
    (words.AUTH, ("auth", None)),
    (words.REFUSED, ("content_refused", None)),
    (words.BILLING, ("quota_exhausted", None)),
    (words.TOO_LARGE, ("too_large", "smaller")),
    (words.PLAIN, ("bad_request", "plain")),
    (words.MODEL_GONE, ("model_gone", None)),
)
_BY_STATUS: Final[Mapping[int, _Verdict]] = {
    401: ("auth", None),
    402: ("quota_exhausted", None),
    404: ("model_gone", None),
    407: ("auth", None),
    408: ("timeout", None),
    410: ("model_gone", None),
    413: ("too_large", "smaller"),
    451: ("content_refused", None),
    **dict.fromkeys((405, 406, 411, 414, 415, 426, 501, 505), ("bad_request", None)),
    **dict.fromkeys((409, 424, 425, 498, 499), ("overloaded", "again")),
}


def _hint(problem: Problem) -> str:
    """What to tell the model, in our own words."""
    if words.UNDECLARED.search(problem.text):
        return _HINTS["undeclared"]
    return _HINTS["arguments" if words.BAD_CALL.seen(problem) else "reply"]
