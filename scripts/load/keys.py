"""How many keys of each family a run left in Redis, and how large they are."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Final

from scripts.load.stack import LocalStack

MOST_SAMPLED: Final = 100
PAGE: Final = 1000


@dataclass(frozen=True)
class KeysOfFamily:
    """Attributes: bytes: of one key, the mean of up to `MOST_SAMPLED`, what Redis needs for it included."""

    count: int
    bytes: float


def keys_by_family(stack: LocalStack) -> dict[str, KeysOfFamily]:
    """By the family's name, the second part of each key (`adapters/redis/keys.py`)."""
    found: dict[str, list[str]] = defaultdict(list)
    cursor = "0"
    while True:
        cursor, page = stack.command("SCAN", cursor, "COUNT", str(PAGE))
        for key in page:
            found[key.split(":")[1]].append(key)
        if str(cursor) == "0":
            break
    return {family: _measured(stack, keys) for family, keys in sorted(found.items())}


def _measured(stack: LocalStack, keys: list[str]) -> KeysOfFamily:
    step = max(1, len(keys) // MOST_SAMPLED)
    sampled = keys[::step][:MOST_SAMPLED]
    sizes = [float(stack.command("MEMORY", "USAGE", key) or 0) for key in sampled]
    return KeysOfFamily(len(keys), round(sum(sizes) / len(sizes), 1))
