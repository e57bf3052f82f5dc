"""What 10, 100 and 1,000 turns a second need, and what 1,000 turns cost: from measured figures, price tables and stated assumptions.

python -m scripts.load.capacity                      whether docs/capacity.md says what follows from the data
python -m scripts.load.capacity --write              have it say so
python -m scripts.load.capacity --measured load.json --on "a quiet machine"   take the figures of `make load JSON=load.json`
"""

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, Final

from shopping_agent.adapters.llm.prices import price_table
from shopping_agent.adapters.redis.keys import FAMILIES
from shopping_agent.domain.conversation import TokenUsage
from shopping_agent.domain.prices import ModelPrice
from shopping_agent.settings import Settings

from functions.local.children import ROOT
from scripts.load.use import Use, memories, taken, use_of

DOCUMENT: Final = ROOT / "docs/capacity.md"
MEASURED: Final = ROOT / "docs/capacity.json"
LIST_PRICES: Final = Path(__file__).with_name("list_prices.json")
RATES: Final = (10, 100, 1000)
THINKING_TOKENS: Final = 200
"""Assumed, of each call of a model that reasons."""
BUSY_SHARE: Final = 0.25
"""Assumed: the part of a day for which a rate holds."""


# --- what a rate needs ---------------------------------------------------------------------------


def needs(use: Use, measured: Mapping[str, Any]) -> Iterator[str]:
    """The table of what each rate needs."""
    rows: Sequence[tuple[str, Callable[[float], str]]] = (
        ("chat, environments at once", lambda r: _count(r * use.chat_seconds)),
        ("store, environments at once", lambda r: _count(r * use.reads * use.store_seconds)),
        ("requests to the gateway, a second", lambda r: _count(r * (1 + use.reads))),
        ("calls of the model, a second", lambda r: _count(r * use.calls)),
        (
            "tokens to the model, millions a minute",
            lambda r: _number(r * 60 * use.tokens.input_tokens / 1e9),
        ),
        ("Redis, requests a second", lambda r: _count(r * use.redis_trips)),
        ("Redis, commands a second", lambda r: _count(r * use.redis_commands)),
        ("Redis, megabytes a second", lambda r: _number(r * use.redis_bytes / 1e6)),
        ("Redis, memory in GB", lambda r: _number(redis_bytes(measured, r) / 1e9)),
        ("Qdrant, requests a second", lambda r: _count(r * use.index_trips)),
        ("Qdrant, megabytes a second", lambda r: _number(r * use.index_bytes / 1e6)),
    )
    yield "| turns a second | " + " | ".join(f"{rate:,}" for rate in RATES) + " |"
    yield "|---|" + "---:|" * len(RATES)
    for name, of in rows:
        yield f"| {name} | " + " | ".join(of(rate) for rate in RATES) + " |"


def redis_bytes(measured: Mapping[str, Any], rate: float) -> float:
    """What Redis holds in the end: keys that come in a second, by how long they stay, for the busy part of each day."""
    kept = {family.name: family.seconds for family in FAMILIES}
    by_turn = sum(
        held["per_turn"] * held["bytes"] * (kept.get(name) or 0)
        for name, held in measured["keys"].items()
    )
    return rate * BUSY_SHARE * by_turn


# --- what 1,000 turns cost -----------------------------------------------------------------------


def costs(use: Use, memory: Mapping[str, int], prices: Mapping[str, Any]) -> Iterator[str]:
    """Dollars of 1,000 turns for everything but the model."""
    chat = memory["chat"] / 1024 * use.chat_seconds
    store = memory["store"] / 1024 * use.store_seconds * use.reads
    requests = 1 + use.reads
    commands = use.redis_commands
    rows = (
        ("Lambda, chat", f"{1000 * chat:,.0f} GB-s", 1000 * chat * prices["lambda_gb_second"]),
        ("Lambda, store", f"{1000 * store:,.0f} GB-s", 1000 * store * prices["lambda_gb_second"]),
        (
            "Lambda, requests",
            f"{1000 * requests:,.0f}",
            requests / 1000 * prices["lambda_million_requests"],
        ),
        (
            "API Gateway",
            f"{1000 * requests:,.0f}",
            requests / 1000 * prices["gateway_million_requests"],
        ),
        (
            "CloudWatch logs",
            f"{use.log_bytes / 1000:,.1f} MB",
            use.log_bytes / 1e6 * prices["logs_gb"],
        ),
        (
            "Upstash, commands",
            f"{1000 * commands:,.0f}",
            commands / 100 * prices["redis_100k_commands"],
        ),
        (
            "Upstash, bandwidth",
            f"{use.redis_bytes / 1000:,.0f} MB",
            use.redis_bytes / 1e6 * prices["redis_gb_out"],
        ),
    )
    yield "| 1,000 turns without the model | | $ |"
    yield "|---|---:|---:|"
    for name, much, dollars in rows:
        yield f"| {name} | {much} | {dollars:.4f} |"
    yield f"| together | | {sum(dollars for *_, dollars in rows):.4f} |"


