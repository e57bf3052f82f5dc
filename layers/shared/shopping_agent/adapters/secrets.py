"""One JSON secret of Secrets Manager, read from AWS's Parameters and Secrets Lambda Extension over localhost.

The extension (a layer, so no AWS SDK here) keeps the secret for a while and refreshes it. It serves during
invocations only, never while a function initialises:
https://docs.aws.amazon.com/secretsmanager/latest/userguide/retrieving-secrets_lambda.html
"""

import json
import time
from typing import Any, Final, cast

import httpx

from shopping_agent.adapters.transport import deadline_client
from shopping_agent.errors import ConfigurationError, SecretsUnavailableError

TIMEOUT_SECONDS: Final = 3.0
_TRIES: Final = 4
_PAUSE_SECONDS: Final = 0.1


def read_secret(secret_id: str, *, port: int, token: str) -> dict[str, str]:
    """The keys of a secret that is one flat JSON object; nested values and nulls are left out.

    Args:
        secret_id: name or ARN of the secret.
        port: where the extension listens.
        token: the function's AWS_SESSION_TOKEN, which the extension asks for.

    Raises:
        SecretsUnavailableError: the extension or Secrets Manager does not hand the secret out.
        ConfigurationError: the secret is not a JSON object.
    """
    headers = {"X-Aws-Parameters-Secrets-Token": token}
    base_url = f"http://localhost:{port}"
    with deadline_client(base_url=base_url, headers=headers, timeout=TIMEOUT_SECONDS) as client:
        return _keys(_secret_string(client, secret_id))


def _secret_string(client: httpx.Client, secret_id: str) -> str:
    for attempt in range(_TRIES):
        if attempt:
            time.sleep(_PAUSE_SECONDS)
        try:
            reply = client.get("/secretsmanager/get", params={"secretId": secret_id})
        except httpx.ConnectError:
            continue
        except httpx.HTTPError as error:
            raise SecretsUnavailableError(f"no answer: {type(error).__name__}") from error
        if reply.is_success:
            return _text(reply)
        if b"not ready" not in reply.content:
            raise SecretsUnavailableError(f"the secret is refused with status {reply.status_code}")
    raise SecretsUnavailableError("the Parameters and Secrets extension is not ready")


def _text(reply: httpx.Response) -> str:
    try:
        return str(reply.json()["SecretString"])
    except (ValueError, KeyError, TypeError) as error:
        raise SecretsUnavailableError("the answer holds no SecretString") from error


def _keys(text: str) -> dict[str, str]:
    try:
        content: Any = json.loads(text)
    except ValueError:
        content = None
    if not isinstance(content, dict):
        raise ConfigurationError("SECRETS_ID: the secret must be one JSON object of setting names")
    pairs = cast(dict[str, Any], content).items()
    return {key: _plain(value) for key, value in pairs if isinstance(value, str | int | float)}


def _plain(value: str | int | float) -> str:
    return value if isinstance(value, str) else json.dumps(value)
