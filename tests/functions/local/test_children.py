"""The supervisor of child processes."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from functions.local.children import (
    ROOT,
    ChildFailedError,
    ChildSpec,
    Supervisor,
    accepts_connections,
    free_port,
)

pytestmark = pytest.mark.slow


def spec(code: str, *, ready: Callable[[], bool] = lambda: True, **rest: object) -> ChildSpec:
    return ChildSpec(
        name="child",
        command=[sys.executable, "-c", code],
        environment={},
        ready=ready,
        **rest,  # pyright: ignore[reportArgumentType]
    )


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def eventually(condition: Callable[[], bool], seconds: float = 10) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if condition():
            return True
        time.sleep(0.02)
    return False


def test_a_child_that_ends_is_started_again_on_the_same_port(supervisor: Supervisor) -> None:
    port = free_port()
    code = f"import http.server as h; h.HTTPServer(('127.0.0.1', {port}), None).serve_forever()"
    child = supervisor.add(spec(code, port=port, ready=lambda: accepts_connections(port)))
    supervisor.wait_ready([child], 20)
    pid = child.pid
    os.kill(pid, signal.SIGKILL)
    assert eventually(lambda: child.pid not in (0, pid))
    supervisor.wait_ready([child], 10)
    assert accepts_connections(port)


def test_the_end_of_a_child_is_told_before_it_is_started_again(supervisor: Supervisor) -> None:
    told: list[int] = []
    child = supervisor.add(spec("import time; time.sleep(60)", ended=lambda: told.append(1)))
    supervisor.wait_ready([child], 20)
    child.kill()
    assert eventually(lambda: child.starts == 2)
    assert told == [1]


def test_a_child_that_cannot_start_is_named_with_what_it_printed(supervisor: Supervisor) -> None:
    child = supervisor.add(spec("raise SystemExit('wrong setting')", ready=lambda: False))
    with pytest.raises(ChildFailedError, match=r"child keeps ending(.|\n)*wrong setting"):
        supervisor.wait_ready([child], 20)


def test_a_child_that_is_never_ready_is_named_after_the_time_given(supervisor: Supervisor) -> None:
    child = supervisor.add(spec("import time; time.sleep(60)", ready=lambda: False))
    with pytest.raises(ChildFailedError, match="not ready"):
        supervisor.wait_ready([child], 0.5)


def test_a_child_that_cannot_even_be_started_is_told_and_tried_again(tmp_path: Path) -> None:
    lines: list[str] = []
    supervisor = Supervisor(logs=tmp_path / "logs", report=lines.append)
    (tmp_path / "logs").write_text("a file where the folder should be")
    child = supervisor.add(spec("import time; time.sleep(60)", back_off=(0.1,)))
    try:
        assert eventually(lambda: any("cannot be started" in line for line in lines))
        (tmp_path / "logs").unlink()
        supervisor.wait_ready([child], 20)
    finally:
        supervisor.stop()


def test_stopping_ends_the_children_of_children_and_one_that_ignores_sigterm(
    supervisor: Supervisor, tmp_path: Path
) -> None:
    pid_file = tmp_path / "pid"
    code = f"""
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
open({str(pid_file)!r}, "w").write(str(child.pid))
time.sleep(60)
"""
    child = supervisor.add(spec(code, ready=pid_file.exists, stop_seconds=0.3))
    supervisor.wait_ready([child], 20)
    assert eventually(lambda: pid_file.read_text() != "")
    pids = [child.pid, int(pid_file.read_text())]
    supervisor.stop()
    assert eventually(lambda: not any(is_running(pid) for pid in pids))


def test_a_child_started_by_a_process_that_ignores_sigterm_still_obeys_it(tmp_path: Path) -> None:
    code = """
import signal, sys, time
from pathlib import Path
from functions.local.children import ChildSpec, Supervisor
signal.signal(signal.SIGTERM, signal.SIG_IGN)
supervisor = Supervisor(logs=Path(sys.argv[1]), report=lambda line: None)
ready = Path(sys.argv[1]) / "ready"
command = [sys.executable, "-c", f"import time; open({str(ready)!r}, 'w'); time.sleep(60)"]
child = supervisor.add(ChildSpec(name="c", command=command, environment={}, ready=ready.exists))
supervisor.wait_ready([child], 20)
began = time.monotonic()
supervisor.stop()
print(time.monotonic() - began)
"""
    stack = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        check=True,
    )
    assert float(stack.stdout) < 3


def test_higher_tiers_are_stopped_before_lower_ones(supervisor: Supervisor, tmp_path: Path) -> None:
    order = tmp_path / "order"
    code = """
import signal, sys
def end(*_):
    open({order!r}, "a").write({name!r})
    sys.exit(0)
signal.signal(signal.SIGTERM, end)
open({ready!r}, "w").close()
signal.pause()
"""
    for name, tier in (("server ", 0), ("client ", 1)):
        ready = tmp_path / name.strip()
        text = code.format(order=str(order), name=name, ready=str(ready))
        child = supervisor.add(spec(text, tier=tier, ready=ready.exists))
        supervisor.wait_ready([child], 20)
    supervisor.stop()
    assert order.read_text() == "client server "


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's signal exists on Linux only")
def test_children_end_when_the_supervisors_process_is_killed(tmp_path: Path) -> None:
    code = """
import sys, time
from pathlib import Path
from functions.local.children import ChildSpec, Supervisor
supervisor = Supervisor(logs=Path(sys.argv[1]), report=lambda line: None)
command = [sys.executable, "-c", "import time; time.sleep(60)"]
child = supervisor.add(ChildSpec(name="c", command=command, environment={}, ready=lambda: True))
supervisor.wait_ready([child], 20)
print(child.pid, flush=True)
time.sleep(60)
"""
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as stack:
        assert stack.stdout
        pid = int(stack.stdout.readline())
        assert is_running(pid)
        stack.kill()
    assert eventually(lambda: not is_running(pid))
