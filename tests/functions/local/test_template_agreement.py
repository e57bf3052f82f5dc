"""The local stack runs the functions as the template deploys them."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from functions.local import cors
from functions.local.children import ROOT
from functions.local.gateway import CHAT_PREFIX
from functions.local.lambda_service import FunctionSpec
from functions.local.stack import FUNCTIONS
from functions.local.variables import SAM_NAMES


class Loader(yaml.SafeLoader):
    """Reads CloudFormation's short tags as their plain values."""


def value_of(loader: Any, suffix: str, node: Any) -> Any:
    if isinstance(node, yaml.ScalarNode):
        return loader.construct_scalar(node)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return loader.construct_mapping(node, deep=True)


Loader.add_multi_constructor("!", value_of)
RESOURCES = yaml.load((ROOT / "template.yaml").read_text(), Loader)["Resources"]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.name)
def test_a_function_has_the_templates_time_memory_and_folder(function: FunctionSpec) -> None:
    deployed = RESOURCES[SAM_NAMES[function.name]]["Properties"]
    assert function.timeout == deployed["Timeout"]
    assert function.memory == deployed["MemorySize"]
    assert function.folder == Path(ROOT, deployed["CodeUri"])


def test_cors_is_the_gateways() -> None:
    deployed = RESOURCES["HttpApi"]["Properties"]["CorsConfiguration"]
    assert cors.METHODS.split(",") == deployed["AllowMethods"]
    assert cors.HEADERS.split(",") == deployed["AllowHeaders"]
    assert cors.EXPOSED.split(",") == deployed["ExposeHeaders"]
    assert deployed["MaxAge"] == cors.MAX_AGE_SECONDS


def test_the_chat_route_is_the_gateways() -> None:
    event = RESOURCES["ChatFunction"]["Properties"]["Events"]["Chat"]["Properties"]
    assert (event["Method"], event["Path"]) == ("POST", f"{CHAT_PREFIX}{{proxy+}}")
