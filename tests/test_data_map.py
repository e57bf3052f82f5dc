"""README's data map is the registry of key families: none is missing, and each is kept as long as it says."""

import re
from pathlib import Path

import pytest
from shopping_agent.adapters.redis.keys import DAY, FAMILIES, KeyFamily

README = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")
PRIVACY = README.split("\n## Privacy\n")[1].split("\n## ")[0]
ROWS = dict(
    re.findall(r"^\| `([a-z]+)` \| .*? \| (\d+ (?:days?|minutes)) \|", PRIVACY, re.MULTILINE)
)
PERSONAL = [family for family in FAMILIES if family.owner != "shop"]


def test_the_map_lists_every_family_that_is_a_persons_and_no_other() -> None:
    assert set(ROWS) == {family.name for family in PERSONAL}


@pytest.mark.parametrize("family", PERSONAL, ids=lambda family: family.name)
def test_a_family_is_kept_as_long_as_the_map_says(family: KeyFamily) -> None:
    assert family.seconds is not None
    days = family.seconds // DAY
    kept = f"{days} day{'s' if days > 1 else ''}" if days else f"{family.seconds // 60} minutes"
    assert ROWS[family.name] == kept


def test_every_family_is_named_once() -> None:
    names = [family.name for family in FAMILIES]
    assert len(names) == len(set(names))
