"""`make eval-search`: BM25 alone, dense vectors alone and the shop's own search on judged queries, and its time; no key.

Sets: shopping queries (ESCI) from `$SHARED/data` or `../shared/data`, and an invented perfume catalog in five languages.
Half of the queries of each set are held out: whatever is tuned is tuned on the others, and the table is of these.
Vectors are kept in build/eval-search; the first run makes them, which takes minutes. `ONLY=perfumes` (or `esci`, `speed`)
runs a part.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Final

from evaluation.retrieval_embeddings import RememberingEmbedder
from evaluation.retrieval_metrics import MEASURES, Interval, interval
from evaluation.retrieval_perfumes import perfume_set
from evaluation.retrieval_sets import ROOT, JudgedQuery, JudgedSet, esci, esci_folder
from evaluation.retrieval_speed import speed_lines
from evaluation.retrieval_systems import systems

SYSTEMS: Final = ("BM25", "dense", "ours")
_FUSION_ALONE: Final = (
    "Nothing of the store is in these searches (no vocabulary, constraints or wishes): what sets ours apart is that two lists\n"
    "are fused, that names are found by sound, and that what a query refuses is not searched for.\n"
    "Of {} queries that is within the noise unless it says `leads`."
)
Answers = Mapping[str, Mapping[str, Sequence[str]]]
"""By system and query id."""


def main() -> int:
    arguments = _parser().parse_args()
    started = time.monotonic()
    embedder = RememberingEmbedder(ROOT / "build/eval-search")
    try:
        for judged in _sets(arguments.only):
            asked = [q for q in judged.queries if held_out(q) != arguments.tuning]
            ranks = systems(judged, embedder)
            answers = {name: {q.id: rank(q) for q in asked} for name, rank in ranks.items()}
            print(f"\n{judged.name}: {len(judged.products)} products, {len(asked)} queries")
            print("\n".join(table(judged.name, asked, answers)), flush=True)
            if not judged.understood:
                print(_FUSION_ALONE.format(len(asked)))
    finally:
        embedder.close()
    if arguments.only in ("", "speed"):
        print()
        for line in speed_lines():
            print(line, flush=True)
    print(f"\n{time.monotonic() - started:.0f} s")
    return 0


def held_out(query: JudgedQuery) -> bool:
    """Half of all queries, by their id."""
    return sha256(query.id.encode()).digest()[0] % 2 == 0


def table(name: str, queries: Sequence[JudgedQuery], answers: Answers) -> Iterator[str]:
    """A row for all, each language and each kind: the systems' means, and by how much ours leads the better of the others."""
    for title, measure in MEASURES.items():
        yield f"{title:28}" + "".join(s.rjust(20) for s in SYSTEMS) + "ours - best".rjust(26)
        for row, group in rows(name, queries):
            scores = {s: [measure(q, answers[s][q.id]) for q in group] for s in SYSTEMS}
            best = max(SYSTEMS[:-1], key=lambda s: sum(scores[s]))
            lead = interval([a - b for a, b in zip(scores["ours"], scores[best], strict=True)])
            cells = "".join(_cell(interval(scores[s])).rjust(20) for s in SYSTEMS)
            yield f"{row:22}{len(group):5} {cells}{_cell(lead, signed=True).rjust(22)} {_verdict(lead)}"


def rows(name: str, queries: Sequence[JudgedQuery]) -> Iterator[tuple[str, Sequence[JudgedQuery]]]:
    yield name, queries
    for group in ("language", "kind"):
        values = list(dict.fromkeys(getattr(q, group) for q in queries))
        if len(values) > 1:
            for value in values:
                yield f"  {value}", [q for q in queries if getattr(q, group) == value]


def _verdict(lead: Interval) -> str:
    if lead.low > 0:
        return "leads"
    return "behind" if lead.high < 0 else "no clear lead"


def _cell(one: Interval, *, signed: bool = False) -> str:
    plus = "+" if signed else ""
    return f"{one.value:{plus}.3f} [{one.low:{plus}.2f},{one.high:{plus}.2f}]"


def _sets(only: str) -> Iterator[JudgedSet]:
    if only in ("", "esci"):
        folder = esci_folder()
        if folder.is_dir():
            yield esci(folder)
        else:
            print("esci: left out, its files are not in $SHARED/data/esci or ../shared/data/esci")
    if only in ("", "perfumes"):
        yield perfume_set()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make eval-search", description=__doc__)
    parser.add_argument("--only", choices=("", "esci", "perfumes", "speed"), default="")
    parser.add_argument(
        "--tuning", action="store_true", help="the half that may be tuned on, not the held-out one"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
