"""`make deploy`: a function gets a new version when anything changed that it is made of, and no other one does."""

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
STAGES = """
version = 0.1
[default.deploy.parameters]
resolve_s3 = true
[dev.deploy.parameters]
parameter_overrides = "LogLevel=DEBUG Note='two words'"
[prod.deploy.parameters]
"""


def function(folder: str, build: str, *own_layers: str) -> dict[str, Any]:
    layers = {"Layers": [{"Ref": layer} for layer in own_layers]} if own_layers else {}
    return {
        "Type": "AWS::Serverless::Function",
        "Properties": {"CodeUri": folder, "AutoPublishCodeSha256": {"Ref": build}, **layers},
    }


TEMPLATE: dict[str, Any] = {
    "Parameters": {
        "Architecture": {"Default": "arm64"},
        **{name: {"Default": ""} for name in ("LogLevel", "Note", "ChatBuild", "IngestBuild")},
    },
    "Globals": {
        "Function": {
            "Layers": [
                {"Ref": "SharedLayer"},
                {"Fn::If": ["Newest", "{{resolve:ssm:/newest}}", {"Ref": "ExtensionArn"}]},
            ]
        }
    },
    "Resources": {
        "ChatFunction": function("ChatFunction", "ChatBuild"),
        "IngestFunction": function("IngestFunction", "IngestBuild", "SharedLayer", "IndexLayer"),
        "SharedLayer": {"Type": "AWS::Serverless::LayerVersion"},
        "IndexLayer": {"Type": "AWS::Serverless::LayerVersion"},
        "Queue": {"Type": "AWS::SQS::Queue"},
    },
}


@pytest.fixture
def scripts(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[ModuleType, ModuleType]]:
    names = ("builds", "deploy")
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    yield tuple(importlib.import_module(name) for name in names)  # pyright: ignore[reportReturnType]
    for name in names:
        sys.modules.pop(name, None)


@pytest.fixture
def built(tmp_path: Path) -> Path:
    (tmp_path / "samconfig.toml").write_text(STAGES)
    build = tmp_path / "build"
    for part in ("ChatFunction", "IngestFunction", "SharedLayer", "IndexLayer"):
        (build / part / "python").mkdir(parents=True)
        (build / part / "python/code.py").write_bytes(part.encode())
    write(build, TEMPLATE)
    (build / "architecture").write_text("arm64\n")
    return build


def write(build: Path, template: Any) -> None:
    (build / "template.yaml").write_text(yaml.safe_dump(template, sort_keys=False))


def changed(before: dict[str, str], after: dict[str, str]) -> set[str]:
    assert before.keys() == after.keys()
    return {name for name in before if before[name] != after[name]}


def test_the_same_build_with_the_same_parameters_has_the_same_digests(
    scripts: tuple[ModuleType, ModuleType], built: Path
) -> None:
    digests = scripts[0].function_digests
    assert digests(built, {"A": "1", "B": "2"}) == digests(built, {"B": "2", "A": "1"})


@pytest.mark.parametrize(
    ("part", "new_versions_of"),
    [
        ("SharedLayer", {"ChatFunction", "IngestFunction"}),
        ("IndexLayer", {"IngestFunction"}),
        ("ChatFunction", {"ChatFunction"}),
    ],
)
def test_one_changed_byte_publishes_new_versions_of_all_that_use_it_and_of_nothing_else(
    scripts: tuple[ModuleType, ModuleType], built: Path, part: str, new_versions_of: set[str]
) -> None:
    before = scripts[0].function_digests(built, {})
    code = built / part / "python/code.py"
    code.write_bytes(code.read_bytes()[:-1] + b"!")
    assert changed(before, scripts[0].function_digests(built, {})) == new_versions_of


def test_a_file_that_moved_is_a_change(scripts: tuple[ModuleType, ModuleType], built: Path) -> None:
    before = scripts[0].function_digests(built, {})
    (built / "IndexLayer/python/code.py").rename(built / "IndexLayer/code.py")
    assert changed(before, scripts[0].function_digests(built, {})) == {"IngestFunction"}


def test_a_parameter_or_a_restart_publishes_new_versions_of_all(
    scripts: tuple[ModuleType, ModuleType], built: Path
) -> None:
    digests = scripts[0].function_digests
    before = digests(built, {"AssistantEnabled": "true"})
    assert changed(before, digests(built, {"AssistantEnabled": "false"})) == set(before)
    assert changed(before, digests(built, {"AssistantEnabled": "true"}, "again")) == set(before)


def test_what_the_template_says_of_a_function_publishes_a_new_version_of_it(
    scripts: tuple[ModuleType, ModuleType], built: Path
) -> None:
    before = scripts[0].function_digests(built, {})
    template = json.loads(json.dumps(TEMPLATE))
    template["Resources"]["ChatFunction"]["Properties"]["MemorySize"] = 2048
    write(built, template)
    assert changed(before, scripts[0].function_digests(built, {})) == {"ChatFunction"}
    template["Resources"]["Queue"]["Properties"] = {"VisibilityTimeout": 60}
    before = scripts[0].function_digests(built, {})
    write(built, template)
    assert not changed(before, scripts[0].function_digests(built, {}))


