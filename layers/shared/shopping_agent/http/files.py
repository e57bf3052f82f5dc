"""Files of a function's own folder as replies: content type, ETag, compression; never a path outside the folder."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import aws_lambda_powertools

from shopping_agent.http.response import Response

_TYPES: Final[dict[str, str]] = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".webp": "image/webp",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
}
_BINARY: Final = frozenset({".png", ".jpg", ".webp", ".ico", ".woff2"})
PAGE_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; font-src 'self'; "
    "img-src 'self' https: data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


@dataclass(frozen=True)
class StaticFile:
    """One file, read when it is first asked for."""

    path: Path

    @cached_property
    def content(self) -> bytes:
        return self.path.read_bytes()

    @cached_property
    def etag(self) -> str:
        return f'"{sha256(self.content).hexdigest()[:32]}"'

    def reply(
        self,
        request_headers: dict[str, Any],
        *,
        policy: str = PAGE_POLICY,
        cache: str = "public, max-age=300",
    ) -> Response:
        """The file, or 304 when the client has it.

        Args:
            request_headers: of the event, names in lower case.
            policy: the Content-Security-Policy that a page among the files needs.
        """
        headers = {
            "ETag": self.etag,
            "Cache-Control": cache,
            "Content-Security-Policy": policy,
        }
        known = str(request_headers.get("if-none-match") or "")
        if known == "*" or self.etag in (
            tag.strip().removeprefix("W/") for tag in known.split(",")
        ):
            return Response(304, headers=headers)
        suffix = self.path.suffix
        kind = _TYPES.get(suffix, "application/octet-stream")
        if suffix in _BINARY or suffix not in _TYPES:
            return Response(200, self.content, kind, headers)
        return Response(200, self.content.decode(), kind, headers, compress=True)


class StaticFolder:
    """The files of a folder by their path in it (`icon.svg`). What is not listed when it is made does not exist."""

    def __init__(self, folder: Path) -> None:
        self._files = {
            path.relative_to(folder).as_posix(): StaticFile(path)
            for path in sorted(folder.rglob("*"))
            if path.is_file() and not path.name.startswith(".")
        }

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def get(self, name: str) -> StaticFile | None:
        return self._files.get(name)


def swagger_files() -> dict[str, StaticFile]:
    """Swagger UI's script and style, which Powertools brings along."""
    package = Path(aws_lambda_powertools.__file__).parent
    folder = package / "event_handler" / "openapi" / "swagger_ui"
    return {
        name: StaticFile(folder / name)
        for name in ("swagger-ui-bundle.min.js", "swagger-ui.min.css")
    }
