"""The script that shops embed: one file, the modules' own, small, and nothing in it that a strict page refuses."""

import gzip
import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
LARGEST = 40_000


@pytest.fixture
def bundler() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "bundle_widget", ROOT / "scripts" / "bundle_widget.py"
    )
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def committed() -> str:
    return (ROOT / "functions/store/static/widget.js").read_text(encoding="utf-8")


def test_the_committed_script_is_its_modules(bundler: ModuleType, committed: str) -> None:
    assert bundler.bundle() == committed


def test_the_script_is_small(committed: str) -> None:
    assert len(gzip.compress(committed.encode(), 6)) < LARGEST


def test_answers_can_never_become_markup(committed: str) -> None:
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", committed
    )


def test_every_language_has_every_label(committed: str) -> None:
    block = committed[committed.index("const texts = {") :]
    block = block[: block.index("\n};")]
    labels = [
        set(re.findall(r"(\w+): \"", part))
        for part in re.split(r"^  \"?[a-z-]+\"?: \{$", block, flags=re.MULTILINE)[1:]
    ]
    assert len(labels) == 5
    assert all(one == labels[0] for one in labels)


def test_modules_that_cannot_be_joined_are_refused(
    bundler: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "main.js").write_text('import { a } from "./a.js";\nconst b = a;\n')
    monkeypatch.setattr(bundler, "ENTRY", tmp_path / "main.js")
    (tmp_path / "a.js").write_text("export default 1;\n")
    with pytest.raises(ValueError, match="cannot be joined"):
        bundler.bundle()
    (tmp_path / "a.js").write_text("export const a = 1;\nconst b = 2;\n")
    with pytest.raises(ValueError, match="both declare b"):
        bundler.bundle()
