"""Fresh processes of built functions, each answering one event: AWS's runtime client against our Runtime API."""

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from functions.local.invocations import FunctionQueue, Outcome
from functions.local.runtime import RuntimeApi

PROCESS: Final = Path(__file__).with_name("coldstart_process.py")
SECONDS: Final = 60.0
FUNCTION_SECONDS: Final = 29


class RunFailedError(Exception):
    """A process ended without an answer, or with a bad one; the message says what it printed."""


@dataclass(frozen=True)
class Case:
    """One row.

    Attributes:
        paths: after the function's folder, in Lambda's order.
        event: None of the baseline, which handles none.
    """

    name: str
    folder: Path
    paths: Sequence[Path]
    variables: Mapping[str, str]
    event: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Start:
    """What one process used, in processor milliseconds; at the end, memory and modules.

    Attributes:
        begun: until the interpreter had started. What AWS's runtime client costs to load is in no figure: Lambda brings it.
    """

    begun: float
    init: float
    first: float
    megabytes: float
    modules: int

    @property
    def cpu(self) -> float:
        return self.init + self.first


def start(python: Path, case: Case) -> tuple[Start, Any]:
    """One fresh process of a case, to its first answer.

    Raises:
        RunFailedError: there was none.
    """
    queue = FunctionQueue(name=case.name, timeout=FUNCTION_SECONDS)
    runtime = RuntimeApi(functions=queue, kill=_nothing_to_kill)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as pool:
        told = Path(folder, "told.json")
        event = json.dumps(case.event).encode()
        answered = None if case.event is None else pool.submit(queue.invoke, event)
        try:
            ran = _run(python, case, told, runtime.address)
        finally:
            runtime.close()  # an event that nobody answered has failed
        outcome = answered.result(SECONDS) if answered else Outcome(b"null")
        if not told.exists() or outcome.error:
            printed = (ran.stdout + ran.stderr).decode(errors="replace")[-2000:]
            raise RunFailedError(f"{case.name}: {outcome.payload.decode()}\n{printed}")
        return start_of(json.loads(told.read_text())), json.loads(outcome.payload)


def _run(
    python: Path, case: Case, told: Path, address: str
) -> "subprocess.CompletedProcess[bytes]":
    variables = {
        "PATH": os.defpath,
        "TZ": ":UTC",
        "LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", ""),
        **case.variables,
        "AWS_LAMBDA_RUNTIME_API": address,
        "AWS_LAMBDA_FUNCTION_NAME": case.name,
        "_HANDLER": "" if case.event is None else "app.lambda_handler",
    }
    return subprocess.run(
        [str(python), "-I", "-S", str(PROCESS), str(told), *map(str, case.paths)],
        cwd=case.folder,
        env=variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=SECONDS,
    )


def _nothing_to_kill() -> None:
    """A process over its time is ended by the time-out of its run."""


def start_of(moments: Sequence[Mapping[str, float]]) -> Start:
    """From the moments of a process: begun, loaded, initialised and, of a function, answered."""
    cpu = [moment["cpu"] * 1000 for moment in moments]
    last = moments[-1]
    first = cpu[3] - cpu[2] if len(cpu) > 3 else 0.0
    return Start(cpu[0], cpu[2] - cpu[1], first, last["megabytes"], int(last["modules"]))
