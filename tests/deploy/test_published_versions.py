"""What SAM makes of the template: which versions a deployment publishes, and who serves shoppers and the queue."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = Path(__file__).with_name("sam_versions.py")
BUILDS = {"ChatBuild": "a" * 32, "StoreBuild": "b" * 32, "IngestBuild": "c" * 32}
SNAPSHOTS = {**BUILDS, "SnapStart": "PublishedVersions"}


@pytest.fixture(scope="module")
def transformed(sam_python: Path) -> list[dict[str, Any]]:
    """The resources as built, with another build of chat, and with snapshots."""
    given = [BUILDS, {**BUILDS, "ChatBuild": "d" * 32}, SNAPSHOTS]
    command = [sam_python, SCRIPT, ROOT / "template.yaml", *map(json.dumps, given)]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
        env={**os.environ, "AWS_DEFAULT_REGION": "eu-west-3", "SAM_CLI_TELEMETRY": "0"},
    )
    return json.loads(done.stdout)


def of_type(resources: dict[str, Any], kind: str) -> dict[str, dict[str, Any]]:
    return {name: r for name, r in resources.items() if r["Type"] == kind}


def test_another_build_of_one_function_publishes_one_version(
    transformed: list[dict[str, Any]],
) -> None:
    before, after = (set(of_type(r, "AWS::Lambda::Version")) for r in transformed[:2])
    assert len(before) == len(after) == 3
    (gone,), (new,) = before - after, after - before
    assert gone.startswith("ChatFunction")
    assert new.startswith("ChatFunction")


def test_the_alias_follows_the_new_version_and_is_what_the_gateway_and_the_queue_call(
    transformed: list[dict[str, Any]],
) -> None:
    for resources in transformed:
        versions = set(of_type(resources, "AWS::Lambda::Version"))
        aliases = of_type(resources, "AWS::Lambda::Alias")
        followed = {a["Properties"]["FunctionVersion"]["Fn::GetAtt"][0] for a in aliases.values()}
        assert followed == versions
        (mapping,) = of_type(resources, "AWS::Lambda::EventSourceMapping").values()
        assert mapping["Properties"]["FunctionName"]["Ref"] in aliases
        (api,) = of_type(resources, "AWS::ApiGatewayV2::Api").values()
        called = json.dumps(api["Properties"]["Body"]["paths"])
        for name in ("ChatFunction", "StoreFunction"):
            assert f"${{{name}Aliaslive}}" in called
            assert f"${{{name}.Arn}}" not in called


def test_a_version_that_was_published_stays_to_go_back_to(
    transformed: list[dict[str, Any]],
) -> None:
    for version in of_type(transformed[0], "AWS::Lambda::Version").values():
        assert version["DeletionPolicy"] == "Retain"


def test_access_is_logged_as_one_json_object_a_line(transformed: list[dict[str, Any]]) -> None:
    (stage,) = of_type(transformed[0], "AWS::ApiGatewayV2::Stage").values()
    line = stage["Properties"]["AccessLogSettings"]["Format"]
    assert "\n" not in line
    assert json.loads(line)["requestId"] == "$context.requestId"


def test_the_stage_that_the_own_name_is_mapped_to_is_the_one_that_sam_makes(
    transformed: list[dict[str, Any]],
) -> None:
    resources = transformed[0]
    (mapping,) = of_type(resources, "AWS::ApiGatewayV2::ApiMapping").values()
    stage = resources[mapping["DependsOn"]]
    assert stage["Type"] == "AWS::ApiGatewayV2::Stage"
    assert mapping["Properties"]["Stage"] == stage["Properties"]["StageName"]
