"""The composition root: the only module that names concrete adapters, and imports just the chosen ones.

Plain functions; each builds one thing from `Settings`. A function keeps what it builds for its process
(`functools.cache` on a frozen `Settings`), so a warm invocation wires nothing.
"""

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from shopping_agent.errors import ConfigurationError
from shopping_agent.observability import set_namespace
from shopping_agent.settings import Settings

if TYPE_CHECKING:
    from shopping_agent.adapters.redis.connection import RedisConnection
    from shopping_agent.adapters.rules import ExpertFiles
    from shopping_agent.application.assistant import Assistant
    from shopping_agent.application.checkout import Checkout
    from shopping_agent.application.identities import Identities
    from shopping_agent.application.ingestion import IngestionService
    from shopping_agent.application.pricing import Pricing
    from shopping_agent.application.profiling import Profiling
    from shopping_agent.application.readiness import ReadinessBoard
    from shopping_agent.application.recommending import Recommender
    from shopping_agent.application.recording import TurnRecorder
    from shopping_agent.application.search import SearchService
    from shopping_agent.application.sessions import GuestSessions
    from shopping_agent.application.spending import Carried
    from shopping_agent.domain.privacy import Privacy
    from shopping_agent.domain.store import StorePack
    from shopping_agent.http.entrance import Entrance
    from shopping_agent.ports import (
        CartStore,
        CatalogManifest,
        Embedder,
        IdempotencyStore,
        IndexWriter,
        Inventory,
        LanguageModel,
        LiveCatalog,
        ObjectStore,
        PartLedger,
        ProductIndex,
        ShopperRecords,
        Statistics,
        TokenVerifier,
        TurnSteps,
        TurnStore,
        WorkQueue,
    )
    from shopping_agent.settings import Provider as ProviderName


@cache
def settings() -> Settings:
    """The settings of this process.

    Call it while handling an event, never while importing: the extension that hands out the secret serves
    invocations only. A failure is not kept, so the next invocation asks again.
    """
    return read_settings()


def read_settings() -> Settings:
    """The environment, and for what it lacks the secret named by SECRETS_ID."""
    plain = Settings.from_environment()
    set_namespace(plain.metrics_namespace)
    if not plain.secrets_id:
        return plain
    from shopping_agent.adapters.secrets import read_secret

    secret = read_secret(
        plain.secrets_id,
        port=plain.parameters_secrets_extension_http_port,
        token=plain.aws_session_token.get_secret_value(),
    )
    return Settings.from_environment(otherwise=secret)


def forget() -> None:
    """Make everything anew when it is next asked for: settings, services, their connections."""
    for kept in list(globals().values()):
        if hasattr(kept, "cache_clear"):
            kept.cache_clear()


@cache
def store_pack(settings: Settings) -> "StorePack":
    """The pack, in the store's currency: amounts of carts, products and texts are all of one."""
    from shopping_agent.adapters.catalog.store_pack import load_store_pack

    pack = load_store_pack(settings.store_pack, endpoint_url=settings.aws_endpoint_url)
    return replace(pack, currency=settings.store_currency)


@cache
def redis(settings: Settings) -> "RedisConnection":
    from shopping_agent.adapters.redis.connection import RedisConnection

    return RedisConnection(
        url=settings.upstash_redis_rest_url,
        token=settings.upstash_redis_rest_token.get_secret_value(),
        prefix=settings.redis_prefix,
    )


@cache
def cart_store(settings: Settings) -> "CartStore":
    from shopping_agent.adapters.redis.cart_store import RedisCartStore

    return RedisCartStore(connection=redis(settings), currency=settings.store_currency)


@cache
def checkout(settings: Settings) -> "Checkout":
    from shopping_agent.adapters.redis.handoff_store import RedisHandOffStore
    from shopping_agent.application.checkout import Checkout

    return Checkout(
        carts=cart_store(settings),
        handoffs=RedisHandOffStore(connection=redis(settings)),
        kind=settings.checkout_kind,
        url=settings.checkout_url,
        secret=settings.checkout_webhook_secret.get_secret_value(),
    )


