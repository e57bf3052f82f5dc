"""What a deployment may be given: wrong values are refused before anything is changed, with words that say what is wanted."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
LAMBDA_VARIABLES_BYTES = 4096


class _Loader(yaml.SafeLoader):
    """Short forms (`!Ref x`) become their long forms (`{"Ref": "x"}`)."""


def _intrinsic(loader: Any, suffix: str, node: Any) -> Any:
    name = suffix if suffix in ("Ref", "Condition") else f"Fn::{suffix}"
    if isinstance(node, yaml.ScalarNode):
        return {name: loader.construct_scalar(node)}
    return {name: loader.construct_sequence(node, deep=True)}


_Loader.add_multi_constructor("!", _intrinsic)
TEMPLATE: dict[str, Any] = yaml.load((ROOT / "template.yaml").read_text("utf-8"), _Loader)
PARAMETERS: dict[str, dict[str, Any]] = TEMPLATE["Parameters"]
NEEDED = {
    "QdrantUrl": "https://qdrant.example:6333",
    "UpstashRedisRestUrl": "https://redis.example",
    "ChatBuild": "a" * 32,
    "StoreBuild": "b" * 32,
    "IngestBuild": "c" * 32,
}


def takes(name: str, value: str) -> bool:
    """Whether CloudFormation takes a value, by pattern; of a list each part."""
    parameter = PARAMETERS[name]
    parts = value.split(",") if parameter["Type"] == "CommaDelimitedList" else [value]
    return all(re.fullmatch(parameter["AllowedPattern"], part) for part in parts)


@pytest.mark.parametrize("name", PARAMETERS)
def test_every_parameter_is_held_to_what_it_takes_and_says_what_that_is(name: str) -> None:
    parameter = PARAMETERS[name]
    if "AllowedValues" in parameter:
        return
    if parameter["Type"] == "Number":
        assert "MinValue" in parameter
        return
    assert "AllowedPattern" in parameter
    assert parameter["ConstraintDescription"].startswith("must be ")
    assert parameter["ConstraintDescription"].endswith(".")
    assert "Default" not in parameter or takes(name, str(parameter["Default"]))


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("QdrantUrl", "https://x.cloud.qdrant.io:6333", "x.cloud.qdrant.io"),
        ("UpstashRedisRestUrl", "https://eu1-x-1.upstash.io", "redis://x"),
        ("JwtJwksUrl", "https://id.example/.well-known/jwks.json", "http://id.example/jwks"),
        ("LlmFallbacks", "groq, gemini,offline", "groq gemini"),
        ("LlmFallbacks", "none", "none,groq"),
        ("OpenaiModel", "qwen/qwen3-8b:free", "two words"),
        ("ModelPrices", '{"m":{"input":0.15,"output":0.6}}', "m=0.15"),
        ("RateLimits", "session=30/min,ip=off,tokens=1000000/day", "30 a minute"),
        ("CorsOrigins", "https://shop.example,http://localhost:3000", "https://shop.example/"),
        ("CorsOrigins", "*", "shop.example"),
        ("StorePack", "s3://shop-catalogbucket-1x2y/pack", "s3://shop-catalogbucket-1x2y"),
        ("StorePack", "s3://bucket/pack/perfumes", "s3://bucket/packs"),
        ("SecretsId", "shop/prod", "arn:aws:secretsmanager:eu-west-3:1:secret:shop"),
        ("DomainName", "api.shop.example", "https://api.shop.example"),
        ("HostedZoneId", "Z0123456789ABCDEFGHIJ", "shop.example"),
        ("AlarmEmail", "ops@shop.example", "ops"),
        ("StoreCurrency", "EUR", "euro"),
        ("RedisPrefix", "shop-prod_1", "shop:prod"),
        ("ChatBuild", "0" * 32, "0" * 31),
    ],
)
def test_a_wrong_value_is_refused_and_a_right_one_is_not(name: str, good: str, bad: str) -> None:
    assert takes(name, good)
    assert not takes(name, bad)


def holds(condition: Any, given: dict[str, str]) -> bool:
    """What CloudFormation makes of a rule's condition."""
    ((function, arguments),) = condition.items()
    match function:
        case "Fn::Equals":
            left, right = (given[a["Ref"]] if isinstance(a, dict) else a for a in arguments)
            return left == right
        case "Fn::Not":
            return not holds(arguments[0], given)
        case "Fn::Or":
            return any(holds(argument, given) for argument in arguments)
        case "Fn::And":
            return all(holds(argument, given) for argument in arguments)
        case _:
            raise AssertionError(function)


