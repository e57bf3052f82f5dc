"""What the doctor looks at: an address, a bucket, and the settings that were given, each of which may be missing."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from shopping_agent.errors import ConfigurationError
from shopping_agent.settings import Settings

from functions.local.cli import CommandError
from functions.local.data_folder import DataFolder
from functions.local.doctor.findings import NotCheckedError
from functions.local.variables import settings_of

OTHERS = ("AWS_",)
"""Beginnings of variables in a settings file that are no settings of ours, and no mistake."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A deployment, or the local stack.

    Attributes:
        given: the settings that are known, by their names; of a deployment maybe none.
        unknown: names of the settings files that are no settings.
        wrong: why the settings are refused; empty where they are not.
        bucket: empty where none is named.
        paid: calls that cost money are allowed.
    """

    base_url: str
    bucket: str
    given: Mapping[str, str]
    local: bool
    seconds: float
    paid: bool = False
    origin: str = ""
    unknown: tuple[str, ...] = ()
    wrong: str = ""
    settings: Settings = field(default_factory=Settings)

    def needs(self, *names: str) -> Settings:
        """The settings.

        Raises:
            NotCheckedError: they are refused as a whole, or one of the names was not given.
        """
        if self.wrong:
            raise NotCheckedError("settings that are accepted")
        missing = [name for name in names if not self.given.get(name)]
        if missing:
            raise NotCheckedError(f"{' and '.join(missing)}, in the environment or by --settings")
        return self.settings

    def address(self) -> str:
        if not self.base_url:
            raise NotCheckedError("the API's address: --base-url")
        return self.base_url


def of_local_stack(folder: Path, *, seconds: float, paid: bool, origin: str) -> Subject:
    """The running stack of a DATA folder.

    Raises:
        StackError: none runs there.
    """
    data = DataFolder(folder)
    facts = data.running_stack()
    given = _settings_in(_read(data.variables))
    return _subject(
        given,
        base_url=str(facts["url"]),
        bucket=str(facts["bucket"]),
        local=True,
        seconds=seconds,
        paid=paid,
        origin=origin,
    )


def of_deployment(
    *, base_url: str, bucket: str, files: list[Path], seconds: float, paid: bool, origin: str
) -> Subject:
    """A deployment by its address and its bucket; settings from files, over the environment's.

    Raises:
        CommandError: an address or a file is not what it should be.
    """
    if base_url and not _is_address(base_url):
        raise CommandError(f"--base-url must be an http(s) address, not {base_url!r}")
    read: dict[str, str] = {}
    for file in files:
        read |= _settings_in(_read(file))
    known = {name.upper() for name in Settings.model_fields}
    return _subject(
        settings_of({**os.environ, **read}),
        base_url=base_url.rstrip("/"),
        bucket=bucket,
        local=False,
        seconds=seconds,
        paid=paid,
        origin=origin,
        unknown=tuple(sorted(n for n in read if n not in known and not n.startswith(OTHERS))),
    )


def _subject(given: Mapping[str, str], **rest: Any) -> Subject:
    try:
        return Subject(given=given, settings=Settings.from_mapping(given), **rest)
    except ConfigurationError as error:
        return Subject(given=given, wrong=str(error), **rest)


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _read(file: Path) -> Mapping[str, Any]:
    try:
        document: Any = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise CommandError(
            f"{file} cannot be read as JSON: {getattr(error, 'strerror', None) or type(error).__name__}"
        ) from None
    if not isinstance(document, dict):
        raise CommandError(f"{file} must hold one JSON object of settings")
    return cast("Mapping[str, Any]", document)


def _settings_in(document: Mapping[str, Any]) -> dict[str, str]:
    """Settings by name; of objects by function (`env.json`), or of `Variables` (AWS's own answer), all of them."""
    found: dict[str, str] = {}
    for name, value in document.items():
        if isinstance(value, Mapping):
            found |= _settings_in(cast("Mapping[str, Any]", value))
        elif value not in ("", None):
            found[str(name)] = str(value)
    return found
