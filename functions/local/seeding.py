"""Brings a store's files into the bucket: those that changed since they were last brought in."""

import hashlib
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from functions.local.data_folder import DataFolder, StackError
from functions.local.kinds import key_of
from functions.local.reports import CatalogBucket, PendingReport, ReplacedError

RECORD = "seeded.json"
INGEST_SECONDS = 600.0
POLL_SECONDS = 0.2
PROGRESS_SECONDS = 5.0


def store_files(catalog: Path) -> dict[str, Path]:
    """Object key -> file, of a store's folder.

    Raises:
        StackError: there is no catalog in it.
    """
    catalogs = sorted(path for path in catalog.glob("catalog.*") if path.is_file())
    if not catalogs:
        raise StackError(f"CATALOG={catalog} holds no catalog.* file (jsonl, json, csv, tsv, xml)")
    guides = sorted(path for path in catalog.glob("guides/*.md") if path.is_file())
    kinds = {"catalog": catalogs, "guide": guides}
    return {key_of(path, kind): path for kind, paths in kinds.items() for path in paths}


class Seeding:
    """Seeds one data folder from one store; the record in the folder says what is in already."""

    def __init__(
        self, *, data: DataFolder, bucket: CatalogBucket, report: Callable[[str], None]
    ) -> None:
        self._data = data
        self._bucket = bucket
        self._report = report

    def run(self, catalog: Path, destination: Mapping[str, str]) -> None:
        """Upload what changed, delete what the folder no longer has, wait until all is ingested.

        Args:
            catalog: the store's folder.
            destination: the settings that say where it goes; with others all of it is brought in anew.

        Raises:
            StackError: the data folder holds another store, or an ingestion does not finish.
        """
        record = self._record(catalog, dict(destination))
        seeded: dict[str, str] = record["files"]
        files = store_files(catalog)
        digests = {
            key: hashlib.sha256(path.read_bytes()).hexdigest() for key, path in files.items()
        }
        changed = [key for key in files if seeded.get(key) != digests[key]]
        gone = [key for key in seeded if key not in files]
        pending = {key: self._bucket.upload(files[key], key) for key in changed}
        # What somebody else removed already has no event, and no report, any more.
        pending |= {key: self._bucket.delete(key) for key in gone if self._bucket.has(key)}
        record["files"] = seeded = {
            key: seeded[key] for key in seeded if key in files or key in pending
        }
        if not pending:
            self._report("  the store's files are in already")
            return
        self._report(f"  ingesting {len(pending)} files of {catalog}")
        refused = 0
        for key, report in self._finished(pending):
            self._tell(key, report)
            refused += report["status"] == "refused"
            if key in gone:
                del seeded[key]
            elif report["status"] != "refused":
                seeded[key] = digests[key]
            self._data.write_record(RECORD, record)
        done = f"{refused} of {len(pending)} files are refused" if refused else ""
        self._report(f"  {done or f'all {len(pending)} files are ingested'}")

    def _record(self, catalog: Path, destination: dict[str, str]) -> dict[str, Any]:
        here = str(catalog.resolve())
        empty = {"catalog": here, "destination": destination, "files": {}}
        record = self._data.read_record(RECORD) or empty
        if record["catalog"] != here:
            raise StackError(
                f"DATA={self._data.root} holds the store of {record['catalog']}; "
                "choose another folder for this one: make run DATA=/some/folder"
            )
        return record if record.get("destination") == destination else empty

    def _finished(self, pending: dict[str, PendingReport]) -> Any:
        waiting = dict(pending)
        began = told = time.monotonic()
        until = began + INGEST_SECONDS
        while waiting:
            if time.monotonic() > until:
                raise StackError(f"not ingested after {INGEST_SECONDS:.0f} s: {', '.join(waiting)}")
            for key in list(waiting):
                try:
                    report = waiting[key].poll()
                except ReplacedError as error:
                    self._report(f"  {error}")
                    del waiting[key]
                    continue
                if report:
                    del waiting[key]
                    yield key, report
            if time.monotonic() - told > PROGRESS_SECONDS:
                told = time.monotonic()
                seconds = f"{told - began:.0f} s"
                self._report(
                    f"  {_progress(pending, waiting)} ({seconds}; {self._data.logs}/ingest-1.log)"
                )
            time.sleep(POLL_SECONDS)

    def _tell(self, key: str, report: dict[str, Any]) -> None:
        counts = report["counts"]
        if key.startswith("guides/") and not (report["error"] or counts["rejected"]):
            return
        text = f"  {key}: {report['status']}, {counts['accepted']} of {counts['read']} accepted"
        if report["error"]:
            text += f" ({report['error']['message']})"
        if counts["rejected"]:
            first = report["rejected"][0]
            text += f"; rejected {counts['rejected']}, first line {first['line']}: {first['hint']}"
        self._report(text)


def _progress(pending: Mapping[str, PendingReport], waiting: Mapping[str, PendingReport]) -> str:
    """How many files are done, and what is known of the one that was brought in first of those that are left."""
    done = f"{len(pending) - len(waiting)} of {len(pending)} files ingested"
    for key, first in waiting.items():
        return f"{done}, {key} is next: {first.progress() or 'being read'}"
    return done