@cache
def live_catalog(settings: Settings) -> "LiveCatalog":
    from shopping_agent.adapters.redis.live_catalog import RedisLiveCatalog

    return RedisLiveCatalog(connection=redis(settings))


@cache
def shopper_records(settings: Settings) -> "ShopperRecords":
    from shopping_agent.adapters.redis.shopper_records import RedisShopperRecords

    return RedisShopperRecords(connection=redis(settings))


@cache
def manifest(settings: Settings) -> "CatalogManifest":
    from shopping_agent.adapters.redis.manifest import RedisManifest

    return RedisManifest(connection=redis(settings))


@cache
def part_ledger(settings: Settings) -> "PartLedger":
    from shopping_agent.adapters.redis.part_ledger import RedisPartLedger

    return RedisPartLedger(connection=redis(settings))


@cache
def inventory(settings: Settings) -> "Inventory":
    from shopping_agent.adapters.redis.inventory import RedisInventory

    return RedisInventory(connection=redis(settings))


@cache
def work_queue(settings: Settings) -> "WorkQueue | None":
    """None without `INGEST_QUEUE_URL`: every file is then written by the worker that reads it."""
    if not settings.ingest_queue_url:
        return None
    from shopping_agent.adapters.sqs import SqsQueue

    return SqsQueue(url=settings.ingest_queue_url, endpoint_url=settings.aws_endpoint_url)


@cache
def turn_store(settings: Settings) -> "TurnStore":
    from shopping_agent.adapters.redis.turn_store import RedisTurnStore

    return RedisTurnStore(connection=redis(settings), currency=settings.store_currency)


@cache
def turn_steps(settings: Settings) -> "TurnSteps":
    from shopping_agent.adapters.redis.turn_steps import RedisTurnSteps

    return RedisTurnSteps(connection=redis(settings))


@cache
def statistics(settings: Settings) -> "Statistics":
    from shopping_agent.adapters.redis.statistics import RedisStatistics

    return RedisStatistics(connection=redis(settings))


@cache
def guest_sessions(settings: Settings) -> "GuestSessions":
    from shopping_agent.application.sessions import GuestSessions

    return GuestSessions(secret=settings.session_secret.get_secret_value())


@cache
def user_tokens(settings: Settings) -> "TokenVerifier":
    from shopping_agent.adapters.jwt import JwtVerifier

    return JwtVerifier(
        issuer=settings.jwt_issuer,
        audience=settings.jwt_audience,
        keys_url=settings.jwt_jwks_url,
    )


@cache
def identities(settings: Settings) -> "Identities":
    from functools import partial

    from shopping_agent.application.identities import Identities

    return Identities(
        guests=guest_sessions(settings),
        users=partial(user_tokens, settings) if settings.jwt_issuer else None,
    )


@cache
def idempotency_store(settings: Settings) -> "IdempotencyStore":
    from shopping_agent.adapters.redis.idempotency import RedisIdempotencyStore

    return RedisIdempotencyStore(connection=redis(settings))


@cache
def entrance(settings: Settings) -> "Entrance":
    """What every request passes: identity, limits, Idempotency-Key."""
    from functools import partial

    from shopping_agent.adapters.redis.limits import RedisRateLimiter
    from shopping_agent.domain.limits import parse_limits
    from shopping_agent.http.entrance import Entrance

    return Entrance(
        identities=identities(settings),
        limiter=RedisRateLimiter(connection=redis(settings)),
        records=partial(idempotency_store, settings),
        limits=parse_limits(settings.rate_limits),
    )


