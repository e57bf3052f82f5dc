"""`sam local invoke --env-vars`: a container sees the settings that the local stack's own functions see.

Asked of SAM itself; its runtime containers are not needed for that.
"""

import json
import os
import subprocess
import tomllib
from pathlib import Path

import pytest
from shopping_agent.settings import Settings

from functions.local.data_folder import DataFolder
from functions.local.variables import (
    SAM_NAMES,
    container_variables,
    function_variables,
    variables_of,
)

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SCRIPT = Path(__file__).with_name("sam_containers.py")
FUNCTIONS = tuple(SAM_NAMES.values())
ENDPOINTS = {
    "redis": "http://127.0.0.1:1",
    "qdrant": "http://127.0.0.1:2",
    "embeddings": "http://127.0.0.1:3/v1",
    "aws": "http://127.0.0.1:4",
}


def variables_of_stack(**own: str) -> dict[str, str]:
    return function_variables(own, endpoints=ENDPOINTS, session_secret="s" * 48, store_pack="")


def parameters() -> list[str]:
    config = tomllib.loads((ROOT / "samconfig.toml").read_text(encoding="utf-8"))
    return config["default"]["local_invoke"]["parameters"]["parameter_overrides"].split()


def containers(
    sam_python: Path, folder: Path, variables: dict[str, dict[str, str]], **shell: str
) -> dict[str, dict[str, str]]:
    data = DataFolder(folder)
    data.write_variables(variables)
    command = [sam_python, SCRIPT, ROOT / "template.yaml", data.variables, *parameters()]
    # Nobody's AWS account.
    shell = {n: v for n, v in os.environ.items() if not n.startswith("AWS_")} | shell
    shell |= {"AWS_CONFIG_FILE": "/dev/null", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null"}
    shell |= {"AWS_EC2_METADATA_DISABLED": "true", "AWS_DEFAULT_REGION": "eu-west-3"}
    shell |= {"SAM_CLI_TELEMETRY": "0"}
    done = subprocess.run(command, env=shell, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    "own",
    [
        {},
        {
            "QDRANT_URL": "https://q.example",
            "QDRANT_API_KEY": "q",
            "EMBEDDING_PROVIDER": "openai",
            "EMBEDDING_BASE_URL": "https://e.example/v1",
            "EMBEDDING_API_KEY": "e",
            "CATALOG_BUCKET": "mine",
            "REDIS_PREFIX": "mine",
            "MAX_TOOL_CALLS": "3",
        },
    ],
    ids=["stand-ins", "own-parts"],
)
def test_a_container_has_the_settings_of_the_stacks_own_functions(
    sam_python: Path, tmp_path: Path, own: dict[str, str]
):
    variables = variables_of_stack(**own)
    # What the shell says of other things must not get between.
    shell = {"LOG_LEVEL": "ERROR", "STORE_CURRENCY": "EUR", "SESSION_SECRET": "the-shells"}
    found = containers(sam_python, tmp_path, container_variables(variables), **shell)
    assert set(found) == set(FUNCTIONS)
    for function, name in SAM_NAMES.items():
        environment = found[name]
        assert Settings.from_mapping(environment) == Settings.from_mapping(
            variables_of(function, variables)
        )
        assert environment["AWS_ENDPOINT_URL"] == ENDPOINTS["aws"]
        assert environment["AWS_REGION"]


def test_without_the_file_a_container_has_no_secret_to_look_for(sam_python: Path, tmp_path: Path):
    found = containers(sam_python, tmp_path, {})
    for function in FUNCTIONS:
        environment = found[function]
        assert environment["SECRETS_ID"] == ""
        assert environment["SESSION_SECRET"] == ""
