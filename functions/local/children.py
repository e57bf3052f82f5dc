"""Child processes that are kept running: started, watched, started again when they end, stopped in order."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LAUNCHER = Path(__file__).with_name("launch.py")
POLL_SECONDS = 0.05
BACK_OFF_SECONDS = (2.0, 2.0, 3.0, 4.0)
"""Pauses before the first and the further starts: long enough that a lost server is seen to be lost."""
STEADY_SECONDS = 10.0
"""A child that lived this long is healthy: its next end starts the back-off anew."""
TRIES_BEFORE_READY = 3
LOG_TAIL_LINES = 15


class ChildFailedError(Exception):
    """A child could not be brought up; the message ends with the last lines of its log."""


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def accepts_connections(port: int) -> bool:
    """Whether somebody listens on a port of 127.0.0.1."""
    with socket.socket() as client:
        client.settimeout(0.5)
        return client.connect_ex(("127.0.0.1", port)) == 0


def never_ended() -> None:
    """The default for a child whose end concerns nobody else."""


@dataclass(frozen=True, kw_only=True)
class ChildSpec:
    """What to run and how to tell that it works.

    Attributes:
        environment: the whole environment of the process.
        ready: asked again and again after each start; quick, and False rather than an exception.
        port: of 127.0.0.1, for people; 0 when there is none.
        tier: higher tiers are stopped first, so that a server outlives its clients.
        ended: called at once when the process ends, before it is started again.
        folder: where the command runs.
        back_off: seconds to wait before it is started again, by how often it ended in a row.
    """

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    ready: Callable[[], bool]
    port: int = 0
    tier: int = 0
    stop_seconds: float = 5.0
    ended: Callable[[], None] = never_ended
    folder: Path = ROOT
    back_off: Sequence[float] = BACK_OFF_SECONDS


@dataclass
class Child:
    """One child and its present process."""

    spec: ChildSpec
    log: Path
    process: "subprocess.Popen[bytes] | None" = None
    started_at: float = 0.0
    starts: int = 0
    failures: int = 0
    start_at: float = 0.0
    is_ready: threading.Event = field(default_factory=threading.Event)

    @property
    def pid(self) -> int:
        return self.process.pid if self.process else 0

    def kill(self) -> None:
        """End the process at once; the supervisor starts it again."""
        if self.process:
            self.process.kill()

    def log_tail(self) -> str:
        """The last lines that the child printed."""
        try:
            lines = self.log.read_text(errors="replace").splitlines()
        except OSError:
            return ""
        return "\n".join(f"    {line}" for line in lines[-LOG_TAIL_LINES:])


class Supervisor:
    """Runs children until stopped.

    One thread starts and stops every process: Linux ends a child with the thread that started it, so
    that thread must outlive them all, and no other may start one.
    """

    def __init__(self, *, logs: Path, report: Callable[[str], None]) -> None:
        self._logs = logs
        self._report = report
        self._children: list[Child] = []
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="supervisor", daemon=True)
        self.changed: Callable[[], None] = lambda: None
        """Called after each start of a process."""

    @property
    def children(self) -> list[Child]:
        with self._lock:
            return list(self._children)

    def add(self, spec: ChildSpec) -> Child:
        """Have one more child started soon; returns before it runs."""
        child = Child(spec=spec, log=self._logs / f"{spec.name}.log")
        with self._lock:
            self._children.append(child)
        if not self._thread.is_alive():
            self._thread.start()
        return child

    def wait_ready(self, children: Sequence[Child], seconds: float) -> None:
        """Wait until all work.

        Raises:
            ChildFailedError: when one keeps ending, or is not ready in time.
        """
        until = time.monotonic() + seconds
        for child in children:
            while not child.is_ready.wait(POLL_SECONDS):
                if self._stopping.is_set():
                    raise ChildFailedError("stopped while starting")
                if child.failures >= TRIES_BEFORE_READY:
                    raise ChildFailedError(f"{child.spec.name} keeps ending:\n{child.log_tail()}")
                if time.monotonic() > until:
                    raise ChildFailedError(
                        f"{child.spec.name} is not ready after {seconds:.0f} s:\n{child.log_tail()}"
                    )

    def stop(self) -> None:
        """End every child and whatever it started, higher tiers first."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    def _watch(self) -> None:
        while not self._stopping.wait(POLL_SECONDS):
            for child in self.children:
                if self._stopping.is_set():
                    break
                try:
                    self._look_after(child)
                except OSError as error:
                    # No room, no memory, or its folder is gone: this thread must live, try again.
                    child.start_at = time.monotonic() + child.spec.back_off[-1]
                    self._report(f"  {child.spec.name:<12} cannot be started: {error}")
        children = self.children
        for tier in sorted({child.spec.tier for child in children}, reverse=True):
            _stop_together([child for child in children if child.spec.tier == tier])

    def _look_after(self, child: Child) -> None:
        now = time.monotonic()
        if child.process is None:
            if now >= child.start_at:
                self._start(child)
        elif (code := child.process.poll()) is not None:
            self._ended(child, code)
        elif not child.is_ready.is_set() and child.spec.ready():
            child.is_ready.set()

    def _start(self, child: Child) -> None:
        self._logs.mkdir(parents=True, exist_ok=True)
        with child.log.open("wb" if child.starts == 0 else "ab") as log:
            child.process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(LAUNCHER), str(os.getpid()), *child.spec.command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=dict(child.spec.environment),
                cwd=child.spec.folder,
                start_new_session=True,
            )
        child.starts += 1
        child.started_at = time.monotonic()
        where = f"  127.0.0.1:{child.spec.port}" if child.spec.port else ""
        self._report(f"  {child.spec.name:<12} pid {child.process.pid:<8}{where}".rstrip())
        self.changed()

    def _ended(self, child: Child, code: int) -> None:
        lived = time.monotonic() - child.started_at
        child.failures = 1 if lived > STEADY_SECONDS else child.failures + 1
        pauses = child.spec.back_off
        pause = pauses[min(child.failures, len(pauses)) - 1]
        _signal_group(child, signal.SIGKILL)
        child.process = None
        child.is_ready.clear()
        child.start_at = time.monotonic() + pause
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        self._report(
            f"  {child.spec.name:<12} ended ({how}); again in {pause:g} s, see {child.log}"
        )
        child.spec.ended()


def _signal_group(child: Child, number: signal.Signals) -> None:
    if child.process is None:
        return
    try:
        os.killpg(child.process.pid, number)
    except (ProcessLookupError, PermissionError):
        return  # nobody is left in it (macOS says so with a PermissionError)


def _stop_together(children: Sequence[Child]) -> None:
    for child in children:
        _signal_group(child, signal.SIGTERM)
    for child in children:
        if child.process is None:
            continue
        try:
            child.process.wait(child.spec.stop_seconds)
        except subprocess.TimeoutExpired:
            child.process.kill()
            child.process.wait()
        _signal_group(child, signal.SIGKILL)
        child.process = None
