"""What Lambda would get, for the processor of this machine: layers and functions with their bytecode, for what is measured."""

import hashlib
import os
import platform
import shutil
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "scripts/build-artifact"
RUNTIME = {"client": "awslambdaric>=4.2,<5", "sdk": "boto3>=1.40"}
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
    """Builds the layers and the chat function below a folder and returns its PYTHONPATH, in Lambda's order."""
    parts = built(folder, "chat")
    paths = (parts["chat"], parts["shared"] / "python", parts["dependencies"] / "python")
    return os.pathsep.join(map(str, paths))


def built(folder: Path, *functions: str) -> dict[str, Path]:
    """Builds the layers and functions below a folder: `dependencies`, `shared` and each function -> its folder.

    Dependencies are kept for the next run.
    """
    folder.mkdir(parents=True, exist_ok=True)
    pins = (ROOT / "uv.lock").read_bytes() + SCRIPT.read_bytes()
    dependencies = folder / f"dependencies-{hashlib.sha256(pins).hexdigest()[:16]}"
    if not dependencies.exists():
        for old in folder.glob("dependencies-*"):
            shutil.rmtree(old)
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            _build("dependencies", Path(scratch) / "built")
            (Path(scratch) / "built").rename(dependencies)
    for part in ("shared", *functions):
        shutil.rmtree(folder / part, ignore_errors=True)
        _build(part, folder / part)
    return {"dependencies": dependencies, **{p: folder / p for p in ("shared", *functions)}}


def runtime_packages(folder: Path) -> dict[str, Path]:
    """AWS's runtime client (`client`) and the SDK that its runtime brings (`sdk`), for Python 3.13."""
    found: dict[str, Path] = {}
    for name, package in RUNTIME.items():
        found[name] = folder / name
        if not found[name].exists():
            with tempfile.TemporaryDirectory(dir=folder) as scratch:
                command = [*_uv(), "pip", "install", "--quiet", "--python", python313()]
                command += ["--compile-bytecode", "--only-binary", ":all:"]
                command += ["--target", f"{scratch}/packages", package]
                subprocess.run(command, check=True)
                (Path(scratch) / "packages").rename(found[name])
    return found


def _uv() -> list[str]:
    own_uv = ROOT / ".tools/bin/uv"
    return [os.environ.get("UV") or (str(own_uv) if own_uv.exists() else "uv")]


def _build(part: str, folder: Path) -> None:
    architecture = ARCHITECTURES[platform.machine().lower()]
    variables = {**os.environ, "UV": _uv()[0], "ARCH": architecture}
    subprocess.run([SCRIPT, part, folder], env=variables, check=True)
