"""Lambda on one machine: functions with their execution environments as watched child processes."""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from functions.local.children import ROOT, Child, ChildSpec, Supervisor
from functions.local.invocations import FunctionQueue, Outcome
from functions.local.runtime import REGION, InvokeApi, RuntimeApi

ENVIRONMENT_TIER = 2
# Lambda starts another at once.
ENVIRONMENT_BACK_OFF = (0.1, 0.5, 1.0, 2.0, 4.0)
RUNTIME_CLIENT = (sys.executable, "-m", "functions.local.environment")
"""Our own runtime client; the function's folder is its argument."""


@dataclass(frozen=True, kw_only=True)
class FunctionSpec:
    """A function as the template describes it, and how many environments it has here.

    Attributes:
        folder: holds `app.py` with `lambda_handler`.
        timeout: seconds.
        memory: megabytes; told to the function, not enforced.
        command: a runtime client to use instead of ours, run in `folder`, such as
            `PYTHON -m awslambdaric app.lambda_handler`.
    """

    name: str
    folder: Path
    timeout: float
    memory: int = 1024
    environments: int = 1
    handler: str = "app.lambda_handler"
    command: Sequence[str] = ()

    def variables(self, runtime_api: str) -> dict[str, str]:
        """What Lambda itself sets in an execution environment."""
        return {
            "AWS_LAMBDA_RUNTIME_API": runtime_api,
            "AWS_LAMBDA_FUNCTION_NAME": self.name,
            "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
            "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": str(self.memory),
            "AWS_LAMBDA_LOG_GROUP_NAME": f"/aws/lambda/{self.name}",
            "AWS_LAMBDA_LOG_STREAM_NAME": "local",
            "LAMBDA_TASK_ROOT": str(self.folder),
            "_HANDLER": self.handler,
            "TZ": ":UTC",
            "PYTHONUNBUFFERED": "1",
        }


class LambdaService:
    """Functions that can be invoked, in this process by `invoke` and by anyone through the Invoke API.

    Args:
        supervisor: starts the environments and starts them again when they end.
    """

    def __init__(self, *, supervisor: Supervisor) -> None:
        self._supervisor = supervisor
        self._queues: dict[str, FunctionQueue] = {}
        self._runtimes: list[RuntimeApi] = []
        self._api = InvokeApi(self._queues)

    @property
    def port(self) -> int:
        """The Invoke API's."""
        return self._api.port

    def add(self, function: FunctionSpec, environment: Mapping[str, str]) -> list[Child]:
        """Start a function's environments with these variables; wait for them with the supervisor."""
        queue = FunctionQueue(name=function.name, timeout=function.timeout)
        self._queues[function.name] = queue
        return [
            self._start(function, queue, environment, number)
            for number in range(1, function.environments + 1)
        ]

    def _start(
        self,
        function: FunctionSpec,
        queue: FunctionQueue,
        environment: Mapping[str, str],
        number: int,
    ) -> Child:
        children: list[Child] = []
        runtime = RuntimeApi(functions=queue, kill=lambda: children[0].kill())
        self._runtimes.append(runtime)
        own = {"AWS_REGION": REGION, "AWS_DEFAULT_REGION": REGION}
        own |= {"PATH": os.environ.get("PATH", os.defpath), **environment}
        spec = ChildSpec(
            name=f"{function.name}-{number}",
            command=function.command or [*RUNTIME_CLIENT, str(function.folder)],
            folder=function.folder if function.command else ROOT,
            environment=own | function.variables(runtime.address),
            ready=runtime.is_ready,
            tier=ENVIRONMENT_TIER,
            stop_seconds=1.0,
            back_off=ENVIRONMENT_BACK_OFF,
            ended=runtime.ended,
        )
        children.append(self._supervisor.add(spec))
        return children[0]

    def invoke(self, name: str, event: Any) -> Outcome:
        """Run one event and wait for its outcome."""
        return self._queues[name].invoke(json.dumps(event).encode())

    def close(self) -> None:
        """Stop serving; the supervisor stops the processes."""
        for runtime in self._runtimes:
            runtime.close()
        self._api.close()
