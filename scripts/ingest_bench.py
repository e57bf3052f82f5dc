"""What ingestion costs, on generated catalogs: `make ingest-bench`. Ends with 1 when a limit is not met.

1. Reading and telling what changed (no embeddings, no stores): rows a second and the peak memory of a process of its own.
2. The same file uploaded twice into Redis and an index, as `make run` has them: what the second upload embeds and takes.
   Vectors are hashes of the texts, which cost nothing: with a real model the first upload takes longer, the second does not.

Usage: python scripts/ingest_bench.py [ROWS] [UPLOADED_ROWS]
"""

import csv
import hashlib
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from shopping_agent import bootstrap
from shopping_agent.adapters.catalog.readers import CatalogFileReader
from shopping_agent.application.catalog_diff import CatalogDiff
from shopping_agent.application.content_hashes import product_hashes
from shopping_agent.application.ingestion import IngestionService
from shopping_agent.application.ingestion_report import IngestionReport
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.feed import ObjectEvent
from shopping_agent.settings import Settings

from evaluation.shop import FileObjects, shop

ROWS = 50_000
UPLOADED_ROWS = 50_000
MAX_MEGABYTES = 256
MAX_SHARE = 0.10
KINDS = ("jsonl", "csv")
DIMENSIONS = 8
SECONDS = 3600
HEADERS = {
    "id": "Référence",
    "name": "Nom",
    "brand": "Marque",
    "description": "Description",
    "price": "Prix",
    "stock": "Stock",
    "gender": "Genre",
    "families": "Famille olfactive",
    "notesTop": "Notes de tête",
    "notesHeart": "Notes de cœur",
    "notesBase": "Notes de fond",
}
FAMILIES = ("floral", "woody", "citrus", "amber", "fresh", "spicy")
NOTES = ("lemon", "rose", "musk", "cedar", "vanilla", "jasmine", "bergamot", "amber", "oud", "iris")
SYLLABLES = ("ka", "lo", "mi", "ra", "te", "su", "ne", "bo", "di", "va", "zel", "our", "amb", "fir")


class HashEmbedder:
    """Vectors that cost nothing and are the same for the same text; counts the texts."""

    model = "hash"
    dimensions = DIMENSIONS

    def __init__(self) -> None:
        self.texts = 0

    def embed_query(self, text: str, deadline: Deadline) -> list[float]:
        return self.embed_passages([text], deadline)[0]

    def embed_passages(self, texts: Sequence[str], deadline: Deadline) -> list[list[float]]:
        deadline.check()
        self.texts += len(texts)
        return [
            [float(byte) for byte in hashlib.md5(t.encode()).digest()[:DIMENSIONS]] for t in texts
        ]


def main(rows: int, uploaded: int) -> int:
    failures: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            file = Path(folder, f"catalog.{kind}")
            write_catalog(file, rows)
            command = [sys.executable, __file__, "--read", str(file)]
            measured = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
            print(
                f"{kind:6} {rows} rows, {file.stat().st_size / 1e6:.0f} MB: read and compared at "
                f"{measured['rate']:.0f} rows/s, peak {measured['megabytes']:.0f} MB"
            )
            if measured["megabytes"] >= MAX_MEGABYTES:
                failures.append(f"{kind}: {MAX_MEGABYTES} MB of memory are exceeded")
        failures += upload_twice(Path(folder), uploaded)
    for failure in failures:
        print(f"FAILED: {failure}")
    return bool(failures)


def write_catalog(file: Path, rows: int) -> None:
    """Products with texts of their own, in our JSON lines or as a French table with decimal commas."""
    with file.open("w", encoding="utf-8", newline="") as stream:
        if file.suffix == ".jsonl":
            for row in products(rows):
                stream.write(json.dumps(row, ensure_ascii=False) + "\n")
            return
        table = csv.writer(stream, delimiter=";")
        table.writerow(HEADERS.values())
        for row in products(rows):
            cells = [row[name] for name in HEADERS]
            table.writerow(map(cell, cells))


def cell(value: Any) -> str:
    if isinstance(value, list):
        return "|".join(cast(list[str], value))
    return f"{value:.2f}".replace(".", ",") if isinstance(value, float) else str(value)


