"""The service from outside: does it answer, is the assistant there, may pages call it, do the clocks agree."""

import time
from collections.abc import Iterator, Mapping
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any, cast
from urllib.parse import urlsplit

import httpx
from shopping_agent import __version__
from shopping_agent.adapters.transport import deadline_client
from shopping_agent.domain.deadline import Deadline

from functions.local.doctor.findings import Check, NotCheckedError, Status
from functions.local.doctor.subject import Subject

HEALTH = "/api/v1/health"
CHAT = "/api/v1/ai/cart"
STRANGER = "https://no-shop-of-ours.invalid"
METHODS = {"DELETE", "GET", "PATCH", "POST"}
HEADERS = {"authorization", "content-type", "idempotency-key"}
SLOW_MS = 2000
SKEW_WARN, SKEW_FAIL = 5.0, 60.0
"""Seconds. Signed requests and tokens bear a minute."""

_DOWN = "is the address right, and deployed? its log: aws logs tail <StoreFunction's log group>"
_CLOCK = "set the clock by NTP (chronyc tracking); tokens and signed requests depend on it"


def checks(subject: Subject) -> list[Check]:
    return [
        Check("api", lambda: _api(subject), _DOWN),
        Check("assistant", lambda: _assistant(subject), "the log of ChatFunction says why"),
        Check("cors", lambda: _cors(subject), "CORS_ORIGINS (CorsOrigins of the template)"),
        Check("clock", lambda: _clock(subject), _CLOCK),
    ]


def _ask(subject: Subject, method: str, path: str, **options: Any) -> httpx.Response:
    """One request.

    Raises:
        httpx.HTTPError, httpx.InvalidURL: no answer.
    """
    url = subject.address()
    with deadline_client(timeout=subject.seconds) as client:
        return client.request(method, url + path, **options)


def _api(subject: Subject) -> Iterator[tuple[Status, str, str]]:
    started = time.perf_counter()
    try:
        reply = _ask(subject, "GET", HEALTH)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        # The host alone: an address may hold a password.
        where = urlsplit(subject.base_url).hostname
        yield "fail", f"{where} does not answer: {type(error).__name__}", _DOWN
        return
    if reply.is_redirect:
        to = reply.headers.get("location", "nowhere")
        yield "fail", f"it redirects to {to}", "--base-url has to be the API's own address"
        return
    ms = (time.perf_counter() - started) * 1000
    health = _object(reply)
    told = health.get("dependencies")
    if reply.status_code != HTTPStatus.OK or not isinstance(told, Mapping):
        said = f"{HEALTH} answers {reply.status_code}, and not as our service does"
        yield "fail", said, "is it this service's address, without a path?"
        return
    yield from _health(health, cast("Mapping[str, Any]", told), ms)


def _health(
    health: Mapping[str, Any], told: Mapping[str, Any], ms: float
) -> Iterator[tuple[Status, str, str]]:
    down = [
        name
        for name, answer in told.items()
        if not (isinstance(answer, Mapping) and answer.get("ready"))  # pyright: ignore[reportUnknownMemberType]
    ]
    status = health.get("status")
    if down or status != "ok":
        level: Status = "warn" if status == "degraded" else "fail"
        said = f"the service says {status}: {', '.join(down) or 'no dependency named'} not ready"
        yield (
            level,
            said,
            "the checks below say what is the matter now (it remembers an answer for seconds)",
        )
    else:
        yield "ok", f"answers in {ms:.0f} ms, {', '.join(told)} ready", ""
    if ms > SLOW_MS:
        said = f"took {ms:.0f} ms"
        yield "warn", said, "a cold start takes a while: ask again; else the function's memory"
    if (version := str(health.get("version", ""))[:40]) != __version__:
        said = f"runs version {version or 'unknown'}, this is the doctor of {__version__}"
        yield "warn", said, "use the command line of the version that is deployed"


def _assistant(subject: Subject) -> Iterator[tuple[Status, str, str]]:
    """A message that is refused before any model is asked: who refuses it is the chat function, up and configured."""
    try:
        reply = _ask(subject, "POST", CHAT, json={"message": ""})
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        yield "fail", f"no answer: {type(error).__name__}", "the log of ChatFunction says why"
        return
    code = str(_object(reply).get("code", ""))[:60]
    if code == "assistant_off":
        yield "warn", "it is switched off", "ASSISTANT_ENABLED=true switches it on"
    elif reply.status_code == HTTPStatus.TOO_MANY_REQUESTS and code:
        yield "ok", "takes messages (a limit is reached for this address)", ""
    elif reply.status_code == HTTPStatus.UNPROCESSABLE_ENTITY and code:
        yield "ok", "takes messages", ""
    else:
        said = f"an empty message is answered {reply.status_code} {code}, not refused with 422"
        yield "fail", said.replace("  ", " "), "the log of ChatFunction says why"


