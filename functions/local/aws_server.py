"""S3 and SQS on 127.0.0.1: moto's server with a bucket that survives, and notifications as S3 sends them.

Run as `python -m functions.local.aws_server --port P --data DIR [--bucket catalog]`.
"""

import argparse
import json
import logging
import signal
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from moto.core.models import DEFAULT_ACCOUNT_ID
from moto.moto_server.werkzeug_app import (
    DomainDispatcherApplication,
    MotoRequestHandler,
    create_backend_app,
)
from moto.sqs.models import SQSBackend, sqs_backends
from shopping_agent.settings import Settings
from werkzeug.serving import BaseWSGIServer, make_server

from functions.local.bucket_events import REGION, BucketEvents, ensure_bucket, s3_test_event
from functions.local.bucket_mirror import BucketMirror

QUEUE = "catalog-events"
DEAD_LETTERS = "catalog-events-dead"
PREFIXES = ("catalog/", "guides/", "inventory/")
VISIBILITY_SECONDS = 1800
MAX_RECEIVES = Settings.model_fields["ingest_max_receives"].default


def serve(*, port: int, data: Path, bucket: str) -> BaseWSGIServer:
    """The server, ready to `serve_forever`: queue, bucket and its objects are there. Port 0 takes a free one.

    moto's backends are global, so a process has one server.
    """
    _create_queues()
    application = BucketEvents(
        DomainDispatcherApplication(create_backend_app),
        mirror=BucketMirror(data),
        send=_send,
        prefixes=PREFIXES,
    )
    ensure_bucket(bucket)
    _send(s3_test_event(bucket))
    application.restore()
    return make_server(
        "127.0.0.1", port, application, threaded=True, request_handler=_QuietRequestHandler
    )


class _QuietRequestHandler(MotoRequestHandler):
    """The event source asks all the time; its requests are no news."""

    def log_request(self, code: Any = "-", size: Any = "-") -> None:
        if str(code).startswith("5"):
            super().log_request(code, size)


def _create_queues() -> None:
    dead = _sqs().create_queue(DEAD_LETTERS, {})
    redrive = {"deadLetterTargetArn": dead.queue_arn, "maxReceiveCount": MAX_RECEIVES}
    _sqs().create_queue(
        QUEUE,
        {},
        VisibilityTimeout=str(VISIBILITY_SECONDS),
        RedrivePolicy=json.dumps(redrive),
    )


def _send(body: str) -> None:
    _sqs().send_message(QUEUE, body)


def _sqs() -> SQSBackend:
    return sqs_backends[DEFAULT_ACCOUNT_ID][REGION]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--data", type=Path, required=True, help="folder of the bucket's objects")
    parser.add_argument("--bucket", default="catalog")
    options = parser.parse_args(arguments)
    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    server = serve(port=options.port, data=options.data, bucket=options.bucket)

    def stop(*_: object) -> None:
        # shutdown() waits for serve_forever, which runs in this very thread.
        threading.Thread(target=server.shutdown, daemon=True).start()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    server.serve_forever()
    server.server_close()


if __name__ == "__main__":
    main()
