"""`make run`: starts the local stack, keeps it running, and stops all of it on Ctrl-C, SIGTERM or SIGHUP."""

import argparse
import ctypes
import os
import signal
import sys
from pathlib import Path
from types import FrameType

from functions.local.children import ChildFailedError
from functions.local.data_folder import StackError
from functions.local.launch import PR_SET_PDEATHSIG
from functions.local.stack import Stack, StackOptions, say

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def main() -> int:
    arguments = _arguments()
    if arguments.with_parent and sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    options = StackOptions(
        port=arguments.port,
        data=arguments.data,
        catalog=arguments.catalog,
        environment=dict(os.environ),
    )
    stack = Stack(options)
    for number in STOP_SIGNALS:
        signal.signal(number, _interrupt)
    try:
        stack.start()
        while True:
            signal.pause()
    except KeyboardInterrupt:
        say("stopping")
        return 0
    except (StackError, ChildFailedError, OSError) as error:
        print(f"make run: {error}", file=sys.stderr, flush=True)
        return 1
    finally:
        _ignore_stop_signals()
        stack.stop()


def _interrupt(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    _ignore_stop_signals()
    raise KeyboardInterrupt


def _ignore_stop_signals() -> None:
    """A second Ctrl-C must not break off the stopping."""
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m functions.local", description=__doc__)
    parser.add_argument("--port", type=_port, default=os.environ.get("PORT") or "8000")
    parser.add_argument("--data", type=Path, default=os.environ.get("DATA") or ".local")
    parser.add_argument("--catalog", type=Path, default=os.environ.get("CATALOG") or "demo")
    parser.add_argument(
        "--with-parent", action="store_true", help="stop when the process that started this ends"
    )
    return parser.parse_args()


def _port(text: str) -> int:
    port = int(text)
    if not 0 <= port <= 65535:
        raise argparse.ArgumentTypeError("a port is 0 (any free one) to 65535")
    return port
