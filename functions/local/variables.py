"""The functions' environment variables: the caller's own settings, and the local stand-ins for what they leave out."""

from collections.abc import Mapping
from dataclasses import dataclass

from shopping_agent.settings import Settings

from functions.local.event_source import QUEUE
from functions.local.runtime import REGION

LOCAL_REDIS_TOKEN = "local"
ACCOUNT = "123456789012"
"""Of the stand-ins for AWS."""
SAM_NAMES = {"chat": "ChatFunction", "store": "StoreFunction", "ingest": "IngestFunction"}
PASSED_ON = (
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "OPENBLAS_CORETYPE",
    "OPENBLAS_L2_SIZE",
)
"""Of the caller's machine rather than of the shop."""
DESTINATION = (
    "EMBEDDING_BASE_URL",
    "EMBEDDING_DIMENSIONS",
    "EMBEDDING_MODEL",
    "EMBEDDING_PROVIDER",
    "QDRANT_COLLECTION",
    "QDRANT_URL",
    "REDIS_PREFIX",
    "STORE_CURRENCY",
    "UPSTASH_REDIS_REST_URL",
)
"""Where and how a store's files are kept: with another value they must be brought in again."""
NOT_FOR_CONTAINERS = ("AWS_SESSION_TOKEN", "QDRANT_PATH")
"""What Lambda keeps for itself, and a folder of this machine."""
ONLY_FOR_CHAT = tuple(
    name.upper()
    for name in Settings.model_fields
    if name.startswith(("llm_", "gemini_", "groq_", "xai_", "openai_"))
    or name
    in (
        "circuit_breaker",
        "fast_confirmation",
        "max_turn_spend",
        "max_turn_tokens",
        "model_prices",
        "record_turns",
    )
)
"""The other functions ask no language model, so they get none of its keys."""
ONLY_FOR_INGEST = tuple(
    name.upper() for name in Settings.model_fields if name.startswith("ingest_")
)
"""The queue is one function's alone."""
AWS_CREDENTIALS = (
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_REGION",
    "AWS_DEFAULT_REGION",
)


@dataclass(frozen=True, slots=True)
class StandIns:
    """Which parts the stack must bring itself, because the caller's settings name no other."""

    redis: bool
    qdrant: bool
    embeddings: bool
    aws: bool

    @classmethod
    def needed(cls, own: Mapping[str, str]) -> "StandIns":
        """From the caller's own settings (`settings_of`)."""
        return cls(
            redis="UPSTASH_REDIS_REST_URL" not in own,
            qdrant="QDRANT_URL" not in own,
            embeddings=own.get("EMBEDDING_PROVIDER", "local") == "local",
            aws="AWS_ENDPOINT_URL" not in own,
        )


def settings_of(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables of the shop's settings that a mapping holds; empty ones count as absent."""
    names = [name.upper() for name in Settings.model_fields]
    return {name: environment[name] for name in names if environment.get(name)}


def destination_of(own: Mapping[str, str]) -> dict[str, str]:
    """The caller's own part of `DESTINATION`; the stand-ins keep their data, whatever their ports."""
    return {name: own[name] for name in DESTINATION if name in own}


def function_variables(
    environment: Mapping[str, str],
    *,
    endpoints: Mapping[str, str],
    session_secret: str,
    store_pack: str,
    checkout_secret: str = "",
    operator_token: str = "",
    checkout_page: str = "",
) -> dict[str, str]:
    """What the functions see.

    Args:
        environment: the caller's; of it the shop's settings are taken, not the rest.
        endpoints: addresses of the stand-ins: redis, qdrant, embeddings, aws.
        store_pack: used where the caller names none.
        checkout_page: the demo's own, for signed links, used where the caller names no checkout.
    """
    own = settings_of(environment)
    needed = StandIns.needed(own)
    made = {
        "SESSION_SECRET": session_secret,
        "CHECKOUT_WEBHOOK_SECRET": checkout_secret,
        "OPERATOR_TOKEN": operator_token,
    }
    if own.get("CHECKOUT_KIND", "signed") == "signed":
        made["CHECKOUT_URL"] = checkout_page
    variables = {"STORE_PACK": store_pack} | made | own
    if needed.redis:
        variables["UPSTASH_REDIS_REST_URL"] = endpoints["redis"]
        variables["UPSTASH_REDIS_REST_TOKEN"] = LOCAL_REDIS_TOKEN
    if needed.qdrant:
        variables["QDRANT_URL"] = endpoints["qdrant"]
    if needed.embeddings:
        # The local model behind the wire that is deployed, one copy of it for all functions.
        variables["EMBEDDING_PROVIDER"] = "openai"
        variables["EMBEDDING_BASE_URL"] = endpoints["embeddings"]
    variables |= stand_in_aws(endpoints) if needed.aws else _own_aws(environment)
    passed = {name: environment[name] for name in PASSED_ON if environment.get(name)}
    return {name: value for name, value in (passed | variables).items() if value}


def variables_of(function: str, variables: Mapping[str, str]) -> dict[str, str]:
    """Of `function_variables` what one function (chat, store, ingest) gets."""
    withheld = () if function == "chat" else ONLY_FOR_CHAT
    withheld += () if function == "ingest" else ONLY_FOR_INGEST
    return {name: value for name, value in variables.items() if name not in withheld}


def container_variables(variables: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """By SAM's name of the function: what `sam local invoke --env-vars` takes, from `function_variables`.

    SAM passes on what the template declares and fills it from this file, else from the shell, else with the template's
    value. So every setting is named, empty where the functions have none: they then see the same in a container.
    """
    names = [name.upper() for name in Settings.model_fields]
    settings = {name: variables.get(name, "") for name in names if name not in NOT_FOR_CONTAINERS}
    return {name: variables_of(function, settings) for function, name in SAM_NAMES.items()}


def stand_in_aws(endpoints: Mapping[str, str]) -> dict[str, str]:
    """The variables of functions whose AWS is the stand-in."""
    return {
        "AWS_ENDPOINT_URL": endpoints["aws"],
        "INGEST_QUEUE_URL": f"{endpoints['aws']}/{ACCOUNT}/{QUEUE}",
        "AWS_ACCESS_KEY_ID": "local",
        "AWS_SECRET_ACCESS_KEY": "local",
        "AWS_SESSION_TOKEN": "",
        "AWS_REGION": REGION,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_EC2_METADATA_DISABLED": "true",
    }


def _own_aws(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: environment[name] for name in AWS_CREDENTIALS if environment.get(name)}
