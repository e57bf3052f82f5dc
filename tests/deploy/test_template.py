"""What template.yaml promises: every function starts, reaches what it needs and nothing else, and ends in time."""

import json
import re
import tomllib
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import SecretStr
from shopping_agent.application.turn import Finish
from shopping_agent.http import deadline
from shopping_agent.settings import Settings

from functions.local import cors, gateway
from functions.local.stack import FUNCTIONS as LOCAL_FUNCTIONS
from functions.local.variables import (
    NOT_FOR_CONTAINERS,
    ONLY_FOR_CHAT,
    ONLY_FOR_INGEST,
    SAM_NAMES,
    container_variables,
)
from functions.store import app as store_app

ROOT = Path(__file__).parents[2]
FUNCTIONS = ("ChatFunction", "StoreFunction", "IngestFunction")
GATEWAY_SECONDS = 30
MADE_BY_SAM = {"HttpApiApiGatewayDefaultStage"}
ONLY_FOR_SAM_LOCAL = {"Fn::If": ["WithoutExtension", "", {"Ref": "AWS::NoValue"}]}


class _Loader(yaml.SafeLoader):
    """Short forms (`!Ref x`) become their long forms (`{"Ref": "x"}`)."""


def _intrinsic(loader: yaml.SafeLoader, suffix: str, node: yaml.Node) -> Any:
    name = suffix if suffix == "Ref" else f"Fn::{suffix}"
    if isinstance(node, yaml.ScalarNode):
        value: Any = loader.construct_scalar(node)
        return {name: value.split(".", 1) if suffix == "GetAtt" else value}
    assert isinstance(node, yaml.SequenceNode)
    return {name: loader.construct_sequence(node, deep=True)}


_Loader.add_multi_constructor("!", _intrinsic)  # pyright: ignore[reportUnknownMemberType]


@pytest.fixture(scope="module")
def template() -> dict[str, Any]:
    text = (ROOT / "template.yaml").read_text(encoding="utf-8")
    return yaml.load(text, Loader=_Loader)


@pytest.fixture
def resources(template: dict[str, Any]) -> dict[str, Any]:
    return template["Resources"]


def properties(resources: dict[str, Any], name: str) -> dict[str, Any]:
    return resources[name]["Properties"]


def environment(template: dict[str, Any], function: str) -> dict[str, Any]:
    own = properties(template["Resources"], function).get("Environment", {}).get("Variables", {})
    return template["Globals"]["Function"]["Environment"]["Variables"] | own


