"""What Lambda would get, for the processor of this machine: layers and functions with their bytecode, for what is measured."""

import hashlib
import os
import platform
import shutil
import subprocess
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "uv.lock"
SCRIPT = ROOT / "scripts/build-artifact"
RUNTIME = {"client": "awslambdaric", "sdk": "boto3"}
BUILD_SECONDS = 300
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
    pins = LOCK.read_bytes() + SCRIPT.read_bytes()
    dependencies = folder / f"dependencies-{hashlib.sha256(pins).hexdigest()[:16]}"
    if not dependencies.exists():
        for old in folder.glob("dependencies-*"):
            shutil.rmtree(old)
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            build("dependencies", Path(scratch) / "built")
            (Path(scratch) / "built").rename(dependencies)
    for part in ("shared", *functions):
        shutil.rmtree(folder / part, ignore_errors=True)
        build(part, folder / part)
    return {"dependencies": dependencies, **{p: folder / p for p in ("shared", *functions)}}


def runtime_packages(folder: Path) -> dict[str, Path]:
    """AWS's runtime client (`client`) and the SDK that its runtime brings (`sdk`), for Python 3.13, as the lock file has them."""
    locked = {
        p["name"]: p["version"]
        for p in tomllib.loads(LOCK.read_text())["package"]
        if "version" in p
    }
    found: dict[str, Path] = {}
    for name, package in RUNTIME.items():
        wanted = f"{package}=={locked[package]}"
        found[name] = folder / wanted
        if not found[name].exists():
            with tempfile.TemporaryDirectory(dir=folder) as scratch:
                command = [uv(), "pip", "install", "--quiet", "--python", python313()]
                command += ["--compile-bytecode", "--only-binary", ":all:"]
                command += ["--target", f"{scratch}/packages", wanted]
                subprocess.run(command, check=True)
                (Path(scratch) / "packages").rename(found[name])
    return found


def uv() -> str:
    """The uv to use: UV's, the project's own, else one on PATH."""
    own = ROOT / ".tools/bin/uv"
    return os.environ.get("UV") or (str(own) if own.exists() else "uv")


def build(part: str, folder: Path, architecture: str = "") -> None:
    """Builds a layer or function (`dependencies`, `shared`, `chat` ...) into a folder, by default for this machine's processor."""
    architecture = architecture or ARCHITECTURES[platform.machine().lower()]
    variables = {**os.environ, "UV": uv(), "ARCH": architecture}
    subprocess.run([SCRIPT, part, folder], env=variables, check=True, timeout=BUILD_SECONDS)
