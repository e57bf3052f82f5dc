"""template.yaml by `sam validate --lint`, cfn-lint and checkov, without an account or a network: one table of what they found.

    python scripts/check_template.py SAM_BIN LINT_BIN [TEMPLATE]

Ends with 1 where one of them finds anything or does not run, where a skip gives no reason, and where one is needed by nothing
any more (checkov runs once more with the skips taken out).
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SECONDS = 300
REGION = "eu-west-3"
"""Which one is of no account; sam and cfn-lint want to know one."""


class DidNotRunError(Exception):
    """A tool said nothing that can be read."""


@dataclass
class Outcome:
    """What one tool says of the template."""

    name: str
    passed: str = ""
    findings: list[str] = field(default_factory=list[str])
    skips: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """What is skipped, and why."""
    seconds: float = 0.0


def main(arguments: list[str]) -> int:
    sam, lint = (Path(argument).absolute() for argument in arguments[:2])
    template = Path(arguments[2] if len(arguments) > 2 else "template.yaml").absolute()
    checks: list[tuple[str, Callable[[Outcome], None]]] = [
        ("sam validate --lint", lambda outcome: sam_validate(outcome, sam / "sam", template)),
        ("cfn-lint", lambda outcome: cfn_lint(outcome, lint / "cfn-lint", template)),
        ("checkov", lambda outcome: checkov(outcome, lint / "checkov", template)),
    ]
    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(lambda check: _timed(*check), checks))
    print("\n".join(table(outcomes)))
    return 1 if any(outcome.findings for outcome in outcomes) else 0


def _timed(name: str, check: Callable[[Outcome], None]) -> Outcome:
    outcome, started = Outcome(name), time.perf_counter()
    try:
        check(outcome)
    except (DidNotRunError, OSError, subprocess.TimeoutExpired) as error:
        outcome.findings.append(f"did not run: {error}")
    outcome.seconds = time.perf_counter() - started
    return outcome


def sam_validate(outcome: Outcome, sam: Path, template: Path) -> None:
    said = _run([sam, "validate", "--lint", "--template-file", template])
    if said.returncode:
        outcome.findings.append((said.stdout + said.stderr).strip())
    else:
        outcome.passed = "valid"


def cfn_lint(outcome: Outcome, tool: Path, template: Path) -> None:
    said = _run([tool, "--format", "json", "--template", template])
    for match in _json(said):
        line = match["Location"]["Start"]["LineNumber"]
        outcome.findings.append(f"{match['Rule']['Id']} line {line}: {match['Message']}")
    if said.returncode and not outcome.findings:
        raise DidNotRunError(said.stderr.strip())
    for number, line in enumerate(template.read_text(encoding="utf-8").splitlines(), 1):
        if found := re.search(r"ignore_checks: *\[([^]]+)\][ }]*(?:# *(.*))?$", line):
            outcome.skips.append((f"{found[1]} line {number}", found[2] or ""))
    outcome.findings += [f"skip without a reason: {what}" for what, why in outcome.skips if not why]
    outcome.passed = "no finding" if not outcome.findings else ""


def checkov(outcome: Outcome, tool: Path, template: Path) -> None:
    said = _checkov(tool, template)
    outcome.passed = str(len(said["passed_checks"]))
    for check in said["failed_checks"]:
        outcome.findings.append(f"{_place(check)}: {check['check_name']}")
    skipped = {_place(check): check["check_result"] for check in said["skipped_checks"]}
    outcome.skips = [(place, result["suppress_comment"]) for place, result in skipped.items()]
    # What checkov itself puts there where the comment is missing.
    unsaid = {"", "No comment provided"}
    outcome.findings += [
        f"skip without a reason: {place}" for place, why in outcome.skips if why.strip() in unsaid
    ]
    with tempfile.TemporaryDirectory() as folder:
        bare = Path(folder) / "template.yaml"
        text = template.read_text(encoding="utf-8")
        bare.write_text(text.replace("checkov:", "not-checkov:"), encoding="utf-8")
        needed = {_place(check) for check in _checkov(tool, bare)["failed_checks"]}
    outcome.findings += [
        f"skip of what does not fail: {place}" for place in skipped if place not in needed
    ]


def _checkov(tool: Path, template: Path) -> dict[str, Any]:
    command = [tool, "--file", template, "--framework", "cloudformation"]
    said = _run([*command, "--skip-download", "--compact", "--output", "json"])
    answer = _json(said)
    if not isinstance(answer, dict) or "results" not in answer:
        raise DidNotRunError("checkov found nothing to check")
    if answer["summary"]["parsing_errors"]:
        raise DidNotRunError("checkov cannot read the template")
    return answer["results"]


def _place(check: dict[str, Any]) -> str:
    return f"{check['check_id']} {str(check['resource']).rpartition('.')[2]}"


def _run(command: list[str | Path]) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "AWS_DEFAULT_REGION": REGION, "SAM_CLI_TELEMETRY": "0"}
    return subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
        env=environment,
    )


def _json(said: subprocess.CompletedProcess[str]) -> Any:
    try:
        return json.loads(said.stdout)
    except ValueError as error:
        raise DidNotRunError((said.stderr or said.stdout).strip()[-2000:]) from error


def table(outcomes: list[Outcome]) -> Iterator[str]:
    yield f"{'check':<22}{'passed':<14}{'findings':>8}{'skipped':>9}{'seconds':>9}"
    for o in outcomes:
        row = f"{o.name:<22}{o.passed or '-':<14}{len(o.findings):>8}{len(o.skips):>9}{o.seconds:>9.1f}"
        yield row
    reasons: dict[str, list[str]] = {}
    for outcome in outcomes:
        for place, why in outcome.skips:
            reasons.setdefault(why, []).append(place)
    if reasons:
        yield "\nskipped, and why (each is written in the template where it holds):"
    for why, places in reasons.items():
        yield textwrap.fill(
            f"{', '.join(places)}: {why}", 120, initial_indent="  ", subsequent_indent="    "
        )
    for outcome in outcomes:
        for finding in outcome.findings:
            yield f"\n{outcome.name}: {finding}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
