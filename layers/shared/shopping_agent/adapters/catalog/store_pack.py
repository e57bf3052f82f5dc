"""Loads a store pack: the default one in this package, a folder, or a prefix of a bucket, file by file."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.store import Contacts, Phrases, StorePack
from shopping_agent.domain.vocabulary import Vocabulary
from shopping_agent.errors import ConfigurationError, ObjectsUnavailableError

if TYPE_CHECKING:
    from shopping_agent.adapters.catalog.columns import Columns

DEFAULT: Final = Path(__file__).parents[2] / "store_pack"
_MAX_BYTES: Final = 4_000_000
_SECONDS: Final = 10.0

Document = Mapping[str, Any]
Read = Callable[[str], bytes | None]
T = TypeVar("T")


def load_store_pack(location: str = "", *, endpoint_url: str = "") -> StorePack:
    """The store pack of a place. Each file, phrase and prompt that is missing there is the default pack's.

    Args:
        location: "" for the default pack, a folder, or `s3://bucket/prefix`.
        endpoint_url: of a stand-in for S3.

    Raises:
        ConfigurationError: naming the file and the field that is wrong, or the place that is not there.
    """
    read = _reader(location, endpoint_url)
    store, phrases, prompts, vocabulary = (
        _File.read(name, read)
        for name in ("store.json", "phrases.json", "prompts.json", "vocabulary.json")
    )
    contacts = store.nested("contacts")
    return StorePack(
        name=store.text("name"),
        currency=_currency(store),
        contacts=Contacts(
            whatsapp=contacts.text("whatsapp"),
            phone=contacts.text("phone"),
            email=contacts.text("email"),
            hours=contacts.texts("hours"),
        ),
        vocabulary=_vocabulary(vocabulary),
        phrases=_phrases(phrases),
        prompts=_prompts(prompts),
        suggestions={
            lang: store.nested("suggestions").list(lang) for lang in store.object("suggestions")
        },
        ai_notice=store.texts("aiNotice"),
    )


def load_columns(location: str = "", *, endpoint_url: str = "") -> "Columns":
    """What headers of catalog files mean: those of a place's `columns.json` before the default ones.

    Raises:
        ConfigurationError: naming what is wrong in the file, or the place that is not there.
    """
    # Only ingestion reads catalog files.
    from shopping_agent.adapters.catalog import columns

    own = _document(columns.FILE, _reader(location, endpoint_url)) if location else None
    return columns.Columns.from_document(own or {}, columns.default_headers())


def pack_reader(location: str, endpoint_url: str) -> Read:
    """The files of a place by name, None where one is missing.

    Raises:
        ConfigurationError: the place is not there.
    """
    return _reader(location, endpoint_url)


def pack_document(name: str, content: bytes) -> Document:
    """A file of a pack as a JSON object.

    Raises:
        ConfigurationError: naming the file.
    """
    try:
        document: Any = json.loads(content.decode("utf-8-sig"))
    except ValueError as error:
        raise ConfigurationError(f"store pack: {name} is no JSON: {error}") from error
    if not isinstance(document, dict):
        raise ConfigurationError(f"store pack: {name} must be an object")
    return cast(Document, document)


class _File:
    """One JSON object of the pack; every getter names the file and field that is wrong."""

    def __init__(
        self, name: str, document: Document, at: str = "", *, is_standard: bool = False
    ) -> None:
        self.name = name
        self.document = document
        self.is_standard = is_standard
        self._at = at

    @classmethod
    def read(cls, name: str, read: Read) -> "_File":
        """The pack's own file, else the default pack's."""
        own = None if read is _standard else _document(name, read)
        return cls.standard(name) if own is None else cls(name, own)

    @classmethod
    def standard(cls, name: str) -> "_File":
        """The default pack's file."""
        return cls(name, _document(name, _standard) or {}, is_standard=True)

    def text(self, field: str) -> str:
        return self._get(field, str, "a text")

    def list(self, field: str) -> "list[str]":
        values = cast("list[Any]", self._get(field, list, "a list of texts"))
        if not all(isinstance(value, str) for value in values):
            raise self.wrong(field, "a list of texts")
        return values

    def object(self, field: str) -> Document:
        return cast(Document, self._get(field, dict, "an object"))

    def texts(self, field: str) -> Mapping[str, str]:
        values = self.object(field)
        if not all(isinstance(value, str) for value in values.values()):
            raise self.wrong(field, "an object of texts")
        return values

    def nested(self, field: str) -> "_File":
        return _File(self.name, self.object(field), f"{self._at}{field}.")

    def wrong(self, field: str, expected: str) -> ConfigurationError:
        return ConfigurationError(f"store pack: {self.name}: {self._at}{field} must be {expected}")

    def _get(self, field: str, kind: type[T], expected: str) -> T:
        value = self.document.get(field)
        if not isinstance(value, kind):
            raise self.wrong(field, expected)
        return value


