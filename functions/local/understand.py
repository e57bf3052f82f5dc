"""`shopping-agent understand`: what the rules understand of a message, without a model and without a store.

One TEXT, or with `--jsonl` a file of `{"id","text","context"?,"catalog"?}` lines (`context`: the products
shown before, `{"id","name","price"}`; `catalog`: names that the store knows), one JSON object a line out.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TextIO, cast

from shopping_agent.adapters.catalog.store_pack import load_store_pack
from shopping_agent.domain.money import format_money, to_minor
from shopping_agent.domain.query import ShownProduct, Understanding
from shopping_agent.domain.store import StorePack
from shopping_agent.domain.understanding import understand
from shopping_agent.settings import Settings

from functions.local.cli import CommandError, typed


def add_arguments(parser: argparse.ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("text", nargs="?", help="a message, as a shopper types it")
    what.add_argument(
        "--jsonl", metavar="FILE", help="messages, one JSON object a line (- is stdin)"
    )
    parser.add_argument("--pack", help="folder of a store pack (default: STORE_PACK)")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")


def run(args: argparse.Namespace) -> int:
    """Print what is understood. Bad lines are told on stderr and make the exit status 1; the others go on.

    Raises:
        CommandError: the file cannot be read.
    """
    pack = load_store_pack(args.pack or Settings.from_environment().store_pack)
    currency = Settings.from_environment({"STORE_CURRENCY": pack.currency}).store_currency
    if args.jsonl:
        return _run_lines(args.jsonl, pack, currency)
    understood = understand(typed(args.text), vocabulary=pack.vocabulary, currency=currency)
    if args.json:
        print(json.dumps(_view(understood, currency), ensure_ascii=False))
    else:
        _print_table(understood, currency)
    return 0


def _run_lines(name: str, pack: StorePack, currency: str) -> int:
    failed = 0
    try:
        with _opened(name) as lines:
            for number, line in _numbered(lines):
                try:
                    row = _parsed(line)
                    understood = _understood(row, pack, currency)
                except ValueError as error:
                    failed += 1
                    told = {"line": number, "error": str(error)}
                    print(json.dumps(told, ensure_ascii=False), file=sys.stderr)
                else:
                    view = {"id": row.get("id"), **_view(understood, currency)}
                    print(json.dumps(view, ensure_ascii=False))
    except UnicodeDecodeError as error:
        raise CommandError(f"{name} is not UTF-8 text") from error
    except BrokenPipeError:
        raise
    except OSError as error:
        raise CommandError(f"cannot read {name}: {error.strerror}") from error
    return 1 if failed else 0


def _opened(name: str) -> TextIO:
    return sys.stdin if name == "-" else Path(name).open(encoding="utf-8-sig")


def _numbered(lines: TextIO) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield number, line


def _parsed(line: str) -> Mapping[str, Any]:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg} (column {error.colno})") from error
    except RecursionError as error:
        raise ValueError("not JSON: nested too deeply") from error
    if not isinstance(row, dict):
        raise ValueError("not a JSON object")
    row = cast("dict[str, Any]", row)
    if not isinstance(row.get("text"), str):
        raise ValueError("`text` must be a text")
    return row


def _understood(row: Mapping[str, Any], pack: StorePack, currency: str) -> Understanding:
    catalog = row.get("catalog") or []
    if not isinstance(catalog, list) or not all(
        isinstance(n, str) for n in cast("list[Any]", catalog)
    ):
        raise ValueError("`catalog` must be a list of names")
    return understand(
        row["text"],
        vocabulary=pack.vocabulary,
        currency=currency,
        shown=_shown(row.get("context") or [], currency),
        names=cast("list[str]", catalog),
        locale=row.get("locale") if isinstance(row.get("locale"), str) else None,
    )


def _shown(context: Any, currency: str) -> list[ShownProduct]:
    wrong = ValueError("`context` must be a list of {id, name, price}")
    if not isinstance(context, list):
        raise wrong
    shown: list[ShownProduct] = []
    for item in cast("list[Any]", context):
        try:
            price = to_minor(str(item.get("price", 0)), currency)
            shown.append(ShownProduct(id=str(item["id"]), name=str(item["name"]), price=price))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise wrong from error
    return shown


def _view(understood: Understanding, currency: str) -> dict[str, Any]:
    return {
        "language": understood.query.language,
        "intent": understood.intent,
        "route": understood.route,
        "query": understood.query.view(currency),
    }


def _print_table(understood: Understanding, currency: str) -> None:
    """The reading of one message for people: what was found, one fact a line."""
    query = understood.query
    facts: dict[str, Any] = {
        "language": query.language,
        "intent": f"{understood.intent} ({understood.confidence:.0%})",
        "route": understood.route,
        **{
            k: v
            for k, v in query.view(currency).items()
            if k not in {"minPrice", "maxPrice", "currency"}
        },
    }
    unit = query.currency or currency
    if query.min_price is not None:
        facts["at least"] = format_money(query.min_price, unit)
    if query.max_price is not None:
        facts["at most"] = format_money(query.max_price, unit)
    flags = {
        "choice left to us": query.delegated,
        "the cheapest": query.cheapest,
        "refers back": query.pronoun,
        "hypothetical": understood.hypothetical,
        "says yes": query.affirms,
        "says no": query.denies,
    }
    facts["size"] = f"{query.size_ml} ml" if query.size_ml else None
    facts["topics"] = list(query.topics)
    facts["also"] = [name for name, holds in flags.items() if holds]
    for name, value in facts.items():
        if value not in (None, [], ""):
            shown = (
                ", ".join(map(str, cast("list[Any]", value))) if isinstance(value, list) else value
            )
            print(f"{name:14} {shown}")