def refusals(**changes: str) -> list[str]:
    """The descriptions of the rules that a deployment with these parameters breaks."""
    given = {name: str(p.get("Default", "")) for name, p in PARAMETERS.items()} | NEEDED | changes
    return [
        assertion["AssertDescription"]
        for rule in TEMPLATE["Rules"].values()
        if "RuleCondition" not in rule or holds(rule["RuleCondition"], given)
        for assertion in rule["Assertions"]
        if not holds(assertion["Assert"], given)
    ]


JWT = {
    "JwtIssuer": "https://id.example",
    "JwtAudience": "shop",
    "JwtJwksUrl": "https://id.example/k",
}


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"DomainName": "api.shop.example", "CertificateArn": "arn:aws:acm:x"},
        {"LlmProvider": "openai", "OpenaiBaseUrl": "https://m.example/v1", "OpenaiModel": "m"},
        {"EmbeddingProvider": "openai", "EmbeddingBaseUrl": "https://e.example/v1"},
        JWT,
    ],
)
def test_a_whole_deployment_breaks_no_rule(changes: dict[str, str]) -> None:
    assert refusals(**changes) == []


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"StoreBuild": ""}, "make deploy"),
        ({"SecretsExtensionLayerArn": "none"}, "sam local"),
        ({"DomainName": "api.shop.example"}, "CertificateArn"),
        ({"LlmProvider": "openai", "OpenaiModel": "m"}, "OpenaiBaseUrl"),
        ({"LlmProvider": "openai", "OpenaiBaseUrl": "https://m.example/v1"}, "OpenaiModel"),
        ({"EmbeddingProvider": "openai"}, "EmbeddingBaseUrl"),
        *(({**JWT, name: ""}, name) for name in JWT),
    ],
)
def test_half_of_what_belongs_together_is_refused(changes: dict[str, str], told: str) -> None:
    (refusal,) = refusals(**changes)
    assert told in refusal


@pytest.mark.parametrize("function", ["ChatFunction", "StoreFunction", "IngestFunction"])
def test_the_variables_of_a_function_fit_what_lambda_takes(function: str) -> None:
    """With addresses, names and lists as long as they usually are; what is longer is for the secret."""
    common = TEMPLATE["Globals"]["Function"]["Environment"]["Variables"]
    own = TEMPLATE["Resources"][function]["Properties"].get("Environment", {}).get("Variables", {})
    total = 0
    for name, value in {**common, **own}.items():
        if value == {"Fn::If": ["WithoutExtension", "", {"Ref": "AWS::NoValue"}]}:
            continue
        parameter = PARAMETERS.get(value.get("Ref", ""), {}) if isinstance(value, dict) else {}
        usual = 20 if parameter.get("Type") == "Number" else 45
        if "AllowedValues" in parameter:
            usual = max(len(str(choice)) for choice in parameter["AllowedValues"])
        total += len(name) + max(usual, len(str(parameter.get("Default", ""))))
    assert total <= LAMBDA_VARIABLES_BYTES - 500, total


def test_the_readme_names_parameters_and_outputs_that_there_are() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    deploy = readme.split("\n## Deploy\n")[1].split("\n## ")[0]
    set_to = set(re.findall(r"\b([A-Z][a-z]+(?:[A-Z][a-z]+)*)=", deploy))
    in_table = {
        name
        for line in deploy.splitlines()
        if line.startswith("| `")
        for name in re.findall(r"`([A-Z]\w+)", line.split("|")[1])
    }
    assert {"QdrantUrl", "Architecture", "SnapStart", "AlarmEmail"} <= set_to | in_table
    assert set_to | in_table <= set(PARAMETERS)
    outputs = set(re.findall(r"outputs? `?([A-Z][a-z]+[A-Z]\w+)", deploy))
    assert {"SecretId", "ApiUrl", "CatalogBucketName"} <= outputs <= set(TEMPLATE["Outputs"])
