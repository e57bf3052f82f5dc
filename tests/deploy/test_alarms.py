"""Alarms that AWS would take, on metrics that AWS puts out for what they name."""

from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
DAY = 86_400
# By AWS's documentation of each service's metrics: what a metric is put out for, alone.
METRICS = {
    "AWS/Lambda": ("FunctionName", {"Errors", "Throttles", "Duration"}, "Function"),
    "AWS/ApiGateway": ("ApiId", {"5xx"}, "HttpApi"),
    "AWS/SQS": (
        "QueueName",
        {"ApproximateAgeOfOldestMessage", "ApproximateNumberOfMessagesVisible"},
        "Queue",
    ),
}
COSTS_A_SALE = {
    ("AWS/ApiGateway", "5xx", "HttpApi"),
    ("AWS/Lambda", "Errors", "ChatFunction"),
    ("AWS/Lambda", "Errors", "StoreFunction"),
    ("AWS/Lambda", "Errors", "IngestFunction"),
    ("AWS/Lambda", "Throttles", "ChatFunction"),
    ("AWS/Lambda", "Throttles", "StoreFunction"),
    ("AWS/Lambda", "Duration", "ChatFunction"),
    ("AWS/SQS", "ApproximateAgeOfOldestMessage", "IngestQueue"),
    ("AWS/SQS", "ApproximateNumberOfMessagesVisible", "IngestDeadLetters"),
}


class _Loader(yaml.SafeLoader):
    """Of short forms what they name: `!Ref X` and `!GetAtt X.QueueName` are X."""


def _short_form(loader: Any, suffix: str, node: Any) -> Any:
    if isinstance(node, yaml.ScalarNode):
        name = loader.construct_scalar(node)
        return name.partition(".")[0] if suffix == "GetAtt" else name
    return loader.construct_sequence(node, deep=True)


_Loader.add_multi_constructor("!", _short_form)
TEMPLATE: dict[str, Any] = yaml.load((ROOT / "template.yaml").read_text("utf-8"), _Loader)
RESOURCES: dict[str, dict[str, Any]] = TEMPLATE["Resources"]
ALARMS = {n: r["Properties"] for n, r in RESOURCES.items() if r["Type"] == "AWS::CloudWatch::Alarm"}
OF_AWS = {name: a for name, a in ALARMS.items() if a["Namespace"].startswith("AWS/")}


@pytest.mark.parametrize("name", OF_AWS)
def test_an_alarm_watches_what_its_service_puts_out_for_a_resource_of_that_kind(name: str) -> None:
    alarm = OF_AWS[name]
    dimension, metrics, kind = METRICS[alarm["Namespace"]]
    ((said, resource),) = [tuple(d.values()) for d in alarm["Dimensions"]]
    assert said == dimension
    assert alarm["MetricName"] in metrics
    assert RESOURCES[resource]["Type"].endswith(f"::{kind}")


def test_every_failure_that_costs_a_sale_rings() -> None:
    watched = {
        (a["Namespace"], a["MetricName"], a["Dimensions"][0]["Value"]) for a in OF_AWS.values()
    }
    assert watched == COSTS_A_SALE


@pytest.mark.parametrize("name", ALARMS)
def test_cloudwatch_takes_how_an_alarm_counts(name: str) -> None:
    alarm = ALARMS[name]
    assert alarm["Period"] % 60 == 0
    assert alarm["Period"] * alarm["EvaluationPeriods"] <= DAY
    assert 1 <= alarm.get("DatapointsToAlarm", 1) <= alarm["EvaluationPeriods"]
    assert ("Statistic" in alarm) != ("ExtendedStatistic" in alarm)
    # A sum of what was counted, the worst of what was measured.
    counted = alarm["Namespace"] != "AWS/SQS" and alarm["MetricName"] != "Duration"
    wanted = "Sum" if counted else "Maximum"
    assert alarm.get("Statistic", "Maximum") == wanted


def test_a_wait_in_the_queue_rings_only_after_a_message_could_have_come_again() -> None:
    delay = ALARMS["IngestDelayAlarm"]
    visibility = RESOURCES["IngestQueue"]["Properties"]["VisibilityTimeout"]
    assert delay["Threshold"] >= visibility