def intrinsics(value: Any) -> Iterator[tuple[str, Any]]:
    """Every `(function, argument)`, such as `("Ref", "IngestQueue")`, anywhere in a value."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "Ref" or key.startswith("Fn::"):
                yield key, inner
            yield from intrinsics(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from intrinsics(inner)


def names_used(value: Any) -> set[str]:
    """Logical names that a value refers to by Ref, GetAtt or Sub."""
    used: set[str] = set()
    for function, argument in intrinsics(value):
        if function == "Ref":
            used.add(argument)
        elif function == "Fn::GetAtt":
            used.add(argument[0])
        elif function == "Fn::Sub":
            text = argument if isinstance(argument, str) else argument[0]
            used |= {name.split(".")[0] for name in re.findall(r"\$\{([A-Za-z0-9.]+)\}", text)}
    return used


def statements(resources: dict[str, Any], role: str) -> list[dict[str, Any]]:
    """Of a role: its own statements and those of our managed policies that it may have."""
    found: list[dict[str, Any]] = []
    for policy in properties(resources, role)["Policies"]:
        found += policy["PolicyDocument"]["Statement"]
    for name in names_used(properties(resources, role).get("ManagedPolicyArns", [])):
        if name in resources:
            found += properties(resources, name)["PolicyDocument"]["Statement"]
    return found


def actions(statement: dict[str, Any]) -> set[str]:
    action = statement["Action"]
    return {action} if isinstance(action, str) else set(action)


# --- functions ---------------------------------------------------------------------------------


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_function_has_its_handler_on_python_3_13(template: dict[str, Any], function: str):
    common = template["Globals"]["Function"]
    module, _, name = common["Handler"].partition(".")
    source = ROOT / properties(template["Resources"], function)["CodeUri"] / f"{module}.py"
    assert common["Runtime"] == "python3.13"
    assert re.search(rf"^(def {name}\(|{name} =)", source.read_text(encoding="utf-8"), re.M)


@pytest.mark.parametrize("name", [*FUNCTIONS, "DependenciesLayer", "SharedLayer"])
def test_everything_that_is_built_has_the_make_target_that_sam_calls(
    resources: dict[str, Any], name: str
):
    folder = properties(resources, name).get("CodeUri") or properties(resources, name)["ContentUri"]
    assert resources[name]["Metadata"]["BuildMethod"] == "makefile"
    assert f"\nbuild-{name}:\n" in (ROOT / folder / "Makefile").read_text(encoding="utf-8")


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_variable_is_a_setting_and_no_secret_is_one_in_the_cloud(
    template: dict[str, Any], function: str
):
    fields = Settings.model_fields
    secret = {name.upper() for name, field in fields.items() if field.annotation is SecretStr}
    declared = environment(template, function)
    assert set(declared) <= {name.upper() for name in fields}
    assert secret & set(declared)
    for name in secret & set(declared):
        assert declared[name] == ONLY_FOR_SAM_LOCAL, name


def test_what_only_sam_local_needs_cannot_be_deployed(template: dict[str, Any]):
    (assertion,) = template["Rules"]["SecretsAreReadInTheCloud"]["Assertions"]
    without_extension = template["Conditions"][ONLY_FOR_SAM_LOCAL["Fn::If"][0]]
    assert assertion["Assert"] == {"Fn::Not": [without_extension]}


def test_every_setting_reaches_the_functions(template: dict[str, Any]):
    everything = {name.upper() for name in Settings.model_fields} - set(NOT_FOR_CONTAINERS)
    for function in FUNCTIONS:
        wanted = everything if function == "ChatFunction" else everything - set(ONLY_FOR_CHAT)
        if function != "IngestFunction":
            wanted = wanted - set(ONLY_FOR_INGEST)
        assert set(environment(template, function)) == wanted
        assert set(container_variables({})[function]) == wanted


def test_only_the_chat_function_gets_the_keys_of_language_models(template: dict[str, Any]):
    keys = {f"{name}_API_KEY" for name in ("GEMINI", "GROQ", "XAI", "OPENAI")}
    assert keys <= set(environment(template, "ChatFunction"))
    for function in ("StoreFunction", "IngestFunction"):
        assert not keys & set(environment(template, function))


def test_two_stacks_on_one_database_and_one_cluster_keep_apart(template: dict[str, Any]):
    conditions = template["Conditions"]
    variables = environment(template, "ChatFunction")
    for variable, parameter in (
        ("REDIS_PREFIX", "RedisPrefix"),
        ("QDRANT_COLLECTION", "QdrantCollection"),
    ):
        condition, own, otherwise = variables[variable]["Fn::If"]
        assert conditions[condition] == {"Fn::Not": [{"Fn::Equals": [{"Ref": parameter}, ""]}]}
        assert (own, otherwise) == ({"Ref": parameter}, {"Ref": "AWS::StackName"})
        assert template["Parameters"][parameter]["Default"] == ""
        # The longest name that CloudFormation takes.
        Settings.from_mapping({variable: "s" * 128})


def test_the_choices_of_a_parameter_are_those_of_its_setting(template: dict[str, Any]):
    compared = 0
    for variable, value in environment(template, "ChatFunction").items():
        choices = typing.get_args(Settings.model_fields[variable.lower()].annotation)
        parameter = template["Parameters"].get(value.get("Ref"), {})
        if choices and isinstance(choices[0], str) and "AllowedValues" in parameter:
            # The local model is a development dependency and not in the layer.
            assert set(parameter["AllowedValues"]) == set(choices) - {"local"}, variable
            compared += 1
    assert compared >= 3


def test_the_defaults_of_the_parameters_are_valid_settings(template: dict[str, Any]):
    needed = {
        "QdrantUrl": "https://qdrant.example:6333",
        "UpstashRedisRestUrl": "https://u.example",
    }
    values = {name: p.get("Default") for name, p in template["Parameters"].items()} | needed
    variables = {
        variable: values[value["Ref"]]
        for variable, value in environment(template, "ChatFunction").items()
        if value.get("Ref") in values
    }
    assert len(variables) >= 10
    assert None not in values.values()
    settings = Settings.from_mapping(variables)
    assert settings.embedding_provider == "none"
    assert settings.qdrant_url == needed["QdrantUrl"]


def test_the_request_path_ends_before_the_gateway_gives_up(template: dict[str, Any]):
    chat = properties(template["Resources"], "ChatFunction")["Timeout"]
    store = properties(template["Resources"], "StoreFunction")["Timeout"]
    assert store <= chat < GATEWAY_SECONDS
    assert template["Parameters"]["RequestBudgetSeconds"]["MaxValue"] < chat
    assert store > store_app.BUDGET_SECONDS
    assert deadline.GATEWAY_SECONDS < GATEWAY_SECONDS


def test_the_local_functions_have_the_deployed_ones_time_and_memory(resources: dict[str, Any]):
    deployed = {
        name: (
            properties(resources, name)["CodeUri"],
            properties(resources, name)["Timeout"],
            properties(resources, name)["MemorySize"],
        )
        for name in FUNCTIONS
    }
    local = {
        SAM_NAMES[spec.name]: (str(spec.folder.relative_to(ROOT)), spec.timeout, spec.memory)
        for spec in LOCAL_FUNCTIONS
    }
    assert local == deployed


# --- gateway -----------------------------------------------------------------------------------


def test_cors_is_the_gateways_and_the_local_gateway_emulates_the_same(resources: dict[str, Any]):
    rules = properties(resources, "HttpApi")["CorsConfiguration"]
    assert rules == {
        "AllowOrigins": {"Ref": "CorsOrigins"},
        "AllowMethods": cors.METHODS.split(","),
        "AllowHeaders": cors.HEADERS.split(","),
        "ExposeHeaders": cors.EXPOSED.split(","),
        "MaxAge": cors.MAX_AGE_SECONDS,
    }


def test_the_local_gateway_routes_as_the_deployed_one(resources: dict[str, Any]):
    chat = properties(resources, "ChatFunction")["Events"]["Chat"]["Properties"]
    store = properties(resources, "StoreFunction")["Events"]["EverythingElse"]["Properties"]
    assert gateway.route_of("POST", "/api/v1/ai/cart") == (
        "chat",
        f"{chat['Method']} {chat['Path']}",
    )
    assert not {"Method", "Path"} & set(store)
    assert gateway.route_of("GET", "/api/v1/cart") == ("store", "$default")


def test_access_is_logged_without_the_shoppers_address(resources: dict[str, Any]):
    settings = properties(resources, "HttpApi")["AccessLogSettings"]
    assert settings["DestinationArn"] == {"Fn::GetAtt": ["HttpApiLogs", "Arn"]}
    assert "$context.requestId" in settings["Format"]
    assert "identity" not in settings["Format"]


def test_no_log_is_kept_for_ever(resources: dict[str, Any]):
    groups = {n for n, r in resources.items() if r["Type"] == "AWS::Logs::LogGroup"}
    used = {
        properties(resources, function)["LoggingConfig"]["LogGroup"]["Ref"]
        for function in FUNCTIONS
    }
    assert used | {"HttpApiLogs"} == groups
    for group in groups:
        assert properties(resources, group)["RetentionInDays"] == {"Ref": "LogRetentionDays"}


# --- ingestion ---------------------------------------------------------------------------------


def test_the_bucket_is_private_encrypted_and_versioned(resources: dict[str, Any]):
    bucket = properties(resources, "CatalogBucket")
    assert bucket["PublicAccessBlockConfiguration"] == {
        "BlockPublicAcls": True,
        "BlockPublicPolicy": True,
        "IgnorePublicAcls": True,
        "RestrictPublicBuckets": True,
    }
    assert bucket["BucketEncryption"]["ServerSideEncryptionConfiguration"]
    assert bucket["VersioningConfiguration"] == {"Status": "Enabled"}


def test_uploads_and_removals_of_the_three_folders_are_notified_and_nothing_that_we_write(
    resources: dict[str, Any],
):
    rules = properties(resources, "CatalogBucket")["NotificationConfiguration"]
    assert set(rules) == {"QueueConfigurations"}
    notified = {
        (rule["Event"], rule["Filter"]["S3Key"]["Rules"][0]["Value"])
        for rule in rules["QueueConfigurations"]
    }
    assert notified == {
        (event, prefix)
        for event in ("s3:ObjectCreated:*", "s3:ObjectRemoved:*")
        for prefix in ("catalog/", "guides/", "inventory/")
    }
    assert {rule["Queue"]["Fn::GetAtt"][0] for rule in rules["QueueConfigurations"]} == {
        "IngestQueue"
    }
    written = [
        resource["Fn::Sub"].partition("/")[2].rstrip("*")
        for statement in statements(resources, "IngestRole")
        if actions(statement) == {"s3:PutObject"}
        for resource in statement["Resource"]
    ]
    assert sorted(written) == ["reports/", "staging/"]


def test_only_buckets_of_this_account_may_fill_the_queue(resources: dict[str, Any]):
    (statement,) = properties(resources, "IngestQueuePolicy")["PolicyDocument"]["Statement"]
    assert statement["Principal"] == {"Service": "s3.amazonaws.com"}
    assert statement["Action"] == "sqs:SendMessage"
    assert statement["Condition"] == {
        "StringEquals": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}
    }
    assert resources["CatalogBucket"]["DependsOn"] == "IngestQueuePolicy"


def test_a_message_is_hidden_long_enough_and_a_poisonous_one_is_set_aside(
    resources: dict[str, Any],
):
    queue = properties(resources, "IngestQueue")
    assert queue["VisibilityTimeout"] >= 6 * properties(resources, "IngestFunction")["Timeout"]
    redrive = queue["RedrivePolicy"]
    assert redrive["deadLetterTargetArn"] == {"Fn::GetAtt": ["IngestDeadLetters", "Arn"]}
    assert redrive["maxReceiveCount"] >= 3
    # On the last delivery the function leaves a report.
    assert redrive["maxReceiveCount"] == Settings().ingest_max_receives
    told = properties(resources, "IngestFunction")["Environment"]["Variables"]
    assert told["INGEST_MAX_RECEIVES"] == redrive["maxReceiveCount"]
    letters = properties(resources, "IngestDeadLetters")
    assert letters["MessageRetentionPeriod"] > queue["MessageRetentionPeriod"]
    source = properties(resources, "IngestFunction")["Events"]["CatalogFiles"]["Properties"]
    assert source["FunctionResponseTypes"] == ["ReportBatchItemFailures"]


# --- versions ----------------------------------------------------------------------------------


def test_shoppers_and_the_queue_are_served_by_a_published_version(template: dict[str, Any]):
    assert template["Globals"]["Function"]["AutoPublishAlias"] == "live"
    for function in FUNCTIONS:
        own = properties(template["Resources"], function)
        assert own["AutoPublishCodeSha256"] == {"Ref": function.replace("Function", "Build")}


def test_nothing_is_deployed_that_would_leave_an_old_version_serving(template: dict[str, Any]):
    (assertion,) = template["Rules"]["VersionsArePublished"]["Assertions"]
    given = {f.replace("Function", "Build") for f in FUNCTIONS}
    assert names_used(assertion["Assert"]) == given
    assert "make deploy" in assertion["AssertDescription"]


def test_snapshots_are_off_until_asked_for_and_no_work_of_ingestion(template: dict[str, Any]):
    assert template["Parameters"]["SnapStart"]["Default"] == "None"
    assert template["Parameters"]["SnapStart"]["AllowedValues"] == ["None", "PublishedVersions"]
    for function in ("ChatFunction", "StoreFunction"):
        snap = properties(template["Resources"], function)["SnapStart"]
        assert snap == {"ApplyOn": {"Ref": "SnapStart"}}
    assert "SnapStart" not in properties(template["Resources"], "IngestFunction")


def test_no_concurrency_is_taken_from_the_account_unless_asked_for(template: dict[str, Any]):
    for name in ("Chat", "Store"):
        reserved = properties(template["Resources"], f"{name}Function")
        condition, limit, otherwise = reserved["ReservedConcurrentExecutions"]["Fn::If"]
        assert (limit, otherwise) == ({"Ref": f"{name}Concurrency"}, {"Ref": "AWS::NoValue"})
        unset = {"Fn::Equals": [{"Ref": f"{name}Concurrency"}, 0]}
        assert template["Conditions"][condition] == {"Fn::Not": [unset]}
        assert template["Parameters"][f"{name}Concurrency"]["Default"] == 0
    ingest = properties(template["Resources"], "IngestFunction")
    assert "ReservedConcurrentExecutions" not in ingest
    scaling = ingest["Events"]["CatalogFiles"]["Properties"]["ScalingConfig"]
    assert scaling == {"MaximumConcurrency": {"Ref": "IngestConcurrency"}}


def test_a_name_of_ones_own_is_made_only_where_it_is_given(template: dict[str, Any]):
    conditions = {
        name: resource.get("Condition")
        for name, resource in template["Resources"].items()
        if name.startswith("ApiDomain")
    }
    assert conditions == {
        "ApiDomain": "OwnDomain",
        "ApiDomainMapping": "OwnDomain",
        "ApiDomainRecord": "DomainIsEntered",
    }
    for name in ("DomainName", "CertificateArn", "HostedZoneId"):
        assert template["Parameters"][name]["Default"] == ""
        assert template["Parameters"][name]["ConstraintDescription"]


# --- alarms ------------------------------------------------------------------------------------


def emitted() -> set[str]:
    """Names of the metrics that our code records, by reading it."""
    package = ROOT / "layers/shared/shopping_agent"
    code = "\n".join(file.read_text(encoding="utf-8") for file in package.rglob("*.py"))
    code += "".join(
        (ROOT / f"functions/{name}/app.py").read_text("utf-8") for name in ("chat", "store")
    )
    names = set(re.findall(r"""(?:count|milliseconds|name=)\(?"([A-Z]\w+)\"""", code))
    names |= {"RepliesRepaired", "RepliesSound", "SentencesRemoved", "RepliesReplaced"} & set(
        re.findall(r'"([A-Z]\w+)"', (package / "application/closing.py").read_text("utf-8"))
    )
    names |= {"AssistedRevenue"} & set(re.findall(r'"([A-Z]\w+)"', code))
    return names | {f"Finish_{finish}" for finish in typing.get_args(Finish)}


