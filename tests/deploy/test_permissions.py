"""Policies name what the code calls: each call of AWS's SDK has its permission, and each permission its call."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "layers/shared/shopping_agent"
# Of the SDK's methods, by the documentation of S3's and SQS's actions.
PERMISSIONS = {
    "get_object": {"s3:GetObject", "s3:ListBucket"},  # ListBucket: else what is missing is a 403
    "get_object VersionId": {"s3:GetObjectVersion"},
    "put_object": {"s3:PutObject"},
    "delete_objects": {"s3:DeleteObject"},
    "list_objects_v2": {"s3:ListBucket"},
    "send_message_batch": {"sqs:SendMessage"},
}
LOGS = {"logs:CreateLogStream", "logs:PutLogEvents"}
# The extension asks Secrets Manager, and Lambda itself takes messages from the queue, both with the function's role.
SECRET = {"secretsmanager:GetSecretValue"}
QUEUE = {"sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"}


class _Loader(yaml.SafeLoader):
    """Short forms lose their names here: what they refer to is enough."""


def _short_form(loader: Any, suffix: str, node: Any) -> Any:
    del suffix
    if isinstance(node, yaml.ScalarNode):
        return loader.construct_scalar(node)
    return loader.construct_sequence(node, deep=True)


_Loader.add_multi_constructor("!", _short_form)


@pytest.fixture(scope="module")
def resources() -> dict[str, Any]:
    text = (ROOT / "template.yaml").read_text(encoding="utf-8")
    return yaml.load(text, _Loader)["Resources"]


def allowed(resources: dict[str, Any], role: str) -> dict[str, list[Any]]:
    """Action -> resources, of a role's own statements and of our managed policies."""
    properties = resources[role]["Properties"]
    documents = [policy["PolicyDocument"] for policy in properties["Policies"]]
    managed = [name for name in _flat(properties["ManagedPolicyArns"]) if name in resources]
    documents += [resources[name]["Properties"]["PolicyDocument"] for name in managed]
    found: dict[str, list[Any]] = {}
    for document in documents:
        for statement in document["Statement"]:
            for action in _flat(statement["Action"]):
                found.setdefault(action, []).extend(_flat(statement["Resource"]))
    return found


def _flat(value: Any) -> list[Any]:
    return [leaf for part in value for leaf in _flat(part)] if isinstance(value, list) else [value]


def calls(*files: str) -> set[str]:
    """The methods of an SDK's client that modules call, and the paginators that they ask for."""
    found: set[str] = set()
    for file in files:
        tree = ast.parse((PACKAGE / file).read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                found |= set(_called(node, node.func))
    return found


def _called(call: ast.Call, method: ast.Attribute) -> Iterator[str]:
    if not (isinstance(method.value, ast.Attribute) and method.value.attr == "_client"):
        return
    if method.attr == "get_paginator":
        (name,) = call.args
        assert isinstance(name, ast.Constant)
        yield str(name.value)
        return
    yield method.attr
    yield from (f"{method.attr} VersionId" for key in call.keywords if key.arg == "VersionId")


def test_the_sdk_is_used_in_two_modules_only() -> None:
    users = {
        str(file.relative_to(PACKAGE))
        for file in PACKAGE.rglob("*.py")
        if "import boto3" in file.read_text(encoding="utf-8")
    }
    assert users == {"adapters/catalog/s3.py", "adapters/sqs.py"}


def test_ingest_may_do_exactly_what_its_code_calls(resources: dict[str, Any]) -> None:
    used = calls("adapters/catalog/s3.py", "adapters/sqs.py")
    assert used == set(PERMISSIONS)
    needed = set[str]().union(*PERMISSIONS.values())
    assert set(allowed(resources, "IngestRole")) == needed | LOGS | SECRET | QUEUE


@pytest.mark.parametrize("role", ["ChatRole", "StoreRole"])
def test_chat_and_store_may_read_a_pack_whose_missing_files_are_told_as_missing(
    resources: dict[str, Any], role: str
) -> None:
    may = allowed(resources, role)
    assert set(may) == PERMISSIONS["get_object"] | LOGS | SECRET
    assert may["s3:GetObject"] == ["${CatalogBucket.Arn}/pack/*"]
    # A condition on the prefix would not hold for a GetObject, and the missing file were a 403 again.
    (pack,) = resources["ReadStorePack"]["Properties"]["PolicyDocument"]["Statement"][1:]
    assert pack == {
        "Effect": "Allow",
        "Action": "s3:ListBucket",
        "Resource": "CatalogBucket.Arn",
    }


def test_what_is_written_is_never_what_was_uploaded(resources: dict[str, Any]) -> None:
    may = allowed(resources, "IngestRole")
    for action in ("s3:PutObject", "s3:DeleteObject"):
        assert sorted(may[action]) == [
            "${CatalogBucket.Arn}/reports/*",
            "${CatalogBucket.Arn}/staging/*",
        ]
