"""The measured process of `make coldstart`: AWS's runtime client with a built function, until its first answer is given.

`python -I -S coldstart_process.py FILE PATH...`: isolated, so nothing but the function's folder and the paths can be
imported. What it used goes to FILE as JSON, a moment each: the interpreter has started, the client is loaded, the function
is initialised, its answer is given. With no handler in `_HANDLER` it imports httpx behind the client, and that is all: the
measure of the others, which find the client's modules loaded too.
"""

import importlib
import json
import os
import sys
import time
from typing import Any


def resident_megabytes() -> float:
    with open("/proc/self/status") as status:
        return int(status.read().split("VmHWM:")[1].split()[0]) / 1024


def moment() -> dict[str, float]:
    return {
        "cpu": time.process_time(),
        "megabytes": resident_megabytes(),
        "modules": len(sys.modules),
    }


def finish(file: str, moments: list[dict[str, float]]) -> None:
    with open(file, "w") as told:
        json.dump(moments, told)
    # At once: what an end costs is not asked.
    os._exit(0)


def main() -> None:
    file, *paths = sys.argv[1:]
    sys.path[:0] = [os.getcwd(), *paths]
    moments = [moment()]
    from awslambdaric import lambda_runtime_client
    from awslambdaric.__main__ import main as serve

    moments.append(moment())
    handler = os.environ.get("_HANDLER")
    if not handler:
        importlib.import_module("httpx")
        finish(file, [*moments, moment()])
    client = lambda_runtime_client.LambdaRuntimeClient
    wait = client.wait_next_invocation

    def watched(self: Any) -> Any:
        moments.append(moment())
        if len(moments) == 4:  # begun, loaded, initialised, answered
            finish(file, moments)
        return wait(self)

    client.wait_next_invocation = watched
    serve(["awslambdaric", handler])


if __name__ == "__main__":
    main()
