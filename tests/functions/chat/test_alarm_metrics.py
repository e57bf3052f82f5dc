"""What rings an alarm is really said: each failure, made to happen, puts out the metric that its alarm watches."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from shopping_agent import bootstrap, observability
from shopping_agent.adapters.llm.scripted import ScriptedModel, says
from shopping_agent.adapters.redis.turn_store import RedisTurnStore
from shopping_agent.errors import StateUnavailableError
from shopping_agent.settings import Settings

ROOT = Path(__file__).parents[3]
STACK = "shop-prod"
FLAGSHIP = "Something fresh for summer, under 800 MAD, and add the best one to my cart."
NAMED = "add Nuit de Cannelle to my cart"
NOWHERE = "http://127.0.0.1:9"
DEAD_MODEL = {
    "llm_provider": "openai",
    "openai_base_url": f"{NOWHERE}/v1",
    "openai_model": "m",
    "llm_fallbacks": "offline",
}
TRIGGERS: dict[str, dict[str, Any]] = {
    "Finish_provider_unavailable": {**DEAD_MODEL, "llm_fallbacks": "none"},
    "FailOvers": DEAD_MODEL,
    "SpendLimitReached": {
        **DEAD_MODEL,
        "daily_spend_limit": 0.001,
        "model_prices": '{"m": {"input": 1000, "output": 1000}}',
    },
    "RepliesReplaced": {},
    "SearchFailuresTolerated": {"qdrant_url": NOWHERE},
    "SavesFailed": {},
}
"""Metric -> the settings under which a turn puts it out."""


class _Loader(yaml.SafeLoader):
    """What short forms refer to is enough here."""


def _short_form(loader: Any, suffix: str, node: Any) -> Any:
    if isinstance(node, yaml.ScalarNode):
        return f"{suffix} {loader.construct_scalar(node)}"
    return loader.construct_sequence(node, deep=True)


_Loader.add_multi_constructor("!", _short_form)


def alarms_of_ours() -> dict[str, dict[str, Any]]:
    """Metric -> its alarm, of the stack's own namespace."""
    text = (ROOT / "template.yaml").read_text(encoding="utf-8")
    resources = yaml.load(text, _Loader)["Resources"].values()
    alarms = [r["Properties"] for r in resources if r["Type"] == "AWS::CloudWatch::Alarm"]
    return {a["MetricName"]: a for a in alarms if a["Namespace"] == "Ref AWS::StackName"}


def test_every_alarm_of_ours_has_its_failure_here() -> None:
    assert set(alarms_of_ours()) == set(TRIGGERS)


@pytest.mark.parametrize("metric", TRIGGERS)
def test_the_failure_puts_out_the_metric_as_its_alarm_watches_it(
    metric: str,
    settings: Settings,
    use: Callable[[Settings], None],
    new_shopper: Callable[[], Any],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(observability.metrics, "namespace", STACK)
    changed = settings.model_copy(update=TRIGGERS[metric])
    use(changed)
    if metric == "SavesFailed":
        monkeypatch.setattr(RedisTurnStore, "save", out_of_reach)
    if metric == "RepliesReplaced":
        liar = ScriptedModel(lambda request: says("Nuit de Cannelle costs 1 MAD."))
        told = bootstrap.assistant(changed, liar)
        monkeypatch.setattr(bootstrap, "assistant", lambda settings: told)
    # Which product is meant, live facts know; what else there is to say of it, search would.
    new_shopper()(NAMED if metric == "SearchFailuresTolerated" else FLAGSHIP)
    alarm = alarms_of_ours()[metric]
    assert STACK in namespaces_of(metric, alarm["Dimensions"], capsys.readouterr().out)


def out_of_reach(*arguments: Any, **named: Any) -> None:
    raise StateUnavailableError("no answer")


def namespaces_of(metric: str, dimensions: list[dict[str, str]], printed: str) -> set[str]:
    """Where CloudWatch would find a metric with exactly these dimensions."""
    lines = [json.loads(line) for line in printed.splitlines() if line.startswith('{"_aws"')]
    return {
        told["Namespace"]
        for line in lines
        for told in line["_aws"]["CloudWatchMetrics"]
        for names in told["Dimensions"]
        if metric in {m["Name"] for m in told["Metrics"]}
        and [{"Name": name, "Value": line[name]} for name in names] == dimensions
    }