@cache
def embedder(settings: Settings) -> "Embedder | None":
    """None when `EMBEDDING_PROVIDER` is none: sparse retrieval only."""
    match settings.embedding_provider:
        case "none":
            return None
        case "openai":
            from shopping_agent.adapters.embedding.openai import OpenAIEmbedder

            if not settings.embedding_base_url:
                raise ConfigurationError("EMBEDDING_PROVIDER=openai needs EMBEDDING_BASE_URL")
            return OpenAIEmbedder(
                base_url=settings.embedding_base_url,
                api_key=settings.embedding_api_key.get_secret_value(),
                model=settings.embedding_model,
                dimensions=settings.embedding_dimensions,
            )
        case "gemini":
            from shopping_agent.adapters.embedding.gemini import GeminiEmbedder

            if not settings.embedding_api_key.get_secret_value():
                raise ConfigurationError("EMBEDDING_PROVIDER=gemini needs EMBEDDING_API_KEY")
            if settings.embedding_model == Settings.model_fields["embedding_model"].default:
                raise ConfigurationError(
                    "EMBEDDING_PROVIDER=gemini needs EMBEDDING_MODEL (such as gemini-embedding-001) and its "
                    "EMBEDDING_DIMENSIONS (such as 768)"
                )
            return GeminiEmbedder(
                base_url=settings.embedding_base_url,
                api_key=settings.embedding_api_key.get_secret_value(),
                model=settings.embedding_model,
                dimensions=settings.embedding_dimensions,
            )
        case "local":
            from shopping_agent.adapters.embedding.local import LocalEmbedder

            return LocalEmbedder()


@cache
def product_index(settings: Settings) -> "ProductIndex":
    """The query side: REST over httpx when `QDRANT_URL` is set, else qdrant-client's local mode."""
    if settings.qdrant_url:
        from shopping_agent.adapters.index.qdrant_rest import QdrantRestIndex

        model = embedder(settings)
        return QdrantRestIndex(
            url=settings.qdrant_url,
            api_key=settings.qdrant_api_key.get_secret_value(),
            collection=settings.qdrant_collection,
            model=model.model if model else "",
            dimensions=model.dimensions if model else 0,
        )
    return _qdrant(settings)


@cache
def index_writer(settings: Settings) -> "IndexWriter":
    return _qdrant(settings)


@cache
def _qdrant(settings: Settings):  # noqa: ANN202  (typed by its two callers)
    from shopping_agent.adapters.index.qdrant import QdrantIndex

    model = embedder(settings)
    return QdrantIndex(
        url=settings.qdrant_url,
        path=settings.qdrant_path,
        api_key=settings.qdrant_api_key.get_secret_value(),
        collection=settings.qdrant_collection,
        model=model.model if model else "none",
        dimensions=model.dimensions if model else 0,
    )


@cache
def search_service(settings: Settings) -> "SearchService":
    from shopping_agent.application.search import SearchService

    return SearchService(
        index=product_index(settings),
        embedder=embedder(settings),
        live=live_catalog(settings),
        vocabulary=store_pack(settings).vocabulary,
        currency=settings.store_currency,
        expert=expert_files(settings).current,
    )


@cache
def expert_files(settings: Settings) -> "ExpertFiles":
    """The rules of recommendation in use, with the words of the store."""
    from shopping_agent.adapters.rules import ExpertFiles

    return ExpertFiles(
        settings.store_pack,
        store_pack(settings).vocabulary,
        endpoint_url=settings.aws_endpoint_url,
    )


@cache
def recommender(settings: Settings) -> "Recommender":
    from shopping_agent.application.candidates import CandidateFinder
    from shopping_agent.application.query_vectors import QueryVectorizer
    from shopping_agent.application.recommending import Recommender

    vocabulary = store_pack(settings).vocabulary
    return Recommender(
        finder=CandidateFinder(
            index=product_index(settings),
            live=live_catalog(settings),
            vectorizer=QueryVectorizer(embedder=embedder(settings), vocabulary=vocabulary),
            vocabulary=vocabulary,
            currency=settings.store_currency,
        ),
        expert=expert_files(settings).current,
        vocabulary=vocabulary,
        currency=settings.store_currency,
    )