def test_the_command_line_goes_before_the_stages_parameters_and_every_digest_is_filled_in(
    scripts: tuple[ModuleType, ModuleType], built: Path
) -> None:
    builds, deploy = scripts
    command = deploy.plan(built.parent, built, "dev", ["LogLevel=INFO"])
    assert command[1:5] == ["deploy", "--config-env", "dev", "--parameter-overrides"]
    pairs = dict(pair.split("=", 1) for pair in command[5:])
    digests = builds.function_digests(built, {"LogLevel": "INFO", "Note": "two words"})
    assert pairs == {
        "LogLevel": "INFO",
        "Note": "two words",
        "ChatBuild": digests["ChatFunction"],
        "IngestBuild": digests["IngestFunction"],
    }


@pytest.mark.parametrize(
    ("stage", "parameters", "told"),
    [
        ("production", [], "samconfig.toml has dev, prod"),
        ("", [], "make deploy STAGE=dev"),
        ("prod", ["LogLevle=INFO"], "LogLevle is no parameter of template.yaml; LogLevel is one"),
        ("prod", ["LogLevel"], "'LogLevel' is no Name=Value"),
        ("prod", ["Architecture=x86_64"], "make build ARCH=x86_64"),
    ],
)
def test_a_wrong_call_says_what_would_be_right_and_deploys_nothing(
    scripts: tuple[ModuleType, ModuleType],
    built: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    stage: str,
    parameters: list[str],
    told: str,
) -> None:
    deploy = scripts[1]
    monkeypatch.setattr(deploy, "ROOT", built.parent)
    monkeypatch.setattr(deploy, "BUILD", built)
    monkeypatch.setattr(deploy.os, "execv", lambda *_: pytest.fail("deployed"))
    assert deploy.main([stage, *parameters]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("missing", ["template.yaml", "SharedLayer/python/code.py"])
def test_what_is_not_built_is_not_deployed(
    scripts: tuple[ModuleType, ModuleType], built: Path, missing: str
) -> None:
    (built / missing).unlink()
    with pytest.raises(scripts[0].NotBuiltError, match="make build"):
        scripts[1].plan(built.parent, built, "prod", [])


def test_a_build_of_an_older_template_is_not_deployed(
    scripts: tuple[ModuleType, ModuleType], built: Path
) -> None:
    template = json.loads(json.dumps(TEMPLATE))
    del template["Resources"]["ChatFunction"]["Properties"]["AutoPublishCodeSha256"]
    write(built, template)
    with pytest.raises(scripts[0].NotBuiltError, match="older template"):
        scripts[1].plan(built.parent, built, "prod", [])


def test_every_function_of_the_template_has_a_parameter_for_its_digest() -> None:
    text = (ROOT / "template.yaml").read_text(encoding="utf-8")
    for name in ("Chat", "Store", "Ingest"):
        assert f"AutoPublishCodeSha256: !Ref {name}Build\n" in text
        assert f'\n  {name}Build:\n    Type: String\n    Default: ""\n' in text
    assert "\n    AutoPublishAlias: live\n" in text


# --- what is left behind -----------------------------------------------------------------------


class Pages:
    def __init__(self, *pages: Any) -> None:
        self._pages = pages

    def paginate(self, **_: str) -> tuple[Any, ...]:
        return self._pages


class Lambda:
    """Six versions, the fourth served and the first with a share of the traffic."""

    def __init__(self) -> None:
        self.deleted: list[str] = []

    def get_paginator(self, name: str) -> Pages:
        if name == "list_aliases":
            routing = {"AdditionalVersionWeights": {"1": 0.1}}
            return Pages({"Aliases": [{"FunctionVersion": "4", "RoutingConfig": routing}]})
        versions = [{"Version": v} for v in ("$LATEST", "1", "2", "3", "10", "4", "9")]
        return Pages({"Versions": versions[:3]}, {"Versions": versions[3:]})

    def delete_function(self, **which: str) -> None:
        self.deleted.append(f"{which['FunctionName']}:{which['Qualifier']}")


class Session:
    def __init__(self) -> None:
        self.functions = Lambda()

    def client(self, name: str) -> Any:
        if name == "lambda":
            return self.functions
        rows = [
            {"ResourceType": "AWS::Lambda::Function", "PhysicalResourceId": "shop-chat"},
            {"ResourceType": "AWS::Lambda::Alias", "PhysicalResourceId": "shop-chat:live"},
        ]

        class Stacks:
            def get_paginator(self, _: str) -> Pages:
                return Pages({"StackResourceSummaries": rows})

        return Stacks()


@pytest.fixture
def prune(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    yield importlib.import_module("prune_versions")
    sys.modules.pop("prune_versions", None)


def test_old_versions_go_but_for_those_that_are_served_and_the_newest(prune: ModuleType) -> None:
    session = Session()
    assert prune.main(["--keep", "2", "shop"], session=session) == 0
    assert session.functions.deleted == ["shop-chat:2", "shop-chat:3"]


def test_a_plan_deletes_no_version(prune: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    session = Session()
    assert prune.main(["--plan", "--keep", "0", "shop"], session=session) == 0
    assert session.functions.deleted == []
    assert "would delete shop-chat:10" in capsys.readouterr().out


def test_pruning_needs_a_stack(prune: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert prune.main([""], session=Session()) == 2
    assert "STACK=" in capsys.readouterr().err
