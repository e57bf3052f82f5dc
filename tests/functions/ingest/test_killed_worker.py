"""A worker that is killed in the middle (kill -9): the message comes again, and the end is that of a clean run."""

import contextlib
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from uuid import uuid4

import pytest
from shopping_agent import bootstrap
from shopping_agent.domain.deadline import Deadline
from shopping_agent.settings import Settings
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from functions.local.fake_provider.embeddings import openai_embeddings
from functions.local.serving import serving

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

ROOT = Path(__file__).resolve().parents[3]
PRODUCTS = 160
TEXTS = 2 * PRODUCTS
# Of one batch: what a killed worker may have embedded in vain.
BATCH_TEXTS = 2 * 50
SECONDS = 60.0
# Takes messages one by one until the queue is empty for a while; says which one it is at.
WORKER = """
import json, sys, time
import boto3
from functions.ingest import app

class Context:
    def get_remaining_time_in_millis(self):
        return 200_000

url, queue = sys.argv[1:]
sqs = boto3.client("sqs", endpoint_url=url, region_name="eu-west-1")
idle = 0
while idle < 4:
    reply = sqs.receive_message(QueueUrl=queue, WaitTimeSeconds=0, MessageSystemAttributeNames=["All"])
    messages = reply.get("Messages", [])
    idle = 0 if messages else idle + 1
    if not messages:
        time.sleep(0.1)
    for message in messages:
        print(message["ReceiptHandle"], flush=True)
        record = {
            "messageId": message["MessageId"],
            "eventSource": "aws:sqs",
            "body": message["Body"],
            "attributes": message["Attributes"],
        }
        answer = app.lambda_handler({"Records": [record]}, Context())
        assert not answer["batchItemFailures"], answer
        sqs.delete_message(QueueUrl=queue, ReceiptHandle=message["ReceiptHandle"])
"""


class Embeddings:
    """An embedding service that counts the texts and is in no hurry."""

    def __init__(self):
        self.texts = 0
        self._lock = threading.Lock()

    def app(self):
        def embed(request_body):
            with self._lock:
                self.texts += len(request_body["input"])
            time.sleep(0.05)
            return openai_embeddings({**request_body, "dimensions": 16})

        async def route(request):
            from starlette.concurrency import run_in_threadpool

            return JSONResponse(await run_in_threadpool(embed, await request.json()))

        return Starlette(routes=[Route("/v1/embeddings", route, methods=["POST"])])


class Shop:
    """One keyspace and one collection, and the workers that fill them."""

    def __init__(self, *, aws, redis, qdrant_url, embeddings_url, part_size, logs):
        self._aws, self._logs = aws, logs
        self._queue = f"{aws.url}/123456789012/catalog-events"
        name = f"t{uuid4().hex[:12]}"
        self._variables = {
            "AWS_ENDPOINT_URL": aws.url,
            "UPSTASH_REDIS_REST_URL": redis.url,
            "UPSTASH_REDIS_REST_TOKEN": redis.token,
            "REDIS_PREFIX": name,
            "QDRANT_URL": qdrant_url,
            "QDRANT_COLLECTION": name,
            "EMBEDDING_PROVIDER": "openai",
            "EMBEDDING_BASE_URL": f"{embeddings_url}/v1",
            "EMBEDDING_MODEL": "counting",
            "EMBEDDING_DIMENSIONS": "16",
            "INGEST_QUEUE_URL": self._queue,
            "INGEST_PART_SIZE": str(part_size),
        }

    def worker(self):
        with (self._logs / f"{uuid4().hex}.log").open("wb") as errors:
            return subprocess.Popen(
                [sys.executable, "-c", WORKER, self._aws.url, self._queue],
                cwd=ROOT,
                env=os.environ | self._variables,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )

    def kill(self, worker):
        """kill -9; what it had taken is delivered again at once."""
        worker.kill()
        handles = worker.stdout.read().split()
        worker.wait()
        worker.stdout.close()
        for handle in handles[-1:]:
            with contextlib.suppress(Exception):  # it was deleted just before
                self._aws.client("sqs").change_message_visibility(
                    QueueUrl=self._queue, ReceiptHandle=handle, VisibilityTimeout=0
                )

    def finish(self, workers):
        for worker in workers:
            worker.communicate(timeout=120)
            assert worker.returncode == 0, [p.read_text() for p in self._logs.iterdir()]

    def state(self):
        settings, deadline = Settings.from_mapping(self._variables), Deadline.after(SECONDS)
        ids = [f"p{number}" for number in range(PRODUCTS + 10)]
        index = bootstrap.product_index(settings)
        live = bootstrap.live_catalog(settings).get(ids, deadline)
        hashes = bootstrap.manifest(settings).read("catalog/c.jsonl", deadline).hashes
        chunks = [
            c for i in range(0, len(ids), 50) for c in index.chunks_of(ids[i : i + 50], deadline)
        ]
        return {
            "live": {i: (f.name, f.price, f.stock) for i, f in live.items()},
            "products": index.products(ids, deadline),
            "texts": {chunk.id: chunk.text for chunk in chunks},
            "hashes": dict(hashes),
        }


