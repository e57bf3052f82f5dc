"""The secret scan: finds what must not be committed, takes what is known for known, and is quick to read."""

import importlib.util
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
# Put together here, so that this file is none of those that hold one.
GROQ = "gsk_" + "aB3dE5gH7j" * 5
GEMINI = "AIza" + "SyD3f5g" * 5
AWS = "AKIA" + "IOSFODNN7ABCDEFG"
PRIVATE = "-----BEGIN RSA " + "PRIVATE KEY-----"
NAMED = "UPSTASH_REDIS_REST_" + "TOKEN=AX3cASQgZTk4NjQ5YzYtMzA2ZS00"


@pytest.fixture
def scan() -> ModuleType:
    spec = importlib.util.spec_from_file_location("secret_scan", ROOT / "scripts/secret_scan.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def tree(tmp_path: Path) -> Callable[..., Path]:
    """A working tree with files; `added=False`: git has not been told of them."""

    def make(added: bool = True, **files: str) -> Path:
        subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
        for name, text in files.items():
            (tmp_path / f"{name}.txt").write_text(text)
        if added:
            subprocess.run(["git", "-C", str(tmp_path), "add", "."], check=True)
        return tmp_path

    return make


@pytest.mark.parametrize(
    "text",
    [
        f"key = '{GROQ}'",
        f"GEMINI_API_KEY={GEMINI}",
        f"aws_access_key_id = {AWS}",
        PRIVATE,
        NAMED,
        "https://someone:" + "h4rd-to-guess@shop.example/",
    ],
)
@pytest.mark.parametrize("added", [True, False])
def test_a_secret_is_found_before_and_after_git_knows_the_file(
    scan: ModuleType,
    tree: Callable[..., Path],
    capsys: pytest.CaptureFixture[str],
    text: str,
    added: bool,
) -> None:
    root = tree(added=added, fine="nothing here", notes=f"first line\n{text}\n")
    assert scan.main(["--root", str(root)]) == 1
    said = capsys.readouterr().err
    assert "notes.txt:2" in said
    assert "fine.txt" not in said
    assert text not in said


def test_ordinary_text_and_code_are_no_secrets(scan: ModuleType, tree: Callable[..., Path]) -> None:
    root = tree(
        code="token = read_token(settings)\nSESSION_SECRET: test:only-for-tests\n",
        words="A sk-ipping rope, an eyJewel, AKIA is a clinic.\n",
        digest="etag = 9e107d9d372bb6826bd81d3542a419d6\n",
    )
    assert scan.main(["--root", str(root)]) == 0


def test_what_is_known_is_accepted_wherever_it_moves_in_its_file_and_nowhere_else(
    scan: ModuleType, tree: Callable[..., Path]
) -> None:
    root = tree(known=GROQ)
    assert scan.main(["--root", str(root), "--update"]) == 0
    assert GROQ not in (root / ".secrets.json").read_text()
    (root / "known.txt").write_text(f"\n\n\n{GROQ}\n")
    assert scan.main(["--root", str(root)]) == 0
    (root / "known.txt").write_text(f"{GROQ}\n{GEMINI}\n")
    assert scan.main(["--root", str(root)]) == 1
    (root / "known.txt").write_text(GROQ)
    (root / "another.txt").write_text(GROQ)
    assert scan.main(["--root", str(root)]) == 1


def test_a_file_that_was_deleted_or_is_a_dangling_link_is_passed_over(
    scan: ModuleType, tree: Callable[..., Path]
) -> None:
    root = tree(gone=GROQ)
    (root / "gone.txt").unlink()
    (root / "link.txt").symlink_to(root / "nowhere")
    assert scan.main(["--root", str(root)]) == 0


def test_outside_a_working_tree_it_says_that_it_did_not_look(
    scan: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert scan.main(["--root", str(tmp_path)]) == 0
    assert "not looked for" in capsys.readouterr().err


def test_the_list_of_known_ones_is_short_and_holds_no_file_that_is_gone() -> None:
    import json

    known = json.loads((ROOT / ".secrets.json").read_text())
    assert sum(map(len, known.values())) <= 25
    assert [name for name in known if not (ROOT / name).is_file()] == []


def test_files_of_any_bytes_and_names_are_read(scan: ModuleType, tree: Callable[..., Path]) -> None:
    root = tree(fine="fine")
    (root / "a b\nc.bin").write_bytes(b"\xff\xfe\x00" * 1000)
    (root / "line.txt").write_text("x" * 300_000)
    assert scan.main(["--root", str(root)]) == 0
    (root / "d e.txt").write_text(GROQ)
    assert scan.main(["--root", str(root)]) == 1


def test_a_tree_that_git_cannot_list_is_not_a_clean_one(
    scan: ModuleType, tmp_path: Path, monkeypatch
) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    assert scan.main(["--root", str(tmp_path)]) == 2