@cache
def readiness(settings: Settings) -> "ReadinessBoard":
    """Redis and search; and the embeddings where they are a service of their own."""
    from shopping_agent.application.readiness import Check, ReadinessBoard

    checks = {"redis": Check(redis(settings).ping), "search": Check(product_index(settings).ready)}
    served = settings.embedding_provider in ("openai", "gemini")
    model = embedder(settings) if served else None
    if model is not None:
        checks["embeddings"] = Check(
            lambda deadline: model.embed_query("ready", deadline), keep_seconds=60.0, vital=False
        )
    return ReadinessBoard(checks)


@cache
def object_store(settings: Settings) -> "ObjectStore":
    from shopping_agent.adapters.catalog.s3 import S3ObjectStore

    return S3ObjectStore(endpoint_url=settings.aws_endpoint_url)


@cache
def ingestion(settings: Settings) -> "IngestionService":
    from shopping_agent.adapters.catalog.readers import CatalogFileReader
    from shopping_agent.adapters.catalog.store_pack import load_columns
    from shopping_agent.application.ingestion import IngestionService

    columns = load_columns(settings.store_pack, endpoint_url=settings.aws_endpoint_url)

    return IngestionService(
        objects=object_store(settings),
        manifest=manifest(settings),
        ledger=part_ledger(settings),
        live=live_catalog(settings),
        inventory=inventory(settings),
        index=product_index(settings),
        writer=index_writer(settings),
        embedder=embedder(settings),
        reader=CatalogFileReader(currency=settings.store_currency, columns=columns),
        vocabulary=store_pack(settings).vocabulary,
        max_delete_ratio=settings.max_delete_ratio,
        queue=work_queue(settings),
        part_size=settings.ingest_part_size,
        statistics=statistics(settings),
    )


@cache
def privacy(settings: Settings) -> "Privacy":
    from shopping_agent.domain.privacy import Privacy

    pack = store_pack(settings)
    return Privacy.of(pack.vocabulary, pack.contacts)


@cache
def language_model(settings: Settings) -> "LanguageModel":
    """The chain of `LLM_PROVIDER` and `LLM_FALLBACKS`; a provider's SDK is imported when it is asked first.

    Raises:
        ConfigurationError: one of them lacks its key, or a price without which spending has no limit.
    """
    check_models(settings)
    if settings.model_chain == ("offline",):
        return _provider(settings, "offline")
    from functools import partial

    from shopping_agent.application.breaker import Breaker
    from shopping_agent.application.failover import Failover, Provider
    from shopping_agent.application.pricing import PricedModel

    chain = [Provider(name, partial(_provider, settings, name)) for name in settings.model_chain]
    breaker = Breaker(enabled=settings.circuit_breaker == "on")
    return PricedModel(model=Failover(chain, breaker), pricing=pricing(settings))


@cache
def pricing(settings: Settings) -> "Pricing":
    from datetime import UTC, datetime

    from shopping_agent.adapters.llm.prices import price_table
    from shopping_agent.application.pricing import Pricing

    return Pricing(
        price_table(settings.model_prices, today=datetime.now(UTC).date()),
        {name: settings.endpoint(name).model for name in settings.model_chain if name != "offline"},
    )


def check_models(settings: Settings) -> None:
    """Refuse settings with which the first message would fail.

    Raises:
        ConfigurationError: naming the variable: a key that is missing, or a price without which spending has no limit.
    """
    settings.check_models()
    limits = {
        "DAILY_SPEND_LIMIT": settings.daily_spend_limit,
        "MAX_TURN_SPEND": settings.max_turn_spend,
    }
    held = next((name for name, dollars in limits.items() if dollars), None)
    if held is None or settings.model_chain == ("offline",):
        return
    prices = pricing(settings)
    unknown: ProviderName | None = next(
        (name for name in settings.model_chain if prices.price(name) is None), None
    )
    if unknown:
        model = settings.endpoint(unknown).model
        raise ConfigurationError(
            f"{held} needs the price of {model} ({unknown}), which is not known: "
            f'set MODEL_PRICES={{"{model}":{{"input":...,"output":...}}}}, dollars for a million tokens'
        )


