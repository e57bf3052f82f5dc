"""What we depend on: pinned by hash, from one index, under licences that a shop can live with."""

import re
import tomllib
from collections.abc import Iterator
from email.message import Message
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
LOCK = tomllib.loads((ROOT / "uv.lock").read_text())
PERMISSIVE = {
    "0BSD",
    "AFL-2.1",
    "APACHE",
    "APACHE-2.0",
    "BSD",
    "BSD-2-CLAUSE",
    "BSD-3-CLAUSE",
    "CC0-1.0",
    "CNRI-PYTHON",
    "ISC",
    "MIT",
    "MIT-0",
    "PSF-2.0",
    "UNLICENSE",
    "ZLIB",
}
# Of a file alone: a change to it would have to be published, and we change none.
WEAK = {"MPL-2.0"}
WORDED = {
    "3-clause bsd license": "BSD-3-CLAUSE",
    "apache license 2.0": "APACHE-2.0",
    "apache software license": "APACHE",
    "bsd license": "BSD",
    "mit license": "MIT",
    "mit no attribution license (mit-0)": "MIT-0",
    "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0",
    "python software foundation license": "PSF-2.0",
}
# Looked up where the package itself does not say: name -> licence.
TOLD_ELSEWHERE = {"axe-playwright-python": "MIT"}


def packages() -> list[dict[str, Any]]:
    return [p for p in LOCK["package"] if p["name"] != "shopping-agent"]


def test_every_package_comes_from_one_index_with_a_hash_for_every_file() -> None:
    assert len(packages()) > 50
    for package in packages():
        assert package["source"] == {"registry": "https://pypi.org/simple"}, package["name"]
        files = [*package.get("wheels", []), *([package["sdist"]] if "sdist" in package else [])]
        assert files, package["name"]
        for file in files:
            assert re.fullmatch(r"sha256:[0-9a-f]{64}", file["hash"]), file["url"]
            assert file["url"].startswith("https://files.pythonhosted.org/"), file["url"]


def installed() -> Iterator[tuple[str, Distribution]]:
    named = {p["name"] for p in packages()}
    for distribution in distributions():
        name = re.sub(r"[-_.]+", "-", distribution.metadata["Name"]).lower()
        if name in named:
            yield name, distribution


def licences(name: str, metadata: Any) -> list[set[str]]:
    """Every set of them is enough (OR); within one all hold (AND)."""
    classified: list[str] = [
        c.rpartition("::")[2].strip()
        for c in metadata.get_all("Classifier") or []
        if c.startswith("License ::") and "DFSG" not in c
    ]
    if "License-Expression" not in metadata and classified:
        return [{WORDED.get(text.lower(), text.upper()) for text in classified}]
    said = str(
        metadata["License-Expression"] or metadata["License"] or TOLD_ELSEWHERE.get(name, "")
    )
    expression = WORDED.get(said.lower(), said)
    return [
        {part.strip(" ()").upper() for part in choice.split(" AND ")}
        for choice in expression.split(" OR ")
    ]


def deployed() -> set[str]:
    """Names of all that the layer of dependencies may hold."""
    by_name = {p["name"]: p for p in LOCK["package"]}
    found, waiting = set[str](), ["shopping-agent"]
    while waiting:
        for needed in by_name[waiting.pop()].get("dependencies", []):
            if needed["name"] not in found:
                found.add(needed["name"])
                waiting.append(needed["name"])
    return found


def test_every_installed_package_has_a_licence_on_the_list() -> None:
    found = {name: licences(name, distribution.metadata) for name, distribution in installed()}
    wrong = {
        name: choices
        for name, choices in found.items()
        if not any(one <= PERMISSIVE | WEAK for one in choices)
    }
    assert wrong == {}


def test_what_is_deployed_is_permissive_but_for_the_list_of_certificates() -> None:
    ours = deployed()
    assert {"httpx", "pydantic", "upstash-redis"} <= ours
    weak = {
        name
        for name, distribution in installed()
        if name in ours
        and not any(one <= PERMISSIVE for one in licences(name, distribution.metadata))
    }
    assert weak <= {"certifi"}


@pytest.mark.parametrize(
    ("expression", "fine"),
    [
        ("MIT", True),
        ("MIT OR GPL-3.0-only", True),
        ("MIT AND GPL-3.0-only", False),
        ("AGPL", False),
    ],
)
def test_a_licence_that_is_not_on_the_list_would_be_seen(expression: str, fine: bool) -> None:
    metadata = Message()
    metadata["License-Expression"] = expression
    found = licences("x", metadata)
    assert any(one <= PERMISSIVE | WEAK for one in found) is fine