def alarms(resources: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {
        name: resource["Properties"]
        for name, resource in resources.items()
        if resource["Type"] == "AWS::CloudWatch::Alarm"
    }


def test_every_alarm_of_ours_has_a_metric_that_is_emitted(resources: dict[str, Any]):
    own = {
        name: alarm
        for name, alarm in alarms(resources).items()
        if alarm["Namespace"] == {"Ref": "AWS::StackName"}
    }
    assert len(own) >= 6
    known = emitted()
    for name, alarm in own.items():
        assert alarm["MetricName"] in known, name
        assert alarm["Dimensions"] == [{"Name": "service", "Value": "shopping-agent"}]


def test_the_metrics_of_a_stack_are_its_own(template: dict[str, Any]):
    for function in FUNCTIONS:
        assert environment(template, function)["METRICS_NAMESPACE"] == {"Ref": "AWS::StackName"}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_errors_of_every_function_ring(resources: dict[str, Any], name: str):
    watched = {
        (alarm["MetricName"], *sorted(names_used(alarm["Dimensions"])))
        for alarm in alarms(resources).values()
        if alarm["Namespace"] == "AWS/Lambda"
    }
    assert ("Errors", name) in watched
    assert name == "IngestFunction" or ("Throttles", name) in watched


def test_a_quiet_shop_rings_nobody_and_every_alarm_tells_somebody(resources: dict[str, Any]):
    for name, alarm in alarms(resources).items():
        assert alarm["TreatMissingData"] == "notBreaching", name
        assert len(alarm["AlarmDescription"]) > 20
        for key in ("AlarmActions", "OKActions"):
            assert names_used(alarm[key]) == {"AlarmTopicArn", "AlarmTopic", "AWS::NoValue"}, name


def test_a_slow_turn_rings_before_its_time_is_over(template: dict[str, Any]):
    slow = alarms(template["Resources"])["ChatSlowAlarm"]
    budget = template["Parameters"]["RequestBudgetSeconds"]["Default"]
    assert slow["Threshold"] < float(budget) * 1000


def test_the_dashboard_shows_metrics_that_there_are(resources: dict[str, Any]):
    body = properties(resources, "Dashboard")["DashboardBody"]["Fn::Sub"]
    widgets = json.loads(re.sub(r"\$\{[^}]+\}", "X", body))["widgets"]
    shown = {
        metric[1]
        for widget in widgets
        for metric in widget["properties"]["metrics"]
        if metric[0] == "X"
    }
    assert len(shown) >= 10
    assert shown <= emitted()
    places = [(w["x"], w["y"]) for w in widgets]
    assert len(places) == len(set(places))


# --- permissions and secrets -------------------------------------------------------------------


@pytest.mark.parametrize("function", FUNCTIONS)
def test_no_permission_is_a_wildcard(resources: dict[str, Any], function: str):
    role = properties(resources, function)["Role"]["Fn::GetAtt"][0]
    for statement in statements(resources, role):
        assert statement["Effect"] == "Allow"
        assert not any("*" in action for action in actions(statement))
        assert statement["Resource"] != "*"


def test_chat_and_store_may_only_log_and_read_their_secret_and_pack(resources: dict[str, Any]):
    for role in ("ChatRole", "StoreRole"):
        allowed = set[str]().union(*(actions(s) for s in statements(resources, role)))
        assert allowed == {
            "logs:CreateLogStream",
            "logs:PutLogEvents",
            "secretsmanager:GetSecretValue",
            "s3:GetObject",
            "s3:ListBucket",
        }
    pack, _ = properties(resources, "ReadStorePack")["PolicyDocument"]["Statement"]
    assert pack["Resource"] == {"Fn::Sub": "${CatalogBucket.Arn}/pack/*"}


def test_ingest_may_take_messages_read_the_bucket_and_tell_missing_from_forbidden(
    resources: dict[str, Any],
):
    allowed = set[str]().union(*(actions(s) for s in statements(resources, "IngestRole")))
    assert {"sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"} <= allowed
    assert {"s3:ListBucket", "s3:GetObject", "s3:GetObjectVersion", "s3:PutObject"} <= allowed
    assert "secretsmanager:GetSecretValue" in allowed


def test_ingest_alone_may_fill_the_queue_and_deletes_only_what_it_wrote(
    resources: dict[str, Any],
):
    for role in ("ChatRole", "StoreRole", "IngestRole"):
        sends = [s for s in statements(resources, role) if "sqs:SendMessage" in actions(s)]
        assert [s["Resource"] for s in sends] == (
            [{"Fn::GetAtt": ["IngestQueue", "Arn"]}] if role == "IngestRole" else []
        )
    deleted = [
        resource["Fn::Sub"].partition("/")[2]
        for statement in statements(resources, "IngestRole")
        if "s3:DeleteObject" in actions(statement)
        for resource in statement["Resource"]
    ]
    assert sorted(deleted) == ["reports/*", "staging/*"]


def test_the_stacks_own_secret_starts_with_a_random_session_secret(resources: dict[str, Any]):
    made = properties(resources, "AppSecret")["GenerateSecretString"]
    assert made["SecretStringTemplate"] == "{}"
    assert made["GenerateStringKey"].lower() in Settings.model_fields
    assert made["PasswordLength"] >= 32
    # Commas and colons separate the secrets of a list, see SESSION_SECRET.
    assert made["ExcludePunctuation"] is True


def test_no_parameter_takes_a_secret(template: dict[str, Any]):
    suspicious = re.compile(r"(Key|Token|Password|SessionSecret)$")
    assert not [name for name in template["Parameters"] if suspicious.search(name)]


# --- the whole ---------------------------------------------------------------------------------


def test_every_name_that_is_used_exists(template: dict[str, Any]):
    known = set(template["Parameters"]) | set(template["Resources"])
    used = names_used([template["Globals"], template["Resources"], template["Outputs"]])
    assert {name for name in used if not name.startswith("AWS::")} <= known


def test_no_resource_waits_for_itself(resources: dict[str, Any]):
    waits_for = {
        name: names_used(resource) & set(resources)
        | ({resource["DependsOn"]} - MADE_BY_SAM if "DependsOn" in resource else set[str]())
        for name, resource in resources.items()
    }
    done: set[str] = set()
    while ready := {name for name, needs in waits_for.items() if needs <= done} - done:
        done |= ready
    assert done == set(resources)


@pytest.mark.parametrize("stage", ["dev", "staging", "prod"])
def test_samconfig_deploys_every_stage_with_known_parameters(template: dict[str, Any], stage: str):
    config = tomllib.loads((ROOT / "samconfig.toml").read_text(encoding="utf-8"))[stage]
    deploy = config["deploy"]["parameters"]
    overrides = dict(pair.split("=") for pair in deploy["parameter_overrides"].split())
    assert deploy["capabilities"] == "CAPABILITY_IAM"
    assert config["build"]["parameters"]["build_in_source"] is True
    assert set(overrides) <= set(template["Parameters"])