def _currency(store: _File) -> str:
    currency = store.text("currency")
    if len(currency) != 3 or not currency.isascii() or not currency.isupper():
        raise store.wrong("currency", "an ISO code such as MAD")
    return currency


def _phrases(file: _File) -> Phrases:
    """The pack's phrases over the default ones; each fills in at most what the default phrase of its key does."""
    own = {language: file.texts(language) for language in file.document}
    if file.is_standard:
        return Phrases(own)
    standard = _File.standard(file.name)
    known = {language: standard.texts(language) for language in standard.document}
    for language, texts in own.items():
        for key, text in texts.items():
            allowed = {name for said in known.values() for name in _blanks(said.get(key, "")) or ()}
            if (wanted := _blanks(text)) is None or (key in known["en"] and not wanted <= allowed):
                blanks = ", ".join(f"{{{name}}}" for name in sorted(allowed)) or "no {blanks}"
                raise file.wrong(f"{language}.{key}", f"a text with {blanks}")
    return Phrases(
        {lang: {**known.get(lang, {}), **own.get(lang, {})} for lang in {**known, **own}}
    )


def _blanks(text: str) -> set[str] | None:
    """The names that a text leaves open as `{name}`; None when it cannot be filled in."""
    try:
        return {name for _, name, _, _ in Formatter().parse(text) if name is not None}
    except ValueError:
        return None


def _prompts(file: _File) -> dict[str, str]:
    own = {key: file.text(key) for key in file.document}
    return own if file.is_standard else {**_prompts(_File.standard(file.name)), **own}


def _vocabulary(file: _File) -> Vocabulary:
    base = None if file.is_standard else _File.standard(file.name).document
    try:
        return Vocabulary.from_document(file.document, base)
    except (ValueError, TypeError, AttributeError) as error:
        raise ConfigurationError(f"store pack: {file.name}: {error}") from error


def _document(name: str, read: Read) -> Document | None:
    content = read(name)
    return None if content is None else pack_document(name, content)


def _reader(location: str, endpoint_url: str) -> Read:
    if location.startswith("s3://"):
        return _bucket(location, endpoint_url)
    if not location:
        return _standard
    folder = Path(location)
    if not folder.is_dir():
        raise ConfigurationError(f"store pack: {location} is no folder")
    return _folder(folder)


def _folder(folder: Path) -> Read:
    def read(name: str) -> bytes | None:
        path = folder / name
        try:
            return path.read_bytes() if path.is_file() else None
        except OSError as error:
            raise ConfigurationError(f"store pack: {name} cannot be read") from error

    return read


_standard: Final = _folder(DEFAULT)


def _bucket(location: str, endpoint_url: str) -> Read:
    from shopping_agent.adapters.catalog.s3 import S3ObjectStore

    bucket, _, prefix = location.removeprefix("s3://").partition("/")
    prefix = f"{prefix.strip('/')}/" if prefix.strip("/") else ""
    objects = S3ObjectStore(endpoint_url=endpoint_url)

    def read(name: str) -> bytes | None:
        try:
            stored = objects.open(bucket, prefix + name, Deadline.after(_SECONDS))
            if stored is None:
                return None
            with stored.body:
                return stored.body.read(_MAX_BYTES)
        except ObjectsUnavailableError as error:
            raise ConfigurationError(f"store pack: {location} cannot be read: {error}") from error

    return read
