"""The runbook says what there is: commands, options of AWS's interface, alarms, outputs, links."""

import argparse
import importlib
import re
import shlex
from pathlib import Path
from typing import Any

import botocore.session
import pytest
import yaml

from functions.local.cli import COMMANDS

ROOT = Path(__file__).resolve().parents[1]
RUNBOOK = (ROOT / "docs/runbook.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
# Of the interface itself, whatever the operation.
EVERYWHERE = {"query", "output", "region", "profile"}
CODE = [
    *re.findall(r"^```sh\n(.*?)^```", RUNBOOK, re.MULTILINE | re.DOTALL),
    *re.findall(r"`([^`\n]+)`", RUNBOOK),
]


class Template(yaml.SafeLoader):
    """Reads CloudFormation's short forms as what they hold."""


def _short_form(loader: Any, suffix: str, node: Any) -> Any:
    del suffix
    if isinstance(node, yaml.ScalarNode):
        return loader.construct_scalar(node)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return loader.construct_mapping(node, deep=True)


Template.add_multi_constructor("!", _short_form)
TEMPLATE: dict[str, Any] = yaml.load((ROOT / "template.yaml").read_text(), Template)


def test_every_alarm_of_the_template_has_a_row_and_every_row_an_alarm() -> None:
    alarms = {
        name
        for name, resource in TEMPLATE["Resources"].items()
        if resource["Type"] in ("AWS::CloudWatch::Alarm", "AWS::CloudWatch::CompositeAlarm")
    }
    part = RUNBOOK.split("\n## Alarms\n")[1].split("\n## ")[0]
    rows = [line.split("|") for line in part.splitlines() if line.startswith("| `")]
    assert {row[1].strip(" `") for row in rows} == alarms, "docs/runbook.md: Alarms"
    for _, _, means, mend, _ in rows:
        assert len(means.strip()) > 20
        assert len(mend.strip()) > 20


def calls(command: str) -> list[list[str]]:
    """The words of each use of a command in the runbook, up to where the shell goes on."""
    found: list[list[str]] = []
    for text in CODE:
        for match in re.finditer(rf"(?<![\w./-]){command} [a-z].*", text):
            line = re.sub(r"\$\(.*?\)", "X", match[0].partition(" #")[0])
            words = shlex.split(line.replace(" 2>", " ;"), comments=False, posix=True)
            ends = next((i for i, w in enumerate(words) if w in ("|", ">", "&&", ";")), None)
            found.append([word.rstrip(";") for word in words[:ends]])
    return found


def test_every_command_of_aws_is_one_that_there_is_with_options_that_it_has() -> None:
    session: Any = botocore.session.get_session()
    used = calls("aws")
    assert len(used) >= 8
    for _, service, operation, *rest in used:
        model = session.get_service_model(service)
        name = "".join(part.capitalize() for part in operation.split("-"))
        assert name in model.operation_names, f"aws {service} {operation}"
        members = {
            re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", member).lower()
            for member in model.operation_model(name).input_shape.members
        }
        options = {word[2:] for word in rest if word.startswith("--")}
        assert options <= members | EVERYWHERE, f"aws {service} {operation}"
        needed = {
            re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", member).lower()
            for member in model.operation_model(name).input_shape.required_members
        }
        assert needed <= options, f"aws {service} {operation}"


@pytest.mark.parametrize("text", [RUNBOOK, README], ids=["runbook", "readme"])
def test_every_use_of_our_command_names_a_subcommand_and_its_options(text: str) -> None:
    named = re.findall(r"shopping-agent ([a-z]+)\b([^`\n#]*)", text)
    assert named
    for command, rest in named:
        if command not in COMMANDS:
            assert not rest.strip().startswith("--"), command
            continue
        parser = argparse.ArgumentParser()
        importlib.import_module(f"functions.local.{command}").add_arguments(parser)
        known = set(parser._option_string_actions)
        assert set(re.findall(r"(?<!\S)--[a-z][a-z-]*", rest)) <= known, f"{command}{rest}"


def test_every_output_and_resource_that_is_asked_for_exists() -> None:
    outputs = set(re.findall(r"\$\(out (\w+)\)", RUNBOOK)) - {"f"}
    assert {"ApiUrl", "CatalogBucketName", "SecretId"} <= outputs <= set(TEMPLATE["Outputs"])
    assert set(re.findall(r"\$\(log (\w+)\)", RUNBOOK)) <= set(TEMPLATE["Resources"])
    for name in ("ChatFunctionName", "StoreFunctionName", "IngestFunctionName"):
        assert name in TEMPLATE["Outputs"]


def test_every_parameter_that_is_set_exists() -> None:
    named = set(re.findall(r"\b([A-Z][a-z]+(?:[A-Z][a-z]+)+)=(?!=)", RUNBOOK))
    assert {"AssistantEnabled", "LlmProvider"} <= named
    assert named <= set(TEMPLATE["Parameters"])


def test_every_link_leads_somewhere() -> None:
    def anchors(text: str) -> set[str]:
        heads = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
        return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}

    for target in re.findall(r"\]\(([^)]+)\)", RUNBOOK):
        path, _, anchor = target.partition("#")
        text = (ROOT / "docs" / path).read_text("utf-8") if path else RUNBOOK
        assert not anchor or anchor in anchors(text), target


def test_commands_that_need_an_account_are_said_not_to_have_been_run() -> None:
    assert "were not run here" in RUNBOOK.split("\n## ")[0]


def test_every_metric_that_is_named_is_emitted() -> None:
    code = "".join(
        file.read_text("utf-8") for file in (ROOT / "layers/shared/shopping_agent").rglob("*.py")
    )
    [named] = re.findall(r"the metrics ((?:`\w+`(?:, | and )?)+)", RUNBOOK)
    metrics = re.findall(r"`(\w+)`", named)
    assert len(metrics) == 3
    for metric in metrics:
        assert f'"{metric}"' in code, metric
