"""Replaces itself by a command that must not outlive the process that starts it.

Run as `python -I -S launch.py PARENT_PID COMMAND...`: the pid stays, so what is printed is the command's own.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def main() -> None:
    parent, command = int(sys.argv[1]), sys.argv[2:]
    if sys.platform.startswith("linux"):
        # Kept over exec. The kernel sends it when the *thread* that started us ends, see children.py.
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            sys.exit("the stack that started this process is gone")
    for number in STOP_SIGNALS:
        # A stack that is stopping ignores them, and what is ignored stays so over exec.
        signal.signal(number, signal.SIG_DFL)
    os.execvp(command[0], command)


if __name__ == "__main__":
    main()
