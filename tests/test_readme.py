"""The README says what the code does: settings, commands, files."""

import re
from pathlib import Path

import pytest
from shopping_agent.settings import Settings

from functions.local.cli import COMMANDS

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| `([A-Z_]+)` \|\s*(.*?)\s*\|", README, re.MULTILINE))


def test_the_table_lists_exactly_the_settings_that_exist() -> None:
    assert set(ROWS) == {name.upper() for name in Settings.model_fields}


@pytest.mark.parametrize("name", sorted(Settings.model_fields))
def test_the_default_in_the_table_is_the_one_in_code(name: str) -> None:
    default = Settings.model_fields[name].default
    value = getattr(default, "get_secret_value", lambda: default)()
    text = str(value).lower() if isinstance(value, bool) else str(value).removesuffix(".0")
    assert ROWS[name.upper()].strip("` ") == text


def test_every_command_is_described() -> None:
    for command in COMMANDS:
        assert f"shopping-agent {command} " in README


def test_every_make_target_that_is_named_exists() -> None:
    makefiles = (ROOT / "Makefile").read_text() + (ROOT / "build.mk").read_text()
    for target in set(re.findall(r"`?make ([a-z-]+)", README)):
        assert re.search(rf"^{target}:", makefiles, re.MULTILINE), target


def test_every_file_that_is_linked_or_invoked_exists() -> None:
    linked = re.findall(r"\]\((?!https?:)([^)#]+)\)", README)
    for path in [*linked, *re.findall(r"EVENT=(events/[\w.-]+)", README)]:
        assert (ROOT / path).exists(), path
