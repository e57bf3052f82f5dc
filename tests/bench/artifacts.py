"""What Lambda would get, for the processor of this machine: the layers and the chat function with their bytecode."""

import hashlib
import os
import platform
import shutil
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts/build-artifact"
ARCHITECTURES = {"x86_64": "x86_64", "amd64": "x86_64", "aarch64": "arm64", "arm64": "arm64"}


def python313() -> str:
    """The path of a CPython 3.13.

    Raises:
        subprocess.CalledProcessError: there is none; why was printed.
    """
    found = subprocess.run(
        [ROOT / "scripts/python313"], stdout=subprocess.PIPE, text=True, check=True
    )
    return found.stdout.strip()


def bare_python(folder: Path) -> Path:
    """A Python 3.13 without any package: an installation's own site-packages may cost a start what Lambda does not pay."""
    python = folder / "python/bin/python"
    if not python.exists():
        command = [python313(), "-m", "venv", "--without-pip", str(folder / "python")]
        subprocess.run(command, check=True)
    return python


def search_path(folder: Path) -> str:
    """Builds everything below a folder and returns its PYTHONPATH, in Lambda's order. Dependencies are kept for the next run."""
    pins = (ROOT / "uv.lock").read_bytes() + SCRIPT.read_bytes()
    dependencies = folder / f"dependencies-{hashlib.sha256(pins).hexdigest()[:16]}"
    if not dependencies.exists():
        for old in folder.glob("dependencies-*"):
            shutil.rmtree(old)
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            _build("dependencies", Path(scratch) / "built")
            (Path(scratch) / "built").rename(dependencies)
    for part in ("shared", "chat"):
        shutil.rmtree(folder / part, ignore_errors=True)
        _build(part, folder / part)
    paths = (folder / "chat", folder / "shared/python", dependencies / "python")
    return os.pathsep.join(map(str, paths))


def _build(part: str, folder: Path) -> None:
    own_uv = ROOT / ".tools/bin/uv"
    tool = {"UV": str(own_uv)} if own_uv.exists() else {}
    architecture = ARCHITECTURES[platform.machine().lower()]
    variables = {**tool, **os.environ, "ARCH": architecture}
    subprocess.run([SCRIPT, part, folder], env=variables, check=True)
