"""`make speed`, second part: CPU of recommending by rules from 100, 1,000 and 10,000 candidates, of its import, and its size.

CPU time; each figure is the median of fresh processes with their bytecode, on CPython 3.13 where there is one. A catalog is the demo store's
products with their notes, prices and levels mixed anew. Ends with 1 above a limit.
"""

import statistics
import sys
import tempfile
from typing import Any, Final

from evaluation import speed

PACKAGE: Final = speed.SHARED / "shopping_agent"
SIZES: Final = (100, 1_000, 10_000)
# Milliseconds: of a request with the most candidates, and of importing and loading the rules.
REQUEST_LIMIT: Final = 50.0
IMPORT_LIMIT: Final = 20.0
RUNS: Final = 5
FILES: Final = (
    "domain/profile.py",
    "domain/rules*.py",
    "domain/glossary*.py",
    "domain/recommendation*.py",
    "application/recommend*.py",
    "application/advising.py",
    "adapters/rules/*.py",
    "store_pack/profile.json",
    "store_pack/glossary.json",
    "store_pack/rules.csv",
)

_LOADING: Final = """
import json, time
import shopping_agent.observability
from shopping_agent.adapters.catalog.store_pack import load_store_pack
vocabulary = load_store_pack().vocabulary
start = time.process_time()
from shopping_agent.adapters.rules import load_expert
imported = time.process_time()
load_expert("", vocabulary)
print(json.dumps([(imported - start) * 1000, (time.process_time() - imported) * 1000]))
"""
_REQUESTS: Final = """
import json, random, sys, time
from shopping_agent.adapters.catalog.store_pack import load_store_pack
from shopping_agent.adapters.rules import load_expert
from shopping_agent.domain.catalog import Notes, PriceTag, Product
from shopping_agent.domain.recommendation_order import select
from shopping_agent.domain.recommendation_score import Option, Scoring

given = json.load(sys.stdin)
expert = load_expert("", load_store_pack().vocabulary)
chance, rows = random.Random(7), given["rows"]
some = lambda key: chance.choice(rows).get(key)
def product(number):
    notes = chance.choice(rows)["notes"]
    return Product(
        id=f"p{number}", name=f"No {number}", price=PriceTag(chance.randrange(100, 999) * 100, "MAD"),
        stock=chance.randrange(0, 40), gender=some("gender"), families=tuple(some("families")),
        notes=Notes(tuple(notes["top"]), tuple(some("notes")["heart"]), tuple(some("notes")["base"])),
        accords=tuple(some("accords")), concentration=some("concentration"), sillage=some("sillage"),
        longevity=some("longevity"), seasons=tuple(some("seasons")), occasions=tuple(some("occasions")),
        size_ml=some("sizeMl"), variant_of=f"v{number // 3}" if number % 2 else None,
    )
products = [product(number) for number in range(given["size"])]
profile = expert.schema.parse(given["profile"])
start = time.process_time()
traits = [expert.glossary.traits(one) for one in products]
described = time.process_time()
traits = [expert.glossary.traits(one) for one in products]
again = time.process_time()
options = [Option(one, known, chance.random()) for one, known in zip(products, traits)]
spent = []
for _ in range(2):
    before = time.process_time()
    advice = expert.advise(profile, 700)
    scoring = Scoring(advice, searched=True)
    chosen = select(options, scoring, limit=10, currency="MAD", now=0)
    told = [scoring.explain(one.option) for one in chosen.shown]
    spent.append((time.process_time() - before) * 1000)
print(json.dumps([(described - start) * 1000, (again - described) * 1000, *spent]))
"""
PROFILE: Final = {
    "climate": "hot",
    "season": "summer",
    "occasion": ["office", "date"],
    "persona": ["elegant", "minimalist"],
    "sensitivities": ["migraine", "hates-spice"],
    "compliments": "yes",
    "skinType": "dry",
    "wantsLongPerformance": True,
    "gender": "women",
}


def main() -> int:
    with tempfile.TemporaryDirectory() as bytecode:
        over = _measured(bytecode)
    print(f"  added to the layer: {_size() / 1024:.0f} KiB")
    for line in over:
        print(f"ABOVE: {line}")
    return 1 if over else 0


def _measured(bytecode: str) -> list[str]:
    python = speed.interpreter()
    rows = speed.lines(speed.ROOT / "demo/catalog.jsonl")

    def run(code: str, **sent: Any) -> list[tuple[float, ...]]:
        rounds = [speed.run_fresh(python, bytecode, code, sent) for _ in range(RUNS + 1)]
        return list(zip(*rounds[1:], strict=True))  # the first one writes the bytecode

    over: list[str] = []
    print(
        "Rules: CPU milliseconds, medians; a profile of ten keys, the ten best with their reasons"
    )
    imported, loaded = (statistics.median(spent) for spent in run(_LOADING))
    print(f"  import {imported:.1f}, loading of the pack's rules {loaded:.1f}")
    if imported + loaded > IMPORT_LIMIT:
        over.append(f"import and loading: {imported + loaded:.1f} of {IMPORT_LIMIT:.0f} ms")
    for size in SIZES:
        first, again, request, warm = (
            statistics.median(spent)
            for spent in run(_REQUESTS, rows=rows, size=size, profile=PROFILE)
        )
        print(
            f"  {size:>6} candidates: {request:.1f} (again {warm:.1f}); their terms, once for a product: {first:.0f},"
            f" looked up {again:.1f}"
        )
        if request > REQUEST_LIMIT:
            over.append(f"{size} candidates: {request:.1f} of {REQUEST_LIMIT:.0f} ms")
    return over


def _size() -> int:
    """Bytes of our sources and data; third-party code: none."""
    return sum(file.stat().st_size for pattern in FILES for file in PACKAGE.glob(pattern))


if __name__ == "__main__":
    sys.exit(main())
