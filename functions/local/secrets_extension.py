"""AWS's Parameters and Secrets extension, as far as the functions use it: one secret, for whoever has the function's token."""

import json
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote

SECRET_ID = "shopping-agent"
TOKEN = "token-of-the-function"


@contextmanager
def secrets_extension(secret: Mapping[str, str]) -> Generator[dict[str, str]]:
    """The variables of a function that reads this secret, until the block ends."""
    wanted = f"/secretsmanager/get?secretId={quote(SECRET_ID)}"

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002

        def do_GET(self) -> None:
            known = self.headers.get("X-Aws-Parameters-Secrets-Token") == TOKEN
            known = known and self.path == wanted
            body = json.dumps({"SecretString": json.dumps(dict(secret))}) if known else "no"
            self.send_response(200 if known else 400)
            self.send_header("Content-Length", str(len(body.encode())))
            self.end_headers()
            self.wfile.write(body.encode())

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.1,), daemon=True).start()
    try:
        yield {
            "SECRETS_ID": SECRET_ID,
            "AWS_SESSION_TOKEN": TOKEN,
            "PARAMETERS_SECRETS_EXTENSION_HTTP_PORT": str(server.server_address[1]),
        }
    finally:
        server.shutdown()
        server.server_close()