def rows(first, last, word):
    return "\n".join(
        json.dumps(
            {
                "id": f"p{number}",
                "name": f"Perfume {number}",
                "price": 10 + number,
                "description": f"{word} {number}.",
                "notes": {"top": [f"note {number}"]},
            }
        )
        for number in range(first, last)
    )


def wait_until(reached):
    until = time.monotonic() + SECONDS
    while not reached():
        assert time.monotonic() < until
        time.sleep(0.005)


@pytest.fixture
def shops(aws_stack, redis_stack, qdrant_url, tmp_path):
    """Makes shops: `shops(part_size)`, and the embedding service that they share."""
    embeddings = Embeddings()
    with serving(embeddings.app()) as url:

        def make(part_size):
            return Shop(
                aws=aws_stack,
                redis=redis_stack,
                qdrant_url=qdrant_url,
                embeddings_url=url,
                part_size=part_size,
                logs=tmp_path,
            )

        yield make, embeddings


@pytest.mark.parametrize(
    ("part_size", "workers"), [(1000, 1), (40, 2)], ids=["one worker", "parts at two workers"]
)
def test_workers_that_are_killed_are_resumed_and_end_as_a_clean_run(
    shops, aws_stack, part_size, workers
):
    make, embeddings = shops
    s3 = aws_stack.client("s3")
    torn = make(part_size)
    s3.put_object(Bucket="catalog", Key="catalog/c.jsonl", Body=rows(0, PRODUCTS, "Cedar"))
    kills = 0
    for texts in (TEXTS // 3, TEXTS * 2 // 3):
        running = [torn.worker() for _ in range(workers)]
        wait_until(lambda texts=texts: embeddings.texts > texts)
        for worker in running:
            torn.kill(worker)
            kills += 1
    torn.finish([torn.worker() for _ in range(workers)])
    assert TEXTS <= embeddings.texts <= TEXTS + kills * BATCH_TEXTS
    # And a newer file over it, whose worker is killed as well: ten products go and ten come.
    embeddings.texts = 0
    s3.put_object(Bucket="catalog", Key="catalog/c.jsonl", Body=rows(10, PRODUCTS + 10, "Smoke"))
    running = [torn.worker() for _ in range(workers)]
    wait_until(lambda: embeddings.texts > TEXTS // 3)
    for worker in running:
        torn.kill(worker)
    torn.finish([torn.worker() for _ in range(workers)])

    clean = make(1000)
    s3.put_object(Bucket="catalog", Key="catalog/c.jsonl", Body=rows(10, PRODUCTS + 10, "Smoke"))
    clean.finish([clean.worker()])
    expected = clean.state()
    assert len(expected["live"]) == len(expected["products"]) == PRODUCTS
    assert torn.state() == expected


def test_workers_killed_around_a_refused_upload_still_finish_the_one_before_it(shops, aws_stack):
    make, embeddings = shops
    s3 = aws_stack.client("s3")
    torn = make(40)
    good = rows(0, PRODUCTS, "Cedar")
    s3.put_object(Bucket="catalog", Key="catalog/c.jsonl", Body=good)
    worker = torn.worker()
    wait_until(lambda: embeddings.texts > TEXTS // 2)
    s3.put_object(Bucket="catalog", Key="catalog/c.jsonl", Body="colour;shape")
    torn.kill(worker)
    worker = torn.worker()
    wait_until(lambda: embeddings.texts > TEXTS * 3 // 4)
    torn.kill(worker)
    torn.finish([torn.worker() for _ in range(2)])

    clean = make(1000)
    s3.put_object(Bucket="catalog", Key="catalog/c.jsonl", Body=good)
    clean.finish([clean.worker()])
    expected = clean.state()
    assert len(expected["live"]) == PRODUCTS
    assert torn.state() == expected
