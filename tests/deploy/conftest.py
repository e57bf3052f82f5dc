"""Built artefacts, once per test session, and the tools that build them."""

import fcntl
import os
import platform
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluation import artifacts

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
    found = shutil.which(artifacts.uv())
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
    return artifacts.build


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
def runtime_packages(
    python313: str, uv: str, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    """AWS's runtime client (`client`), and the boto3 that Lambda's runtime has (`sdk`)."""

    def make(folder: Path) -> None:
        artifacts.runtime_packages(folder)

    return artifacts.runtime_packages(made_once(tmp_path_factory, "runtime", make))
