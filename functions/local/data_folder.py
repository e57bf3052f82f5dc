"""The folder that keeps a local stack's state between runs; one stack at a time may use it."""

import fcntl
import json
import os
import secrets
from pathlib import Path
from typing import IO, Any


class StackError(Exception):
    """The stack cannot start or is not there; the message says what to do."""


class DataFolder:
    """Paths and small files under DATA. Files with secrets are readable by their owner only."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self.logs = self.root / "logs"
        self.variables = self.root / "env.json"
        self.token_file = self.root / "operator-token"
        self._stack = self.root / "stack.json"
        self._lock: IO[str] | None = None

    def folder(self, name: str) -> Path:
        """A folder for one part's own files."""
        path = self.root / name
        path.mkdir(parents=True, exist_ok=True)
        return path

    def lock(self) -> None:
        """Take the folder until this process ends.

        Raises:
            StackError: another stack uses it, or nothing can be written there.
        """
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            lock = (self.root / "lock").open("a+")
        except OSError as error:
            raise StackError(
                f"DATA={self.root} cannot be used: {error.strerror}; "
                "choose another folder: make run DATA=/some/folder"
            ) from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            lock.seek(0)
            holder = lock.read().strip()
            lock.close()
            raise StackError(
                f"another stack (pid {holder}) already runs on DATA={self.root}{self._place()}; "
                "stop it, or choose another folder: make run DATA=/some/folder"
            ) from error
        lock.seek(0)
        lock.truncate()
        lock.write(str(os.getpid()))
        lock.flush()
        self._lock = lock

    def _place(self) -> str:
        """Where the stack that has the folder serves, as far as it said so yet."""
        try:
            return f" at {self.running_stack()['url']}"
        except (StackError, KeyError):
            return ""

    def release(self) -> None:
        """Say that the stack is gone and let another have the folder; nothing without the lock."""
        if self._lock is None:
            return
        self._stack.unlink(missing_ok=True)
        self._lock.close()
        self._lock = None

    def session_secret(self) -> str:
        """The secret that signs shoppers' tokens: made once, then kept."""
        return self._secret("session-secret")

    def checkout_secret(self) -> str:
        """The secret shared with the shop's checkout: made once, then kept."""
        return self._secret("checkout-secret")

    def operator_token(self) -> str:
        """The token that opens the operator page: made once, then kept."""
        return self._secret(self.token_file.name)

    def _secret(self, name: str) -> str:
        path = self.root / name
        if not path.exists():
            self.write_private(path, secrets.token_urlsafe(48))
        return path.read_text().strip()

    def write_private(self, path: Path, text: str) -> None:
        """Replace a file at once, readable by its owner only."""
        part = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(text)
        part.replace(path)

    def write_stack(self, facts: dict[str, Any]) -> None:
        """What tools need to know of the running stack: addresses, bucket, pids."""
        self.root.mkdir(parents=True, exist_ok=True)
        self.write_private(self._stack, json.dumps(facts, indent=2) + "\n")

    def write_variables(self, functions: dict[str, dict[str, str]]) -> None:
        """The file of `sam local invoke --env-vars`."""
        self.write_private(self.variables, json.dumps(functions, indent=2) + "\n")

    def function_variable(self, name: str) -> str:
        """A variable that the running stack's functions have; empty without one."""
        try:
            functions = json.loads(self.variables.read_text())
        except (OSError, ValueError):
            return ""
        return next((v[name] for v in functions.values() if v.get(name)), "")

    def running_stack(self) -> dict[str, Any]:
        """What the running stack wrote down.

        Raises:
            StackError: none runs on this folder.
        """
        try:
            facts = json.loads(self._stack.read_text())
            os.kill(facts["pid"], 0)
        except (OSError, ValueError) as error:
            raise StackError(
                f"no local stack runs on DATA={self.root}; start one with: make run"
            ) from error
        return facts

    def read_record(self, name: str) -> dict[str, Any]:
        """A small JSON record; empty when there is none yet."""
        try:
            return json.loads((self.root / name).read_text())
        except (OSError, ValueError):
            return {}

    def write_record(self, name: str, record: dict[str, Any]) -> None:
        self.write_private(self.root / name, json.dumps(record, indent=2) + "\n")
