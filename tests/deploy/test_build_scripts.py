"""The build scripts refuse what they cannot build, with a word on what would work."""

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def run(script: str, *arguments: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [ROOT / "scripts" / script, *arguments],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=60,
    )


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


def test_python313_falls_back_to_pyenv_and_says_what_to_do_without(tmp_path: Path):
    fake = tmp_path / "versions/3.13.9/bin/python3.13"
    fake.parent.mkdir(parents=True)
    fake.write_text("#!/bin/sh\nexit 0\n")
    fake.chmod(0o755)
    found = run("python313", PYTHON313="", PATH="/usr/bin:/bin", PYENV_ROOT=str(tmp_path))
    assert found.stdout.strip().endswith("/python3.13")
    missing = run("python313", PYTHON313="", PATH=str(tmp_path), PYENV_ROOT=str(tmp_path / "none"))
    assert missing.returncode != 0


def test_an_unknown_processor_is_refused_before_anything_is_built(tmp_path: Path, python313: str):
    target = tmp_path / "layer"
    refused = run("build-artifact", "dependencies", str(target), ARCH="riscv", PYTHON313=python313)
    assert refused.returncode == 2
    assert "arm64" in refused.stderr
    assert not target.exists()
