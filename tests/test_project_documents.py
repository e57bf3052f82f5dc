"""CHANGELOG and SECURITY say what the code does: version, settings, how long data are kept."""

import re
import tomllib
from pathlib import Path

import pytest
from shopping_agent import __version__
from shopping_agent.adapters.redis.keys import DAY, FAMILIES
from shopping_agent.settings import Settings

from functions.local.cli import COMMANDS

ROOT = Path(__file__).resolve().parents[1]
SECURITY = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_version_is_one_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == __version__
    major, minor, _ = __version__.split(".")
    assert f"| {major}.{minor}.x" in SECURITY
    assert __version__ in CHANGELOG


def test_the_changelog_keeps_its_form() -> None:
    heads = re.findall(r"^## (.*)$", CHANGELOG, re.MULTILINE)
    assert heads[0] == "[Unreleased]"
    for head in heads[1:]:
        assert re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", head)
    kinds = set(re.findall(r"^### (.*)$", CHANGELOG, re.MULTILINE))
    known = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security", "Known limits"}
    assert kinds <= known


def test_every_command_is_in_the_changelog() -> None:
    for command in COMMANDS:
        assert f"`{command}`" in CHANGELOG


def test_every_setting_that_security_names_exists() -> None:
    named = set(re.findall(r"`([A-Z]+(?:_[A-Z]+)+)`", SECURITY))
    assert {"SESSION_SECRET", "RECORD_TURNS"} <= named
    assert named <= {name.upper() for name in Settings.model_fields}


@pytest.mark.parametrize(
    ("words", "family"),
    [
        (r"a cart (\d+) days", "cart"),
        (r"a conversation (\d+) days", "conversation"),
        (r"a turn's journal and replies under an `Idempotency-Key` (\d+) day", "journal"),
        (r"a turn's journal and replies under an `Idempotency-Key` (\d+) day", "idempotency"),
        (r"hand-offs to the checkout (\d+) days", "handoff"),
        (r"network \(hashed\) (\d+) day", "network"),
        (r"recorded only with `RECORD_TURNS`, for at most (\d+) days", "recording"),
    ],
)
def test_how_long_data_are_kept_is_what_the_registry_says(words: str, family: str) -> None:
    found = re.search(words, re.sub(r"\s+", " ", SECURITY))
    assert found, words
    kept = next(f for f in FAMILIES if f.name == family)
    assert kept.seconds == int(found[1]) * DAY


@pytest.mark.parametrize("text", [SECURITY, CHANGELOG])
def test_every_link_to_a_file_leads_somewhere(text: str) -> None:
    for target in re.findall(r"\]\((?!https:)([^)#]+)", text):
        assert (ROOT / target).exists(), target
