"""`make invoke EVENT=events/x.json`: one event through the running stack's own handler, without docker.

The same files work with `sam local invoke -e`; here the function is told by the event's shape.
"""

import argparse
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from functions.local.data_folder import DataFolder, StackError
from functions.local.gateway import LambdaClient
from functions.local.reports import CatalogBucket
from functions.local.sample_events import (
    as_of_now,
    function_of,
    prepare_bucket,
    read_event,
    signed_now,
)

INVOKE_SECONDS = 900.0


def readable(answer: Any, *, headers: bool = False) -> Any:
    """An answer whose JSON body is unfolded: status and body first, then with `headers` what else there is."""
    match answer:
        case {"statusCode": status, "body": str(body), **rest}:
            return {"statusCode": status, "body": _unfolded(body), **(rest if headers else {})}
        case _:
            return answer


def _unfolded(body: str) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return body


def main() -> int:
    parser = argparse.ArgumentParser(prog="make invoke EVENT=...", description=__doc__)
    parser.add_argument("event", type=Path)
    parser.add_argument("--data", type=Path, default=os.environ.get("DATA") or ".local")
    parser.add_argument("--headers", action="store_true", help="print the answer's headers too")
    options = parser.parse_args()
    try:
        event = read_event(options.event)
        function = function_of(event)
        folder = DataFolder(options.data)
        facts = folder.running_stack()
        if function == "ingest" and "aws" in facts["endpoints"]:
            prepare_bucket(event, options.event.parent, CatalogBucket.local(facts))
        port = urlsplit(facts["endpoints"]["lambda"]).port or 0
        event = signed_now(as_of_now(event), folder.function_variable("CHECKOUT_WEBHOOK_SECRET"))
        invoked = LambdaClient(port, timeout=INVOKE_SECONDS).invoke(function, event)
    except (StackError, OSError) as error:
        print(f"make invoke: {error}", file=sys.stderr)
        return 2
    answer = readable(json.loads(invoked.payload), headers=options.headers)
    print(json.dumps(answer, ensure_ascii=False, indent=2))
    return 1 if invoked.is_error or invoked.status != 200 else 0


if __name__ == "__main__":
    # Whoever reads the output may have enough of it. For a process of its own only: it would end a caller's too.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())
