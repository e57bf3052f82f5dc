"""Settings and store pack: accepted, whole, and nothing in them that surprises in production."""

from collections.abc import Iterator, Sequence

from shopping_agent import bootstrap
from shopping_agent.adapters.catalog.store_pack import load_store_pack
from shopping_agent.adapters.rules import load_expert
from shopping_agent.errors import ConfigurationError, ShoppingAgentError
from shopping_agent.settings import Settings

from functions.local.doctor.findings import Check, NotCheckedError, Status
from functions.local.doctor.subject import Subject

NAMED_IN_README = "the README's table of settings says what each accepts"
LEAST_SECRET = 32
ODD: Sequence[tuple[str, object, str, str]] = (
    (
        "assistant_enabled",
        False,
        "chat answers 503 assistant_off",
        "ASSISTANT_ENABLED=true switches it on",
    ),
    (
        "rate_limits",
        "off",
        "nobody is limited",
        "RATE_LIMITS empty brings the default limits back",
    ),
    (
        "circuit_breaker",
        "off",
        "a provider that is down is asked every time",
        "CIRCUIT_BREAKER=on, off is for tests",
    ),
)
"""Settings that are meant for a while: value, what it brings, what ends it."""


def checks(subject: Subject) -> list[Check]:
    return [
        Check("settings", lambda: _settings(subject), NAMED_IN_README),
        Check("store pack", lambda: _store_pack(subject), "shopping-agent rules check FOLDER"),
    ]


def _settings(subject: Subject) -> Iterator[tuple[Status, str, str]]:
    if subject.wrong:
        yield "fail", subject.wrong, NAMED_IN_README
        return
    if not subject.given:
        raise NotCheckedError("the deployment's settings, in the environment or by --settings FILE")
    if subject.unknown:
        yield "warn", f"no settings of ours: {', '.join(subject.unknown)}", NAMED_IN_README
    settings = subject.settings
    missing = [fault for build in BUILDS if (fault := _fault(build, settings))]
    if missing and settings.secrets_id and not _has_secrets(subject):
        yield "not checked", "keys: needs the secret's values, by --settings secret.json", ""
    else:
        for fault in missing:
            yield "fail", fault, "put it into the secret or the stack"
    yield from _short(settings)
    if settings.embedding_provider == "local" and not subject.local:
        fix = "EMBEDDING_PROVIDER=none, or openai or gemini with its server"
        yield "fail", "EMBEDDING_PROVIDER=local is not in what is deployed", fix
    yield "ok", f"{len(subject.given)} settings are accepted", ""
    yield from _odd(subject)


def _short(settings: Settings) -> Iterator[tuple[Status, str, str]]:
    """Secrets of ours that could be guessed: each of those that verify."""
    for name in ("session_secret", "checkout_webhook_secret"):
        parts = getattr(settings, name).get_secret_value().split(",")
        if any(0 < len(part.strip().rpartition(":")[2]) < LEAST_SECRET for part in parts):
            said = f"{name.upper()} is shorter than {LEAST_SECRET} characters"
            yield "fail", said, "openssl rand -base64 36; with the former one beside it to rotate"


def _odd(subject: Subject) -> Iterator[tuple[Status, str, str]]:
    settings = subject.settings
    for name, value, brings, ends in ODD:
        if getattr(settings, name) == value:
            yield "warn", f"{name.upper()}: {brings}", ends
    if settings.record_turns:
        said = f"RECORD_TURNS: what is said in turns is kept for {settings.record_turns} hours"
        yield "warn", said, "RECORD_TURNS=0 when nobody needs it; the privacy notice has to say it"
    paid = any(name != "offline" for name in settings.model_chain)
    if paid and not settings.daily_spend_limit and not subject.local:
        yield "warn", "DAILY_SPEND_LIMIT: a paid model without one", "DAILY_SPEND_LIMIT=dollars"


def _guests(settings: Settings) -> object:
    return bootstrap.identities(settings)


def _checkout(settings: Settings) -> object:
    return bootstrap.checkout(settings) if settings.checkout_url else None


def _embedder(settings: Settings) -> object:
    return None if settings.embedding_provider == "local" else bootstrap.embedder(settings)


BUILDS = (bootstrap.check_models, _guests, _checkout, _embedder)
"""What refuses settings when the first request needs it."""


def _fault(build: object, settings: Settings) -> str:
    try:
        build(settings)  # pyright: ignore[reportCallIssue]
    except ConfigurationError as error:
        return str(error)
    return ""


def _has_secrets(subject: Subject) -> bool:
    """Whether the secret's values are among what is given: the one that no deployment can do without is."""
    return bool(subject.given.get("SESSION_SECRET"))


def _store_pack(subject: Subject) -> Iterator[tuple[Status, str, str]]:
    settings = subject.needs()
    if not subject.given:
        raise NotCheckedError("the deployment's settings, in the environment or by --settings FILE")
    if settings.store_pack.startswith("s3://") and not subject.local:
        _needs_credentials()
    try:
        pack = load_store_pack(settings.store_pack, endpoint_url=settings.aws_endpoint_url)
        load_expert(settings.store_pack, pack.vocabulary)
    except ShoppingAgentError as error:
        yield "fail", str(error), "shopping-agent rules check FOLDER tells every mistake of rules"
        return
    yield "ok", f"{pack.name}, prices in {settings.store_currency}", ""
    if settings.store_currency != pack.currency:
        said = (
            f"the pack is made for {pack.currency}, the store counts in {settings.store_currency}"
        )
        yield "warn", said, "STORE_CURRENCY, or currency in the pack's store.json"


def _needs_credentials() -> None:
    import boto3

    if boto3.Session().get_credentials() is None:
        raise NotCheckedError("AWS credentials for the pack's bucket")
