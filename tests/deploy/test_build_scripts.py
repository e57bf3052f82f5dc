"""The build scripts refuse what they cannot build, with a word on what would work."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(script: str, *arguments: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [ROOT / "scripts" / script, *arguments],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=60,
    )


def nothing_installed(folder: Path) -> dict[str, str]:
    """Variables of a machine without tools: not even `id`, so that the account's own home is unknown."""
    home = str(folder / "home")
    return {
        "HOME": home,
        "PATH": str(folder / "none"),
        "PYENV_ROOT": "",
        "PYTHON313": "",
        "UV_PYTHON_INSTALL_DIR": "",
    }


def test_a_python313_that_is_no_python_3_13_is_refused(tmp_path: Path):
    fake = tmp_path / "python"
    fake.write_text("#!/bin/sh\nexit 1\n")
    fake.chmod(0o755)
    refused = run("python313", PYTHON313=str(fake))
    assert refused.returncode == 1
    assert str(fake) in refused.stderr


def test_python313_finds_one_on_path_before_pyenv(tmp_path: Path):
    fake = tmp_path / "bin/python3.13"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\nexit 0\n")
    fake.chmod(0o755)
    found = run("python313", PYTHON313="", PATH=f"{fake.parent}:{os.environ['PATH']}")
    assert found.stdout.strip() == str(fake)


@pytest.mark.parametrize(
    ("place", "variables"),
    [
        ("pyenv/versions/3.13.9/bin", {"PYENV_ROOT": "pyenv"}),
        ("home/.pyenv/versions/3.13.9/bin", {}),
        ("home/.local/share/uv/python/cpython-3.13.9-linux-x86_64-gnu/bin", {}),
    ],
)
def test_without_one_on_path_python313_takes_pyenvs_or_uvs(
    tmp_path: Path, place: str, variables: dict[str, str]
):
    fake = tmp_path / place / "python3.13"
    fake.parent.mkdir(parents=True)
    fake.write_text("#!/bin/sh\nexit 0\n")
    fake.chmod(0o755)
    folders = {name: str(tmp_path / folder) for name, folder in variables.items()}
    found = run("python313", **nothing_installed(tmp_path) | folders)
    assert found.stdout.strip() == str(fake)


def test_where_there_is_no_python_3_13_it_says_what_to_do(tmp_path: Path):
    missing = run("python313", **nothing_installed(tmp_path))
    assert missing.returncode == 1
    assert "PYTHON313" in missing.stderr


def test_an_unknown_processor_is_refused_before_anything_is_built(tmp_path: Path, python313: str):
    target = tmp_path / "layer"
    refused = run("build-artifact", "dependencies", str(target), ARCH="riscv", PYTHON313=python313)
    assert refused.returncode == 2
    assert "arm64" in refused.stderr
    assert not target.exists()
