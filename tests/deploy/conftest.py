"""Built artefacts, once per test session, and the tools that build them."""

import fcntl
import os
import platform
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
Build = Callable[[str, Path, str], None]
THIS_ARCH = "x86_64" if platform.machine() == "x86_64" else "arm64"
PARTS = ("dependencies", "shared", "chat", "store", "ingest")


def unavailable(reason: str) -> None:
    """Skip, but never in CI."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def python313() -> str:
    """A Python 3.13, found as `make build` finds it."""
    found = subprocess.run([ROOT / "scripts/python313"], capture_output=True, text=True)
    if found.returncode:
        unavailable(found.stderr.strip())
    return found.stdout.strip()


@pytest.fixture(scope="session")
def uv() -> str:
    found = os.environ.get("UV") or shutil.which("uv")
    if not found:
        unavailable("no uv: set UV or put it on PATH")
    return str(found)


@pytest.fixture(scope="session")
def sam_python() -> Path:
    """The Python of SAM CLI's own environment."""
    found = ROOT / ".tools/sam/bin/python"
    if not found.exists():
        unavailable("no SAM CLI: make check-template installs it")
    return found


@pytest.fixture(scope="session")
def build(python313: str, uv: str) -> Build:
    """Builds one part into a folder as `make build ARCH=` does."""
    if platform.system() != "Linux":
        unavailable("artefacts run on Linux only")

    def run(part: str, folder: Path, arch: str) -> None:
        subprocess.run(
            [ROOT / "scripts/build-artifact", part, folder],
            env={**os.environ, "ARCH": arch, "UV": uv, "PYTHON313": python313},
            check=True,
            timeout=300,
        )

    return run


@pytest.fixture(scope="session")
def artefacts(build: Build, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What Lambda gets, built for this machine's processor: one folder per layer and function."""

    def make(folder: Path) -> None:
        for part in PARTS:
            build(part, folder / part, THIS_ARCH)

    return made_once(tmp_path_factory, "artefacts", make)


def made_once(folders: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A folder that the first of the test run's workers makes and all use."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        folder = folders.mktemp(name)
        make(folder)
        return folder
    folder = folders.getbasetemp().parent / name
    with (folders.getbasetemp().parent / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "made").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            (folder / "made").touch()
    return folder


@pytest.fixture(scope="session")
def other_layer(build: Build, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """(processor, folder) of the dependencies layer for the processor that this machine has not."""
    (arch,) = {"x86_64", "arm64"} - {THIS_ARCH}
    folder = tmp_path_factory.mktemp("other") / "dependencies"
    build("dependencies", folder, arch)
    return arch, folder


@pytest.fixture(scope="session")
def runtime_packages(python313: str, uv: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder `client` with AWS's runtime client, and `sdk` with the boto3 that Lambda's runtime has."""

    def make(folder: Path) -> None:
        for target, package in (("client", "awslambdaric>=4.2,<5"), ("sdk", "boto3>=1.40")):
            command = [uv, "pip", "install", "--quiet", "--python", python313, "--target"]
            command += [str(folder / target), "--only-binary", ":all:", package]
            subprocess.run(command, check=True, timeout=300)

    return made_once(tmp_path_factory, "runtime", make)
