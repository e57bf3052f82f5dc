"""The secret of SECRETS_ID, against a stand-in of AWS's extension on localhost."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest
from shopping_agent import bootstrap
from shopping_agent.adapters.secrets import read_secret
from shopping_agent.errors import ConfigurationError, SecretsUnavailableError

SECRET = {"SESSION_SECRET": "s3cret", "QDRANT_API_KEY": "from-the-secret", "MAX_TOOL_CALLS": 7}


class Extension:
    """Answers `GET /secretsmanager/get` for one secret, as the documentation of the extension says."""

    def __init__(self) -> None:
        self.secret = json.dumps(SECRET)
        self.requests: list[tuple[str, str]] = []
        self.not_ready = 0
        extension = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002

            def do_GET(self) -> None:
                status, body = extension.answer(
                    self.path, self.headers.get("X-Aws-Parameters-Secrets-Token", "")
                )
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = int(self.server.server_address[1])
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def answer(self, path: str, token: str) -> tuple[int, bytes]:
        self.requests.append((path, token))
        if self.not_ready:
            self.not_ready -= 1
            return 400, b"not ready to serve traffic, please wait"
        if token != "session-token":
            return 401, b"Request token is not valid"
        url = urlsplit(path)
        if url.path != "/secretsmanager/get" or parse_qs(url.query) != {"secretId": ["shop/dev"]}:
            return 404, b"ResourceNotFoundException"
        return 200, json.dumps({"Name": "shop/dev", "SecretString": self.secret}).encode()


@pytest.fixture
def extension() -> Iterator[Extension]:
    stand_in = Extension()
    yield stand_in
    stand_in.server.shutdown()
    stand_in.server.server_close()


@pytest.fixture
def use_extension(extension: Extension, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable]:
    def use(**variables: str) -> None:
        monkeypatch.setenv("SECRETS_ID", "shop/dev")
        monkeypatch.setenv("AWS_SESSION_TOKEN", "session-token")
        monkeypatch.setenv("PARAMETERS_SECRETS_EXTENSION_HTTP_PORT", str(extension.port))
        for name, value in variables.items():
            monkeypatch.setenv(name, value)

    bootstrap.settings.cache_clear()
    yield use
    bootstrap.settings.cache_clear()


def test_the_keys_of_the_secret_are_read_with_the_session_token(extension: Extension):
    assert read_secret("shop/dev", port=extension.port, token="session-token") == {
        "SESSION_SECRET": "s3cret",
        "QDRANT_API_KEY": "from-the-secret",
        "MAX_TOOL_CALLS": "7",
    }
    assert extension.requests == [("/secretsmanager/get?secretId=shop%2Fdev", "session-token")]


def test_an_extension_that_is_not_ready_is_asked_again(extension: Extension):
    extension.not_ready = 2
    assert read_secret("shop/dev", port=extension.port, token="session-token")


def test_an_extension_that_never_gets_ready_is_given_up(extension: Extension):
    extension.not_ready = 100
    with pytest.raises(SecretsUnavailableError):
        read_secret("shop/dev", port=extension.port, token="session-token")
    assert len(extension.requests) < 10


@pytest.mark.parametrize(("secret_id", "token"), [("other", "session-token"), ("shop/dev", "bad")])
def test_a_refusal_is_an_unavailable_dependency(extension: Extension, secret_id: str, token: str):
    with pytest.raises(SecretsUnavailableError):
        read_secret(secret_id, port=extension.port, token=token)
    assert len(extension.requests) == 1


def test_no_extension_is_an_unavailable_dependency(extension: Extension):
    extension.server.server_close()
    with pytest.raises(SecretsUnavailableError):
        read_secret("shop/dev", port=extension.port, token="session-token")


@pytest.mark.parametrize("secret", ["just text", '["a"]'])
def test_a_secret_that_is_no_json_object_is_a_wrong_setting_and_is_not_quoted(
    extension: Extension, secret: str
):
    extension.secret = secret
    with pytest.raises(ConfigurationError, match="SECRETS_ID") as raised:
        read_secret("shop/dev", port=extension.port, token="session-token")
    assert secret not in str(raised.value)


def test_the_secret_fills_only_what_the_environment_lacks(use_extension: Callable):
    use_extension(QDRANT_API_KEY="from-the-environment", SESSION_SECRET="")
    settings = bootstrap.settings()
    assert settings.qdrant_api_key.get_secret_value() == "from-the-environment"
    assert settings.session_secret.get_secret_value() == "s3cret"
    assert settings.max_tool_calls == 7


def test_the_secret_is_read_once_per_process_and_again_after_a_failure(
    extension: Extension, use_extension: Callable
):
    use_extension()
    extension.not_ready = 100
    with pytest.raises(SecretsUnavailableError):
        bootstrap.settings()
    extension.not_ready = 0
    extension.requests.clear()
    assert bootstrap.settings() is bootstrap.settings()
    assert len(extension.requests) == 1


def test_without_secrets_id_nothing_is_asked(
    extension: Extension, use_extension: Callable, monkeypatch: pytest.MonkeyPatch
):
    use_extension()
    monkeypatch.setenv("SECRETS_ID", "")
    assert bootstrap.settings().session_secret.get_secret_value() == ""
    assert extension.requests == []
