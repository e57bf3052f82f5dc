"""`make invoke EVENT=events/x.json`: one event through the running stack's own handler, without docker.

The same files work with `sam local invoke -e`; here the function is told by the event's shape.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from functions.local.data_folder import DataFolder, StackError
from functions.local.gateway import LambdaClient, route_of

INVOKE_SECONDS = 900.0


def function_of(event: Any) -> str:
    """Which function an event is for.

    Raises:
        StackError: it is none of the shapes that ours take.
    """
    match event:
        case {"Records": [_, *_]} | {"Event": "s3:TestEvent"}:
            return "ingest"
        case {"rawPath": str(path), "requestContext": {"http": {"method": str(method)}}}:
            return route_of(method, path)[0]
        case _:
            raise StackError("neither an HTTP API event (payload 2.0) nor an S3 or SQS event")


def as_of_now(event: dict[str, Any]) -> dict[str, Any]:
    """The event with the time of a request that came in just now."""
    if "requestContext" in event:
        now = time.time()
        event["requestContext"]["timeEpoch"] = int(now * 1000)
        event["requestContext"]["time"] = time.strftime("%d/%b/%Y:%H:%M:%S +0000", time.gmtime(now))
    return event


def readable(answer: Any) -> Any:
    """An answer whose JSON body is unfolded."""
    match answer:
        case {"body": str(body), **rest}:
            try:
                return {**rest, "body": json.loads(body)}
            except ValueError:
                return answer
        case _:
            return answer


def read_event(path: Path) -> Any:
    """The event in a file.

    Raises:
        StackError: there is none.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise StackError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise StackError(f"{path} is not JSON: {error}") from error


def main() -> int:
    parser = argparse.ArgumentParser(prog="make invoke EVENT=...", description=__doc__)
    parser.add_argument("event", type=Path)
    parser.add_argument("--data", type=Path, default=os.environ.get("DATA") or ".local")
    options = parser.parse_args()
    try:
        event = as_of_now(read_event(options.event))
        function = function_of(event)
        facts = DataFolder(options.data).running_stack()
        port = urlsplit(facts["endpoints"]["lambda"]).port or 0
        invoked = LambdaClient(port, timeout=INVOKE_SECONDS).invoke(function, event)
    except (StackError, OSError) as error:
        print(f"make invoke: {error}", file=sys.stderr)
        return 2
    print(json.dumps(readable(json.loads(invoked.payload)), ensure_ascii=False, indent=2))
    return 1 if invoked.is_error or invoked.status != 200 else 0


if __name__ == "__main__":
    sys.exit(main())
