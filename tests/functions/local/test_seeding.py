"""Which of a store's files are brought into the bucket, and what is remembered of it."""

from pathlib import Path
from typing import Any

import pytest

from functions.local import seeding
from functions.local.data_folder import DataFolder, StackError
from functions.local.seeding import Seeding, store_files


def report(source: str, status: str = "applied") -> dict[str, Any]:
    counts = {"read": 3, "accepted": 2, "rejected": 1}
    rejected = [{"line": 7, "reasonCode": "invalid_price", "hint": "no price", "id": None}]
    error = {"code": "mass_delete", "message": "too many"} if status == "refused" else None
    return {
        "source": source,
        "status": status,
        "error": error,
        "counts": counts,
        "rejected": rejected,
    }


class Pending:
    def __init__(self, answer: dict[str, Any]) -> None:
        self._answers = [None, answer]

    def poll(self) -> dict[str, Any] | None:
        return self._answers.pop(0)

    def progress(self) -> str:
        return "9 rows read"


class Bucket:
    """Notes what is put and deleted; each file is ingested at the second look."""

    def __init__(self, status: str = "applied", *, lost: str = "") -> None:
        self.calls: list[tuple[str, str]] = []
        self.status = status
        self.lost = lost

    def has(self, key: str) -> bool:
        return key != self.lost

    def upload(self, file: Path, key: str) -> Pending:
        self.calls.append(("put", key))
        return Pending(report(key, self.status))

    def delete(self, key: str) -> Pending:
        self.calls.append(("delete", key))
        return Pending(report(key))


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "store"
    (folder / "guides").mkdir(parents=True)
    (folder / "catalog.csv").write_text("id,name\n1,Oud\n")
    (folder / "guides" / "delivery.fr.md").write_text("# Livraison\n")
    (folder / "notes.txt").write_text("not the shop's")
    return folder


def seed(tmp_path: Path, store: Path, bucket: Bucket, **destination: str) -> list[str]:
    lines: list[str] = []
    data = DataFolder(tmp_path / "data")
    data.folder(".")
    Seeding(data=data, bucket=bucket, report=lines.append).run(  # pyright: ignore[reportArgumentType]
        store, destination
    )
    return lines


def test_the_first_run_brings_everything_in_and_the_next_nothing(
    tmp_path: Path, store: Path
) -> None:
    first, second = Bucket(), Bucket()
    lines = seed(tmp_path, store, first)
    assert first.calls == [("put", "catalog/catalog.csv"), ("put", "guides/delivery.fr.md")]
    assert any("catalog/catalog.csv: applied, 2 of 3" in line for line in lines)
    assert any("first line 7: no price" in line for line in lines)
    seed(tmp_path, store, second)
    assert second.calls == []


def test_while_it_waits_it_says_how_many_files_are_done(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seeding, "PROGRESS_SECONDS", 0)
    told = [line for line in seed(tmp_path, store, Bucket()) if "files ingested" in line]
    assert "0 of 2 files ingested, catalog/catalog.csv is next: 9 rows read (" in told[0]


def test_only_what_changed_is_brought_in_and_what_is_gone_is_deleted(
    tmp_path: Path, store: Path
) -> None:
    seed(tmp_path, store, Bucket())
    (store / "catalog.csv").write_text("id,name\n2,Rose\n")
    (store / "guides" / "delivery.fr.md").unlink()
    bucket = Bucket()
    seed(tmp_path, store, bucket)
    assert bucket.calls == [("put", "catalog/catalog.csv"), ("delete", "guides/delivery.fr.md")]


def test_a_file_that_the_bucket_lost_already_is_not_waited_for(tmp_path: Path, store: Path) -> None:
    seed(tmp_path, store, Bucket())
    (store / "guides" / "delivery.fr.md").unlink()
    for _ in range(2):
        bucket = Bucket(lost="guides/delivery.fr.md")
        lines = seed(tmp_path, store, bucket)
        assert bucket.calls == []
        assert any("in already" in line for line in lines)


def test_another_destination_gets_everything(tmp_path: Path, store: Path) -> None:
    seed(tmp_path, store, Bucket())
    bucket = Bucket()
    seed(tmp_path, store, bucket, QDRANT_URL="https://q.example")
    assert len(bucket.calls) == 2


def test_a_refused_file_is_told_and_tried_again_the_next_time(tmp_path: Path, store: Path) -> None:
    lines = seed(tmp_path, store, Bucket("refused"))
    assert any("refused" in line and "too many" in line for line in lines)
    assert lines[-1] == "  2 of 2 files are refused"
    again = Bucket()
    seed(tmp_path, store, again)
    assert len(again.calls) == 2


def test_a_folder_that_holds_another_store_is_refused(tmp_path: Path, store: Path) -> None:
    seed(tmp_path, store, Bucket())
    other = tmp_path / "other"
    other.mkdir()
    (other / "catalog.jsonl").write_text("")
    with pytest.raises(StackError, match="make run DATA="):
        seed(tmp_path, other, Bucket())


def test_a_store_without_a_catalog_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StackError, match=r"no catalog\.\* file"):
        store_files(tmp_path)
