"""`shopping-agent ask TEXT`: one message to the assistant; the session is kept between calls."""

import argparse
import json
import os
from http import HTTPStatus
from pathlib import Path
from typing import Any

from functions.local.cli import CommandError, typed
from functions.local.data_folder import DataFolder, StackError
from functions.local.shown import show_reply

TIMEOUT_SECONDS = 60.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", nargs="+", help="the message; several words need no quotes")
    parser.add_argument("--base-url", help="address of the shop (default: the local stack)")
    parser.add_argument("--session", type=Path, help="file that keeps the session")
    parser.add_argument("--new", action="store_true", help="start a new session")
    parser.add_argument("--product", help="id of the product whose page the shopper is on")
    parser.add_argument("--json", action="store_true", help="print the reply as JSON")


def run(options: argparse.Namespace) -> int:
    url = (options.base_url or local_url()).rstrip("/")
    sessions = SessionFile(options.session or default_session_file())
    token = "" if options.new else sessions.token(url)
    body: dict[str, Any] = {"message": typed(" ".join(options.text))}
    if options.product:
        body["context"] = {"productId": options.product}
    reply = _ask(url, body, token)
    if reply.get("sessionToken"):
        sessions.keep(url, reply["sessionToken"])
    if options.json:
        print(json.dumps(reply, ensure_ascii=False, indent=2))
    else:
        show_reply(reply)
    return 0


def local_url() -> str:
    """The running local stack's address, else the address where it is by default."""
    try:
        return str(DataFolder(data_folder()).running_stack()["url"])
    except StackError:
        return f"http://127.0.0.1:{os.environ.get('PORT') or 8000}"


def data_folder() -> Path:
    """Where the local stack keeps its state, as `make run` reads it."""
    return Path(os.environ.get("DATA") or ".local")


def default_session_file() -> Path:
    """In the user's own state folder (XDG base directories)."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state"
    return Path(state) / "shopping-agent/session.json"


class SessionFile:
    """Tokens by shop address, readable by their owner only."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def token(self, url: str) -> str:
        return str(self._read().get(url, ""))

    def keep(self, url: str, token: str) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            text = json.dumps({**self._read(), url: token}, indent=2)
            DataFolder(self._path.parent).write_private(self._path, text)
        except OSError as error:
            raise CommandError(f"cannot keep the session in {self._path}: {error}") from error

    def _read(self) -> dict[str, Any]:
        try:
            kept = json.loads(self._path.read_text())
        except (OSError, ValueError):
            return {}
        return kept if isinstance(kept, dict) else {}


def _ask(url: str, body: dict[str, Any], token: str) -> dict[str, Any]:
    import httpx

    headers = {"authorization": f"Bearer {token}"} if token else {}
    try:
        with httpx.Client(base_url=url, timeout=TIMEOUT_SECONDS) as client:
            response = client.post("/api/v1/ai/cart", json=body, headers=headers)
            if response.status_code == HTTPStatus.UNAUTHORIZED and token:
                # A session of a stack that was cleaned, or an expired one: go on as a new guest.
                response = client.post("/api/v1/ai/cart", json=body)
    except httpx.ConnectError as error:
        raise CommandError(f"nobody answers at {url}; start the local stack: make run") from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise CommandError(f"no answer from {url}: {error or type(error).__name__}") from error
    if response.is_success:
        return response.json()
    raise CommandError(problem_of(response))


def problem_of(response: Any) -> str:
    """What a refusal says, for people."""
    try:
        problem = response.json()
        said = problem.get("detail") or problem.get("title") or problem.get("message")
        code = f" ({problem['code']})" if problem.get("code") else ""
    except (ValueError, AttributeError):
        said, code = response.text[:200], ""
    return f"{response.status_code}: {said}{code}"