def model_costs(use: Use, settings: Settings, day: date) -> Iterator[str]:
    """Dollars of 1,000 turns for the model, by provider: its default here, and the cheapest that we know a price of."""
    table = price_table("", today=day)
    yield "| 1,000 turns' model | as is | constant part from the cache | and thinking |"
    yield "|---|---:|---:|---:|"
    for provider, models in table.by_provider.items():
        default = getattr(settings, f"{provider}_model")
        price = table.price(provider, default)
        if price is not None:
            yield f"| {provider}: {default} | " + _priced(price, use) + " |"
        cheapest = min(models, key=lambda name: models[name].micros(use.tokens))
        if models[cheapest] != price:
            yield f"| {provider}: {cheapest} | " + _priced(models[cheapest], use) + " |"
    yield "| offline | 0.00 | 0.00 | 0.00 |"


def _priced(price: ModelPrice, use: Use) -> str:
    all_new = TokenUsage(use.tokens.calls, use.tokens.input_tokens, use.tokens.output_tokens)
    thinking = TokenUsage(
        use.tokens.calls,
        use.tokens.input_tokens,
        use.tokens.output_tokens + round(THINKING_TOKENS * use.tokens.calls),
        use.tokens.cached_tokens,
    )
    return " | ".join(f"{price.micros(t) / 1e6:.2f}" for t in (all_new, use.tokens, thinking))


# --- the document --------------------------------------------------------------------------------


def figures(use: Use, measured: Mapping[str, Any]) -> Iterator[str]:
    """What is put into the formulas."""
    tokens = use.tokens
    rows = (
        ("model calls", f"{use.calls:.2f}"),
        (
            "tokens to the model; of them system prompt and tools",
            f"{tokens.input_tokens / 1000:,.0f}; {tokens.cached_tokens / 1000:,.0f}",
        ),
        ("tokens from the model", f"{tokens.output_tokens / 1000:,.0f}"),
        ("requests to the store function, polls included", f"{use.reads:.2f}"),
        ("visits (new shoppers)", f"{use.visits:.2f}"),
        (
            "Redis: round trips; commands; kB both ways",
            f"{use.redis_trips:.1f}; {use.redis_commands:.1f}; {use.redis_bytes / 1000:.1f}",
        ),
        (
            "Qdrant: round trips; kB of replies",
            f"{use.index_trips:.2f}; {use.index_bytes / 1000:.0f}",
        ),
        (
            "CPU ms of a whole processor: chat; a request to store",
            f"{measured['cpu_ms']['chat']:.1f}; {measured['cpu_ms']['store']:.1f}",
        ),
        (
            "duration in seconds: chat; a request to store",
            f"{use.chat_seconds:.2f}; {use.store_seconds:.3f}",
        ),
        ("kB of logs", f"{use.log_bytes / 1000:.1f}"),
    )
    yield f"| a turn, measured {measured['at']}, {measured['on']} | |"
    yield "|---|---:|"
    for name, value in rows:
        yield f"| {name} | {value} |"


def blocks() -> dict[str, list[str]]:
    """The document's tables, by the name of their place."""
    measured = json.loads(MEASURED.read_text(encoding="utf-8"))
    prices = json.loads(LIST_PRICES.read_text(encoding="utf-8"))
    memory = memories()
    use = use_of(measured, memory)
    return {
        "figures": list(figures(use, measured)),
        "needs": list(needs(use, measured)),
        "costs": list(costs(use, memory, prices)),
        "models": list(model_costs(use, Settings(), date.fromisoformat(prices["as_of"]))),
    }


def filled(document: str, tables: Mapping[str, Sequence[str]]) -> str:
    """The document with these tables between their marks.

    Raises:
        ValueError: it has no place for one.
    """
    for name, lines in tables.items():
        place = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        table = "\n".join(lines)
        document, found = place.subn(lambda m, t=table: f"{m[1]}{t}\n{m[2]}", document)
        if found != 1:
            raise ValueError(f"{DOCUMENT.name} has no place for {name}")
    return document


def _count(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 else f"{number:,.1f}"


def _number(number: float) -> str:
    return f"{number:,.2f}" if number < 10 else f"{number:,.0f}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.load.capacity", description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--measured", type=Path, help="the file of `make load JSON=file`")
    parser.add_argument("--on", default="", help="what machine that was, for the document")
    options = parser.parse_args(arguments)
    if options.measured:
        figures_of_run = taken(json.loads(options.measured.read_text()), options.on)
        MEASURED.write_text(json.dumps(figures_of_run, indent=1, ensure_ascii=False) + "\n")
    document = DOCUMENT.read_text(encoding="utf-8")
    wanted = filled(document, blocks())
    if options.write or options.measured:
        DOCUMENT.write_text(wanted, encoding="utf-8")
    elif wanted != document:
        print("docs/capacity.md is not what the data say: python -m scripts.load.capacity --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