def _cors(subject: Subject) -> Iterator[tuple[Status, str, str]]:
    subject.address()
    setting = "" if subject.wrong else subject.given.get("CORS_ORIGINS", "")
    if not setting and (subject.local or "SESSION_SECRET" in subject.given):
        setting = subject.settings.cors_origins
    origins = [o.strip() for o in (subject.origin or setting).split(",") if o.strip()]
    if not origins:
        raise NotCheckedError("CORS_ORIGINS, or a page's origin: --origin https://shop.example")
    anyone = "*" in origins
    for origin in [STRANGER] if anyone else origins:
        yield from _preflight(subject, origin)
    if anyone:
        level: Status = "ok" if subject.local else "warn"
        fix = "" if subject.local else "CORS_ORIGINS=https://your-shop.example"
        yield level, "pages of every origin may call", fix
    elif setting != "*" and _allowed(subject, STRANGER):
        yield "warn", "a stranger's page is allowed too", "CorsOrigins names the shop's own pages"


def _preflight(subject: Subject, origin: str) -> Iterator[tuple[Status, str, str]]:
    fix = "CorsOrigins of the template: scheme and host as the browser sends them, no path"
    allowed = _allowed(subject, origin)
    if allowed is None:
        yield "fail", f"{origin} is not allowed: its pages cannot call the API", fix
        return
    lacking = sorted((METHODS - allowed[0]) | (HEADERS - allowed[1]))
    if lacking:
        yield "fail", f"{origin} may not use {', '.join(lacking)}", "HttpApi's CorsConfiguration"
    elif origin != STRANGER:
        yield "ok", f"{origin} may call", ""


def _allowed(subject: Subject, origin: str) -> tuple[set[str], set[str]] | None:
    """Methods and headers that an origin may use; None when it may not call."""
    asks = {
        "origin": origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": ",".join(sorted(HEADERS)),
    }
    try:
        reply = _ask(subject, "OPTIONS", CHAT, headers=asks)
    except (httpx.HTTPError, httpx.InvalidURL):
        return None
    if reply.headers.get("access-control-allow-origin") not in ("*", origin):
        return None
    methods, headers = (
        {part.strip() for part in reply.headers.get(f"access-control-allow-{what}", "").split(",")}
        for what in ("methods", "headers")
    )
    everything = METHODS if "*" in methods else {method.upper() for method in methods}
    return everything, {header.lower() for header in headers}


def _clock(subject: Subject) -> Iterator[tuple[Status, str, str]]:
    try:
        reply = _ask(subject, "GET", HEALTH)
        theirs = parsedate_to_datetime(reply.headers["date"]).timestamp()
    except (httpx.HTTPError, httpx.InvalidURL, KeyError, ValueError, TypeError):
        raise NotCheckedError("an API that answers with a Date") from None
    yield skew(theirs - time.time(), "the API's", coarse=1.0)


def skew(seconds: float, whose: str, *, coarse: float = 0.0) -> tuple[Status, str, str]:
    """A finding on how far a clock is ahead of this machine's; `coarse` is how exact it is told."""
    off = max(0.0, abs(seconds) - coarse)
    said = f"{whose} clock is {abs(seconds):.0f} s {'ahead of' if seconds > 0 else 'behind'} this machine's"
    if off > SKEW_FAIL:
        return "fail", said, _CLOCK
    if off > SKEW_WARN:
        return "warn", said, _CLOCK
    return "ok", f"{whose} clock agrees with this machine's", ""


def _object(reply: httpx.Response) -> Mapping[str, Any]:
    try:
        body: Any = reply.json()
    except (ValueError, RecursionError):
        return {}
    return cast("Mapping[str, Any]", body) if isinstance(body, dict) else {}


def soon(subject: Subject) -> Deadline:
    """The end of a check: a little before it would be told as one that hangs."""
    return Deadline.after(subject.seconds * 0.9)
