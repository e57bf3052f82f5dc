"""The README says what the code does: settings, commands, files."""

import re
import subprocess
import typing
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


@pytest.mark.parametrize("name", sorted(Settings.model_fields))
def test_every_choice_of_a_setting_is_named(name: str) -> None:
    row = next(line for line in README.splitlines() if line.startswith(f"| `{name.upper()}` |"))
    for choice in typing.get_args(Settings.model_fields[name].annotation):
        assert f"`{choice}`" in row


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="asks git, and this is no clone")
def test_the_map_shows_what_there_is() -> None:
    """Every path of the map exists, and every folder of the repository is on it."""
    tree = README.split("## The tree\n\n```\n")[1].split("```")[0]
    package = "layers/shared/shopping_agent"
    shown: set[str] = set()
    for line in tree.splitlines():
        names = line[:34].split()
        within = f"{package}/" if line.startswith("  ") else ""
        first = f"{within}{names[0]}"
        beside = str(Path(first).parent)
        shown |= {first.rstrip("/"), *(str(Path(beside, name)) for name in names[1:])}
    for path in shown:
        assert (ROOT / path).exists(), path
    command = ["git", "-c", "safe.directory=*", "ls-files"]
    listed = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    folders = {path.split("/")[0] for path in listed if "/" in path}
    folders |= {"/".join(path.split("/")[:2]) for path in listed if path.startswith("functions/")}
    folders |= {"/".join(path.split("/")[:4]) for path in listed if path.startswith(f"{package}/")}
    parts = {f for f in folders if (ROOT / f).is_dir() and f not in ("functions", "layers")}
    assert parts <= shown


def test_every_command_is_described() -> None:
    for command in COMMANDS:
        assert f"shopping-agent {command} " in README


def test_every_make_target_that_is_named_exists() -> None:
    makefiles = (ROOT / "Makefile").read_text() + (ROOT / "build.mk").read_text()
    blocks = "\n".join(re.findall(r"^```sh\n(.*?)^```", README, re.MULTILINE | re.DOTALL))
    named = {*re.findall(r"^make ([a-z-]+)", blocks, re.MULTILINE)}
    named |= {*re.findall(r"`make ([a-z-]+)", README)}
    assert {"run", "test", "check", "build", "invoke", "clean"} <= named
    for target in named:
        assert re.search(rf"^{target}:", makefiles, re.MULTILINE), target


def test_every_file_that_is_linked_or_invoked_exists() -> None:
    linked = re.findall(r"\]\((?!https?:)([^)#]+)\)", README)
    for path in [*linked, *re.findall(r"EVENT=(events/[\w.-]+)", README)]:
        assert (ROOT / path).exists(), path