@cache
def _provider(settings: Settings, name: "ProviderName") -> "LanguageModel":
    if name == "offline":
        from shopping_agent.adapters.llm.offline import OfflineModel

        return OfflineModel(pack=store_pack(settings))
    return _within_budget(_paid_model(settings, name), settings)


def load_models(settings: Settings) -> None:
    """Load the code of all models of the chain, for a snapshot; otherwise each is loaded when it is asked first."""
    for name in settings.model_chain:
        _provider(settings, name)


def _paid_model(settings: Settings, name: "ProviderName") -> "LanguageModel":
    match name:
        case "gemini":
            from shopping_agent.adapters.llm.gemini import GeminiModel as Model
        case "groq":
            from shopping_agent.adapters.llm.groq import GroqModel as Model
        case "xai":
            from shopping_agent.adapters.llm.xai import XaiModel as Model
        case _:
            from shopping_agent.adapters.llm.openai import OpenAIModel as Model
    base_url, api_key, model = settings.endpoint(name)
    return Model(
        base_url=base_url,
        api_key=api_key,
        model=model,
        temperature=settings.llm_temperature,
        max_tokens=settings.llm_max_tokens,
    )


def _within_budget(model: "LanguageModel", settings: Settings) -> "LanguageModel":
    """A paid model that fails once the day's tokens or money are used up, so that the next of the chain answers."""
    from shopping_agent.adapters.redis.limits import RedisRateLimiter
    from shopping_agent.application.spending import CappedModel, spend_limits
    from shopping_agent.domain.limits import parse_limits

    limits = spend_limits(settings.daily_spend_limit, parse_limits(settings.rate_limits))
    if not limits:
        return model
    return CappedModel(
        model=model,
        price=pricing(settings).price(model.name),
        limiter=RedisRateLimiter(connection=redis(settings)),
        limits=limits,
        carried=_carried(settings),
    )


@cache
def _carried(settings: Settings) -> "Carried":  # noqa: ARG001  (one for each settings)
    from shopping_agent.application.spending import Carried

    return Carried()


@cache
def profiling(settings: Settings) -> "Profiling":
    from shopping_agent.application.profiling import Profiling

    return Profiling(
        schema=lambda: expert_files(settings).current().schema,
        vocabulary=store_pack(settings).vocabulary,
    )


@cache
def assistant(settings: Settings, model: "LanguageModel | None" = None) -> "Assistant":
    """The chat function's use case; with another model than that of the settings where one is given."""
    from functools import partial

    from shopping_agent.application.assistant import Assistant
    from shopping_agent.application.hearing import Hearing
    from shopping_agent.domain.understanding import understand

    pack = store_pack(settings)
    turns = turn_store(settings)
    search = search_service(settings)
    hearing = Hearing(
        understand=partial(
            understand, vocabulary=pack.vocabulary, currency=settings.store_currency
        ),
        turns=turns,
        live=live_catalog(settings),
        index=product_index(settings),
        search=search,
        privacy=privacy(settings),
        profiling=profiling(settings),
    )
    return Assistant(
        model=model or language_model(settings),
        hearing=hearing,
        turns=turns,
        carts=cart_store(settings),
        search=search,
        pack=pack,
        privacy=privacy(settings),
        max_tool_calls=settings.max_tool_calls,
        max_turn_tokens=settings.max_turn_tokens,
        max_turn_spend=settings.max_turn_spend,
        max_reply_tokens=settings.llm_max_tokens,
        fast_confirmation=settings.fast_confirmation,
        checkout=checkout(settings) if settings.checkout_url else None,
        recommender=recommender(settings),
        recorder=_recorder(settings) if settings.record_turns else None,
        steps=turn_steps(settings),
    )


def _recorder(settings: Settings) -> "TurnRecorder":
    from shopping_agent.adapters.redis.recordings import RedisRecordings
    from shopping_agent.application.recording import TurnRecorder

    return TurnRecorder(
        recordings=RedisRecordings(connection=redis(settings)),
        privacy=privacy(settings),
        seconds=settings.record_turns * 3600,
    )
