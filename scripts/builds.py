"""What `make build` made: the size of each part, and for every function a digest of all that a version of it consists of.

    python scripts/builds.py [FOLDER]          the parts of .aws-sam/build as a table

A version of a function is published when its digest changes: by a byte of its code or of a layer that it uses, by what the
template says of it, or by a parameter. CloudFormation alone would see the first of these only.
"""

import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / ".aws-sam/build"
_LONGEST = 32  # hexadecimal digits: SAM appends them to the function's description


class NotBuiltError(Exception):
    """What should be deployed is not there."""


def main(arguments: list[str]) -> int:
    build = Path(arguments[0]) if arguments else BUILD
    try:
        template = read_template(build)
    except NotBuiltError as error:
        print(error, file=sys.stderr)
        return 1
    for name in parts(template):
        files = list(files_in(build / name))
        size = sum(file.stat().st_size for file in files)
        print(f"{name:<20} {size / 2**20:7.1f} MB {len(files):6} files  {digest_of(build / name)}")
    return 0


def read_template(build: Path) -> dict[str, Any]:
    """The template of a build, which has CloudFormation's long forms only.

    Raises:
        NotBuiltError: there is none.
    """
    file = build / "template.yaml"
    if not file.is_file():
        raise NotBuiltError(f"nothing is built in {build}: make build")
    return yaml.safe_load(file.read_text(encoding="utf-8"))


def parts(template: Mapping[str, Any]) -> list[str]:
    """Logical names of the functions and layers, each a folder of the build."""
    kinds = ("AWS::Serverless::Function", "AWS::Serverless::LayerVersion")
    return [n for n, resource in template["Resources"].items() if resource["Type"] in kinds]


def function_digests(build: Path, parameters: Mapping[str, str], salt: str = "") -> dict[str, str]:
    """The digest of each function by its logical name.

    Args:
        parameters: the stack's, whatever they are for.
        salt: another one publishes new versions of the same.

    Raises:
        NotBuiltError: the template or a folder is missing.
    """
    template = read_template(build)
    shared = template.get("Globals", {}).get("Function", {})
    digests: dict[str, str] = {}
    for name, resource in template["Resources"].items():
        if resource["Type"] != "AWS::Serverless::Function":
            continue
        layers = _named({**shared, **resource["Properties"]}.get("Layers", []))
        used = [layer for layer in layers if layer in template["Resources"]]
        said = [shared, resource["Properties"], dict(parameters), salt]
        told = json.dumps(said, sort_keys=True, default=str).encode()
        made = (digest_of(build / part).encode() for part in (name, *used))
        digests[name] = _digest([told, *made])
    return digests


def digest_of(folder: Path) -> str:
    """The digest of a folder: paths and contents of its files.

    Raises:
        NotBuiltError: it is not there or empty.
    """
    files = sorted(files_in(folder))
    if not files:
        raise NotBuiltError(f"{folder.name} is not built: make build")
    return _digest(
        part
        for file in files
        for part in (str(file.relative_to(folder)).encode(), file.read_bytes())
    )


def files_in(folder: Path) -> Iterator[Path]:
    return (file for file in folder.rglob("*") if file.is_file())


def _digest(said: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for part in said:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()[:_LONGEST]


def _named(value: Any) -> list[str]:
    """Logical names that a value refers to."""
    if isinstance(value, Mapping):
        inner = [name for part in value.values() for name in _named(part)]
        return [str(value["Ref"]), *inner] if "Ref" in value else inner
    return [name for part in value for name in _named(part)] if isinstance(value, list) else []


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
