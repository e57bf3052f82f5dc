"""Deploys what was built, so that the alias of each function whose code, layers or parameters changed gets a new version.

    python scripts/deploy.py [--plan] [--restart] STAGE [Name=Value ...]

STAGE is one of samconfig.toml's; its parameters hold, and those of the command line before them. `--plan` prints the command
only. `--restart` publishes new versions of the same, so that every function starts anew, with the secret as it is now.
"""

import argparse
import difflib
import os
import shlex
import sys
import time
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from builds import BUILD, ROOT, NotBuiltError, function_digests, read_template

SAM = Path(os.environ.get("SAM_HOME", ".tools/sam")) / "bin/sam"


class WrongCallError(Exception):
    """A stage or a parameter that there is not."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="make deploy", description="Deploys what was built.")
    parser.add_argument("stage")
    parser.add_argument("parameters", nargs="*", metavar="Name=Value")
    parser.add_argument("--plan", action="store_true")
    parser.add_argument("--restart", action="store_true")
    options = parser.parse_args(arguments)
    try:
        salt = str(time.time()) if options.restart else ""
        command = plan(ROOT, BUILD, options.stage, options.parameters, salt)
    except (WrongCallError, NotBuiltError) as error:
        print(error, file=sys.stderr)
        return 2
    print(shlex.join(command), flush=True)
    if not options.plan:
        os.execv(SAM, command)
    return 0


def plan(
    root: Path, build: Path, stage: str, overrides: Sequence[str], salt: str = ""
) -> list[str]:
    """The command that deploys a build to a stage.

    Raises:
        WrongCallError: naming the stage or parameter that there is not, and what there is.
        NotBuiltError: there is no build, or one for another processor.
    """
    template = read_template(build)
    given = _pairs(overrides, template["Parameters"])
    parameters = {**_of_stage(root, stage, template["Parameters"]), **given}
    _check_processor(build, template, parameters)
    digests = function_digests(build, parameters, salt)
    resources = template["Resources"]
    try:
        filled = {
            resources[name]["Properties"]["AutoPublishCodeSha256"]["Ref"]: digest
            for name, digest in digests.items()
        }
    except KeyError:
        raise NotBuiltError("built from an older template: make build") from None
    pairs = [f"{name}={value}" for name, value in {**parameters, **filled}.items()]
    return [str(SAM), "deploy", "--config-env", stage, "--parameter-overrides", *pairs]


def _of_stage(root: Path, stage: str, known: Mapping[str, Any]) -> dict[str, str]:
    config = tomllib.loads((root / "samconfig.toml").read_text(encoding="utf-8"))
    stages = [name for name, part in config.items() if isinstance(part, dict) and name != "default"]
    if stage not in stages:
        raise WrongCallError(
            f"STAGE is {stage!r}; samconfig.toml has {', '.join(stages)}: make deploy STAGE={stages[0]}"
        )
    overrides = config[stage]["deploy"]["parameters"].get("parameter_overrides", "")
    return _pairs(overrides if isinstance(overrides, list) else shlex.split(overrides), known)


def _pairs(overrides: Sequence[str], known: Mapping[str, Any]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for override in overrides:
        name, equals, value = override.partition("=")
        if not equals:
            raise WrongCallError(f"{override!r} is no Name=Value")
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"; {near[0]} is one" if near else ""
            raise WrongCallError(f"{name} is no parameter of template.yaml{hint}")
        pairs[name] = value
    return pairs


def _check_processor(
    build: Path, template: Mapping[str, Any], parameters: Mapping[str, str]
) -> None:
    """A layer for another processor deploys well and fails at the first request."""
    wanted = parameters.get("Architecture", template["Parameters"]["Architecture"]["Default"])
    made_for = build / "architecture"
    built = made_for.read_text(encoding="utf-8").strip() if made_for.is_file() else wanted
    if built != wanted:
        raise NotBuiltError(
            f"built for {built}, Architecture is {wanted}: make build ARCH={wanted}, or Architecture={built}"
        )


if __name__ == "__main__":
    sys.exit(main())
