"""Embeddings and language models: is the server there, the key accepted, the model known. Asked for real with `--paid` only."""

import math
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import httpx
from shopping_agent import bootstrap
from shopping_agent.adapters.transport import deadline_client
from shopping_agent.domain.conversation import ModelRequest, UserMessage
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.errors import EmbeddingUnavailableError, LanguageModelError
from shopping_agent.settings import Provider, Settings

from functions.local.doctor.findings import Check, NotCheckedError, Status
from functions.local.doctor.service import soon
from functions.local.doctor.subject import Subject

GEMINI_URL = "https://generativelanguage.googleapis.com"
LISTS = {"groq": "/openai/v1/models", "xai": "/models", "openai": "/models"}
"""Where a provider lists its models, behind the base URL: costs nothing."""
_KEY = (
    "a key of this provider, in the secret; a new value is read by functions that start afterwards"
)
_EMBEDDING = "EMBEDDING_BASE_URL, EMBEDDING_API_KEY, EMBEDDING_MODEL, EMBEDDING_DIMENSIONS"


def checks(subject: Subject) -> list[Check]:
    found = [Check("embeddings", lambda: _embeddings(subject), _EMBEDDING)]
    chain: tuple[Provider, ...] = () if subject.wrong else subject.settings.model_chain
    if not subject.given:
        return [*found, Check("language model", lambda: _no_settings(), "")]
    return found + [
        Check(f"model {name}", lambda name=name: _model(subject, name), _KEY) for name in chain
    ]


def _no_settings() -> Iterator[tuple[Status, str, str]]:
    raise NotCheckedError("LLM_PROVIDER and its key, in the environment or by --settings")
    yield  # a generator, as every check


def _embeddings(subject: Subject) -> Iterator[tuple[Status, str, str]]:
    settings = subject.needs() if subject.given else subject.needs("EMBEDDING_PROVIDER")
    if settings.embedding_provider == "none":
        yield "ok", "none: searches go by words alone", ""
        return
    if settings.embedding_provider == "local":
        raise NotCheckedError("an embedding server: EMBEDDING_PROVIDER=local is in the process")
    url = settings.embedding_base_url or GEMINI_URL
    if subject.paid or _is_here(url):
        yield _embedded(subject, settings)
        return
    if settings.embedding_provider == "gemini":
        yield _gemini(subject, url, _secret(settings.embedding_api_key), settings.embedding_model)
        return
    yield _listed(
        subject, f"{url}/models", _secret(settings.embedding_api_key), settings.embedding_model
    )


def _embedded(subject: Subject, settings: Settings) -> tuple[Status, str, str]:
    model = bootstrap.embedder(settings)
    assert model is not None
    try:
        vector = model.embed_query("ready", soon(subject))
    except EmbeddingUnavailableError as error:
        return "fail", str(error), _EMBEDDING
    if len(vector) != settings.embedding_dimensions or not all(map(math.isfinite, vector)):
        return "fail", f"its vectors are {len(vector)} long", _EMBEDDING
    return "ok", f"{model.model} answers with {len(vector)} dimensions", ""


def _model(subject: Subject, name: Provider) -> Iterator[tuple[Status, str, str]]:
    settings = subject.settings
    if name == "offline":
        yield "ok", "offline: the rules answer, no provider is asked", ""
        return
    key = f"{name}_api_key".upper()
    if name != "openai" and not subject.given.get(key):
        raise NotCheckedError(f"{key}, in the environment or by --settings")
    url, secret, model = settings.endpoint(name)
    if subject.paid:
        yield _said(subject, name)
    elif name == "gemini":
        yield _gemini(subject, url, secret, model)
    else:
        yield _listed(subject, url + LISTS[name], secret, model)


def _said(subject: Subject, name: Provider) -> tuple[Status, str, str]:
    """One call of a few tokens, by the adapter that is deployed."""
    alone = subject.settings.model_copy(update={"llm_provider": name, "llm_fallbacks": "none"})
    request = ModelRequest(
        system="Answer with one word.",
        messages=(UserMessage("Say: ready"),),
        tools=(),
        query=ShopperQuery("Say: ready", "en"),
        max_tokens=64,
    )
    try:
        reply = bootstrap.language_model(alone).complete(request, soon(subject))
    except LanguageModelError as error:
        return "fail", f"{error.kind}: {error}", _KEY
    return "ok", f"{reply.model or reply.asked} answers, {reply.usage.input_tokens} tokens in", ""


def _listed(subject: Subject, url: str, key: str, model: str) -> tuple[Status, str, str]:
    """Whether the list of models is given for this key, and holds the model."""
    reply, wrong = _get(subject, url, {"authorization": f"Bearer {key}"} if key else {})
    if reply is None:
        return wrong
    if reply.status_code == HTTPStatus.NOT_FOUND:
        return "warn", "the server lists no models; it is there", "--paid asks it for real"
    try:
        names = {str(item["id"]) for item in reply.json()["data"]}
    except (ValueError, KeyError, TypeError, RecursionError):
        return "fail", "the list of models is not readable: no server of this API?", _KEY
    if model in names:
        return "ok", f"the key is accepted, {model} is there (not asked for real: --paid)", ""
    return "warn", f"{model} is not among its {len(names)} models", "is its name spelled so? --paid"


def _gemini(subject: Subject, url: str, key: str, model: str) -> tuple[Status, str, str]:
    reply, wrong = _get(subject, f"{url}/v1beta/models/{model}", {"x-goog-api-key": key})
    if reply is None:
        return wrong
    if reply.status_code == HTTPStatus.NOT_FOUND:
        return "fail", f"there is no model {model}", "GEMINI_MODEL, or EMBEDDING_MODEL"
    return "ok", f"the key is accepted, {model} is there (not asked for real: --paid)", ""


def _get(
    subject: Subject, url: str, headers: dict[str, str]
) -> tuple[httpx.Response | None, tuple[Status, str, str]]:
    """A reply that is worth reading (success or 404), else what is wrong."""
    try:
        with deadline_client(timeout=subject.seconds * 0.9) as client:
            reply = client.get(url, headers=headers)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        where = urlsplit(url).hostname
        said = f"{where} does not answer: {type(error).__name__}"
        return None, ("fail", said, "the base URL; may the functions reach it?")
    status = reply.status_code
    if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.BAD_REQUEST):
        return None, ("fail", f"the key is refused ({status})", _KEY)
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return None, ("warn", "the provider's limit is reached (429)", "its quota; LLM_FALLBACKS")
    if not reply.is_success and status != HTTPStatus.NOT_FOUND:
        return None, ("fail", f"answers {status}", "the provider's status page; LLM_FALLBACKS")
    return reply, ("ok", "", "")


def _is_here(url: str) -> bool:
    """Whether asking costs nothing: a server on this machine."""
    return urlsplit(url).hostname in ("127.0.0.1", "localhost", "::1")


def _secret(value: Any) -> str:
    return value.get_secret_value()
