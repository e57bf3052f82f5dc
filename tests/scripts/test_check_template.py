"""`make check-template`: one finding of any tool fails, and so does a skip that says or is needed for nothing."""

import importlib.util
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
TEMPLATE = """Resources:
  Queue:
    Type: AWS::SQS::Queue
    Metadata:
      cfn-lint: {config: {ignore_checks: [W1]}}  # not here
      checkov:
        skip: [{id: CKV_1, comment: "%s"}]
"""
CHECKOV = """
import json, re, sys
text = open(sys.argv[sys.argv.index("--file") + 1]).read()
found = re.search('[^-]checkov:.*comment: "(.*)"', text, re.S)
check = {"check_id": "CKV_1", "resource": "AWS::SQS::Queue.Queue", "check_name": "Encrypted"}
skipped = [{**check, "check_result": {"suppress_comment": found[1]}}] if found else []
failed = [] if found or FAILS_NOTHING else [check]
results = {"passed_checks": [1, 2, 3], "failed_checks": failed, "skipped_checks": skipped}
print(json.dumps({"results": results, "summary": {"parsing_errors": 0}}))
"""


@pytest.fixture
def check() -> Iterator[ModuleType]:
    spec = importlib.util.spec_from_file_location(
        "check_template", ROOT / "scripts/check_template.py"
    )
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up.
    sys.modules["check_template"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["check_template"]


class Tools:
    """sam, cfn-lint and checkov as scripts that say what a test wants."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.template = folder / "template.yaml"
        self.write_template("a reason")
        self.says("sam", "print('valid')")
        self.says("cfn-lint", "print('[]')")
        self.says("checkov", CHECKOV.replace("FAILS_NOTHING", "False"))

    def write_template(self, reason: str, text: str = TEMPLATE) -> None:
        self.template.write_text(text % reason)

    def says(self, tool: str, code: str) -> None:
        source = self.folder / f"{tool}.code.py"
        source.write_text(code)
        script = self.folder / tool
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{source}" "$@"\n')
        script.chmod(0o755)


@pytest.fixture
def tools(tmp_path: Path) -> Tools:
    return Tools(tmp_path)


Run = Callable[[], tuple[int, str]]


@pytest.fixture
def run(check: ModuleType, tools: Tools, capsys: pytest.CaptureFixture[str]) -> Run:
    def main() -> tuple[int, str]:
        folder = str(tools.folder)
        return check.main([folder, folder, str(tools.template)]), capsys.readouterr().out

    return main


def rows(said: str) -> dict[str, list[str]]:
    """Check -> passed, findings, skipped of the table."""
    lines = said.splitlines()[1:4]
    return {line[:22].strip(): [line[22:36].strip(), *line[36:].split()[:2]] for line in lines}


def test_a_clean_template_passes_and_every_skip_is_told_with_its_reason(run: Run) -> None:
    status, said = run()
    assert status == 0
    assert rows(said) == {
        "sam validate --lint": ["valid", "0", "0"],
        "cfn-lint": ["no finding", "0", "1"],
        "checkov": ["3", "0", "1"],
    }
    assert "W1 line 5: not here" in said
    assert "CKV_1 Queue: a reason" in said


@pytest.mark.parametrize(
    ("tool", "code", "told"),
    [
        ("sam", "print('no such property'); raise SystemExit(1)", "no such property"),
        (
            "cfn-lint",
            "import json; print(json.dumps([{'Rule': {'Id': 'E3'}, 'Message': 'no such property', "
            "'Location': {'Start': {'LineNumber': 7}}}])); raise SystemExit(2)",
            "E3 line 7: no such property",
        ),
        ("checkov", CHECKOV.replace("if found or FAILS_NOTHING", "if False"), "CKV_1 Queue"),
    ],
)
def test_a_finding_of_any_tool_fails(
    run: Run, tools: Tools, tool: str, code: str, told: str
) -> None:
    tools.says(tool, code)
    status, said = run()
    assert status == 1
    assert told in said


@pytest.mark.parametrize("tool", ["sam", "cfn-lint", "checkov"])
def test_a_tool_that_is_missing_or_breaks_fails(run: Run, tools: Tools, tool: str) -> None:
    tools.says(tool, "raise SystemExit('broken')")
    status, said = run()
    assert status == 1
    assert "broken" in said
    (tools.folder / tool).unlink()
    status, said = run()
    assert status == 1
    assert "did not run" in said


@pytest.mark.parametrize(
    "answer", [{"passed": 0}, {"results": {}, "summary": {"parsing_errors": 1}}]
)
def test_a_template_that_checkov_cannot_read_fails(
    run: Run, tools: Tools, answer: dict[str, Any]
) -> None:
    tools.says("checkov", f"print({json.dumps(answer)!r})")
    status, said = run()
    assert status == 1
    assert "did not run" in said


@pytest.mark.parametrize("reason", ["", "No comment provided"])
def test_a_skip_of_checkov_without_a_reason_fails(run: Run, tools: Tools, reason: str) -> None:
    tools.write_template(reason)
    status, said = run()
    assert status == 1
    assert "skip without a reason: CKV_1 Queue" in said


def test_a_skip_of_cfn_lint_without_a_reason_fails(run: Run, tools: Tools) -> None:
    tools.write_template("a reason", TEMPLATE.replace("  # not here", ""))
    status, said = run()
    assert status == 1
    assert "skip without a reason: W1" in said


def test_a_skip_of_what_would_not_fail_fails(run: Run, tools: Tools) -> None:
    tools.says("checkov", CHECKOV.replace("FAILS_NOTHING", "True"))
    status, said = run()
    assert status == 1
    assert "skip of what does not fail: CKV_1 Queue" in said
