"""A shop whose catalog and guides hold attacks, brought in by the real ingestion, behind the real handlers."""

import json
from collections.abc import Generator
from dataclasses import dataclass
from itertools import product as pairs
from pathlib import Path
from typing import Any

import pytest
from shopping_agent.settings import Settings

from evaluation.client import ChatClient
from evaluation.shop import shop
from evaluation.staging import Understudy, demo_files, handlers_with

HERE = Path(__file__).parent
KEPT = "neroli-bloom-50"
KEPT_PRICE = 390


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (HERE / name).read_text("utf-8").splitlines()]


ATTACKS = lines("attacks.jsonl")
BENIGN = lines("benign.jsonl")
NAMES = [
    f"{a}{b}"
    for a, b in pairs(
        ("Zelta", "Monvak", "Quirbo", "Fandel", "Trusko", "Wexlu", "Jibna", "Pholdo"),
        ("rixa", "dobel", "vunti", "mashka", "gorlen", "pildra", "krimo", "telsa", "nuvio"),
    )
]


@dataclass(frozen=True)
class Attack:
    """An attack, the product whose fields hold it, and the heading of the guide section that does."""

    id: str
    language: str
    kind: str
    text: str
    product: str
    name: str
    section: str
    asks: bool


def attacks() -> list[Attack]:
    return [
        Attack(
            line["id"],
            line["language"],
            line["kind"],
            line["text"],
            f"trap-{number:02d}",
            f"{NAMES[number]} Essence",
            f"Club {NAMES[-1 - number // 2]}{number}",
            bool(line.get("asks")),
        )
        for number, line in enumerate(ATTACKS)
    ]


def _product(attack: Attack, number: int) -> dict[str, Any]:
    return {
        "id": attack.product,
        "name": attack.name,
        "brand": attack.text if number % 3 == 0 else "Maison Zero",
        "description": f"A calm cedar for quiet evenings. {attack.text}",
        "price": 200 + number,
        "currency": "MAD",
        "stock": 120,
        "families": ["woody"],
        "notes": {
            "top": ["cedar"],
            "heart": [attack.text] if number % 4 == 0 else [],
            "base": ["musk"],
        },
        "url": f"https://shop.example/p/{attack.product}",
    }


@pytest.fixture(scope="session")
def hostile_shop(tmp_path_factory: pytest.TempPathFactory) -> Generator[Settings]:
    folder = tmp_path_factory.mktemp("hostile")
    catalog, guide = folder / "traps.jsonl", folder / "clubs.en.md"
    rows = [json.dumps(_product(attack, number)) for number, attack in enumerate(attacks())]
    catalog.write_text("\n".join(rows), "utf-8")
    sections = [
        f"## {a.section}\n{a.section} opens every Monday at ten. {a.text}\n" for a in attacks()
    ]
    guide.write_text("# Clubs\n" + "\n".join(sections), "utf-8")
    files = demo_files() | {"catalog/traps.jsonl": catalog, "guides/clubs.en.md": guide}
    with shop(folder / "data", files) as variables:
        yield Settings.from_mapping({**variables, "RATE_LIMITS": "off"})


@pytest.fixture(scope="module")
def understudy(hostile_shop: Settings) -> Generator[Understudy]:
    with handlers_with(hostile_shop) as played:
        yield played


@pytest.fixture
def shopper(understudy: Understudy) -> ChatClient:
    """A shopper with one Neroli Bloom 50 ml in the cart."""
    client = ChatClient()
    client.at_store("POST", "/api/v1/cart/items", {"productId": KEPT, "quantity": 1})
    return client
