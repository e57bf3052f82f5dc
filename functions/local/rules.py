"""`shopping-agent rules check`: an edited table of rules, and what it covers of a catalog, before it is uploaded.

Ends with 1 when the pack's files are wrong; every wrong row is then told with its column and what would work. Conditions that no
shopper can meet together are such a mistake.
"""

import argparse
import json
import tempfile
from pathlib import Path
from shutil import copyfile
from typing import Any, Final

from shopping_agent.adapters.catalog.readers import CatalogFileReader
from shopping_agent.adapters.catalog.store_pack import load_columns, load_store_pack
from shopping_agent.adapters.rules import load_expert
from shopping_agent.adapters.rules.expert_files import FILES
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.feed import ProductRow
from shopping_agent.domain.recommendation import Expert
from shopping_agent.domain.rules_coverage import Coverage, coverage
from shopping_agent.domain.rules_table import TABLE
from shopping_agent.domain.vocabulary import Vocabulary
from shopping_agent.errors import CatalogFileError
from shopping_agent.settings import Settings

from functions.local.cli import CommandError

DEMO: Final = Path(__file__).parents[2] / "demo/catalog.jsonl"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=["check"], help="validate the rules and print coverage")
    parser.add_argument(
        "place",
        nargs="?",
        type=Path,
        help=f"an edited file ({', '.join(FILES)}) in place of the pack's own, or the folder of a pack",
    )
    parser.add_argument("--pack", help="folder or s3:// of a store pack (default: STORE_PACK)")
    parser.add_argument(
        "--catalog", type=Path, default=DEMO, help="a catalog file to hold them against"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Print the coverage.

    Raises:
        ConfigurationError: a file of the pack is wrong.
        CommandError: the catalog cannot be read.
    """
    settings = Settings.from_environment()
    place: Path | None = args.place
    folder = str(place) if place and place.is_dir() else ""
    pack = args.pack or folder or settings.store_pack
    vocabulary = load_store_pack(pack, endpoint_url=settings.aws_endpoint_url).vocabulary
    if place and not folder:
        expert = _with_file(place, pack, vocabulary)
    else:
        expert = load_expert(pack, vocabulary, endpoint_url=settings.aws_endpoint_url)
    found = coverage(expert, _products(args.catalog, pack, settings))
    report = _report(found)
    print(json.dumps(report, ensure_ascii=False, indent=2) if args.json else _printed(report))
    return 0


def _with_file(file: Path, pack: str, vocabulary: Vocabulary) -> Expert:
    """The expert of a pack with one file in place of its own.

    Raises:
        CommandError: there is no such file.
    """
    if not file.is_file():
        raise CommandError(f"there is no {file}")
    with tempfile.TemporaryDirectory() as folder:
        for name in FILES:
            own = Path(pack, name)
            if pack and own.is_file():
                copyfile(own, Path(folder, name))
        copyfile(file, Path(folder, file.name if file.name in FILES else TABLE))
        return load_expert(folder, vocabulary)


def _products(catalog: Path, pack: str, settings: Settings) -> list[Product]:
    columns = load_columns(pack, endpoint_url=settings.aws_endpoint_url)
    reader = CatalogFileReader(currency=settings.store_currency, columns=columns)
    try:
        with catalog.open("rb") as body:
            return [row.product for row in reader.read(body) if isinstance(row, ProductRow)]
    except CatalogFileError as error:
        raise CommandError(f"{catalog}: {error}") from error
    except OSError as error:
        raise CommandError(f"cannot read {catalog}: {error.strerror}") from error


def _report(found: Coverage) -> dict[str, Any]:
    return {
        "products": found.products,
        "rules": found.by_rule,
        "terms": found.by_term,
        "idleRules": list(found.idle),
        "unmetTerms": list(found.unmet),
        "unusedTerms": list(found.unused),
        "valuesWithoutRule": list(found.silent),
        "missingReasons": {rule: list(languages) for rule, languages in found.untranslated.items()},
    }


def _printed(report: dict[str, Any]) -> str:
    total = report["products"]
    lines = [f"{len(report['rules'])} rules and {len(report['terms'])} terms are right."]
    lines += [f"Of {total} products each rule says something of:"]
    lines += [f"  {count:>6}  {rule}" for rule, count in report["rules"].items()]
    for key, told in (
        ("idleRules", "Rules that say nothing of any product"),
        ("unmetTerms", "Terms that no product meets"),
        ("unusedTerms", "Terms that no rule uses"),
        ("valuesWithoutRule", "Values of a profile without a rule"),
    ):
        if report[key]:
            lines.append(f"{told}: {', '.join(report[key])}")
    lines += [
        f"No reason in {', '.join(languages)}: {rule}"
        for rule, languages in report["missingReasons"].items()
    ]
    return "\n".join(lines)