def products(rows: int) -> Iterator[dict[str, Any]]:
    """The same ones for the same number; about 600 bytes each."""
    chance = random.Random(rows)
    vocabulary = ["".join(chance.choices(SYLLABLES, k=3)) for _ in range(4000)]
    for number in range(rows):
        sentences = (" ".join(chance.choices(vocabulary, k=12)).capitalize() for _ in range(5))
        yield {
            "id": f"p-{number:06d}",
            "name": " ".join(chance.choices(vocabulary, k=2)).title(),
            "brand": chance.choice(vocabulary).title(),
            "description": ". ".join(sentences) + ".",
            "price": chance.randrange(5_000, 200_000) / 100,
            "stock": chance.randrange(40),
            "gender": chance.choice(("women", "men", "unisex")),
            "families": chance.sample(FAMILIES, 2),
            "notesTop": chance.sample(NOTES, 2),
            "notesHeart": chance.sample(NOTES, 2),
            "notesBase": chance.sample(NOTES, 2),
        }


def read(file: Path) -> None:
    """In a process of its own: twice, so that the second time every row is known; figures as JSON."""
    vocabulary = bootstrap.store_pack(Settings()).vocabulary
    reader = CatalogFileReader(currency="MAD")
    known: Mapping[str, tuple[str, str]] = {}
    began, rows = time.perf_counter(), 0
    for _ in range(2):
        with (
            file.open("rb") as body,
            CatalogDiff(
                known=known,
                hashes=lambda row: product_hashes(
                    row.product, vocabulary, "bench", counted=row.counted
                ),
            ) as diff,
        ):
            for row in reader.read(body):
                diff.add(row)
                rows += 1
            sum(1 for _ in diff.changed())
            known = {i: (row.text, row.facts) for i, row in diff.rows.items()}
    rate = rows / (time.perf_counter() - began)
    # Kilobytes on Linux, bytes on macOS.
    unit = 1024**2 if sys.platform == "darwin" else 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
    print(json.dumps({"rate": rate, "megabytes": peak}))


def upload_twice(folder: Path, rows: int) -> list[str]:
    file, embedder = folder / "upload.jsonl", HashEmbedder()
    write_catalog(file, rows)
    with shop(folder / "stack", {}) as variables:
        settings = Settings.from_mapping(variables)
        service = ingestion(settings, {"catalog/upload.jsonl": file}, embedder)
        first, first_seconds = timed(service, 1)
        texts = embedder.texts
        second, second_seconds = timed(service, 2)
    share = second_seconds / first_seconds
    print(
        f"upload {rows} rows: first {first_seconds:.1f} s, {texts} texts embedded; again {second_seconds:.1f} s "
        f"({share:.1%}), {embedder.texts - texts} embedded, {second.counts['unchanged']} unchanged"
    )
    failures: list[str] = []
    if first.counts["added"] != rows or second.counts["unchanged"] != rows:
        failures.append("not every row was taken")
    if embedder.texts != texts:
        failures.append("an unchanged file was embedded again")
    if share >= MAX_SHARE:
        failures.append(f"the second upload took more than {MAX_SHARE:.0%} of the first one's time")
    return failures


def ingestion(
    settings: Settings, files: dict[str, Path], embedder: HashEmbedder
) -> IngestionService:
    from shopping_agent.adapters.index.qdrant import QdrantIndex

    return IngestionService(
        objects=FileObjects(files),
        manifest=bootstrap.manifest(settings),
        ledger=bootstrap.part_ledger(settings),
        live=bootstrap.live_catalog(settings),
        inventory=bootstrap.inventory(settings),
        index=bootstrap.product_index(settings),
        writer=QdrantIndex(
            url=settings.qdrant_url,
            path="",
            api_key="",
            collection=settings.qdrant_collection,
            model=embedder.model,
            dimensions=DIMENSIONS,
        ),
        embedder=embedder,
        reader=CatalogFileReader(currency=settings.store_currency),
        vocabulary=bootstrap.store_pack(settings).vocabulary,
        max_delete_ratio=settings.max_delete_ratio,
    )


def timed(service: IngestionService, number: int) -> tuple[IngestionReport, float]:
    began = time.perf_counter()
    event = ObjectEvent("catalog", "catalog/upload.jsonl", f"{number:018x}")
    report = service.apply(event, Deadline.after(SECONDS))
    return report, time.perf_counter() - began


if __name__ == "__main__":
    if sys.argv[1:2] == ["--read"]:
        read(Path(sys.argv[2]))
    else:
        given = [int(number) for number in sys.argv[1:]]
        sys.exit(main(*(given + [ROWS, UPLOADED_ROWS][len(given) :])))
