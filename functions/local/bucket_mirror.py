"""Bucket objects on disk: moto keeps them in memory only. One file an object, replaced whole, and some former versions."""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

SUFFIX = ".object"
FORMER = ".former"
MAX_FORMER = 10
"""Versions that are kept of one key beside the present one."""


@dataclass(frozen=True, slots=True)
class MirroredObject:
    """The present state of one key, or a former one.

    Attributes:
        etag: of multipart uploads it does not follow from the body.
        modified: seconds since the epoch.
        event: name of the event that made it so, such as `ObjectCreated:Put`.
        removed: the object is gone; kept so that its event can be sent again after a crash.
        headers: the metadata that moto keeps, content type included.
    """

    bucket: str
    key: str
    sequencer: str
    event: str
    removed: bool = False
    headers: dict[str, str] = field(default_factory=dict[str, str])
    etag: str = ""
    modified: float = 0.0


class BucketMirror:
    """A folder of objects. Keys may hold anything: file names are their hashes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def write(self, mirrored: MirroredObject, body: bytes = b"", *, versions: bool = False) -> None:
        """Replace what is kept of a key; on return it would survive the end of this process.

        Args:
            versions: what it replaces stays as a former version, unless its body is the same.
        """
        path = self._path(mirrored)
        if versions and path.is_file():
            self._keep_former(path, body)
        path.parent.mkdir(exist_ok=True)
        draft = path.with_suffix(".draft")
        draft.write_bytes(json.dumps(asdict(mirrored)).encode() + b"\n" + body)
        os.replace(draft, path)

    def read(self) -> Iterator[tuple[MirroredObject, bytes]]:
        """Everything that is kept, in the order of its sequencers."""
        found = [self._load(path) for path in self._folder.glob(f"*/*{SUFFIX}")]
        yield from sorted(found, key=lambda pair: pair[0].sequencer)

    def former(self, present: MirroredObject) -> Iterator[tuple[MirroredObject, bytes]]:
        """The former versions of a key, the oldest first."""
        for path in _formers(self._path(present)):
            yield self._load(path)

    def _keep_former(self, path: Path, body: bytes) -> None:
        replaced, there = self._load(path)
        if replaced.removed or there == body:
            return
        folder = path.with_suffix(FORMER)
        folder.mkdir(exist_ok=True)
        shutil.copyfile(path, folder / f"{replaced.sequencer}{SUFFIX}")
        for oldest in _formers(path)[:-MAX_FORMER]:
            oldest.unlink()

    def _path(self, mirrored: MirroredObject) -> Path:
        name = hashlib.sha256(mirrored.key.encode("utf-8", "surrogatepass")).hexdigest()
        return self._folder / mirrored.bucket / f"{name}{SUFFIX}"

    @staticmethod
    def _load(path: Path) -> tuple[MirroredObject, bytes]:
        head, _, body = path.read_bytes().partition(b"\n")
        return MirroredObject(**json.loads(head)), body


def _formers(path: Path) -> list[Path]:
    return sorted(path.with_suffix(FORMER).glob(f"*{SUFFIX}"))
