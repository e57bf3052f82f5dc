"""One logger and one metrics namespace for the three functions (structured JSON lines and EMF)."""

import time
from collections.abc import Callable
from functools import wraps
from typing import Any

from aws_lambda_powertools import Logger, Metrics
from aws_lambda_powertools.metrics import EphemeralMetrics, MetricUnit, single_metric

logger = Logger(service="shopping-agent")
metrics = Metrics(namespace="ShoppingAgent", service="shopping-agent")

Handler = Callable[[Any, Any], dict[str, Any]]


def set_namespace(name: str) -> None:
    """The namespace of all metrics from now on: of each stack its own, so that alarms keep apart."""
    metrics.namespace = name


def counting(handler: Handler) -> Handler:
    """Puts out what an invocation counted as it ends; of most there is nothing, which Powertools' own decorator warns of."""

    @wraps(handler)
    def counted(event: Any, context: Any) -> dict[str, Any]:
        try:
            return handler(event, context)
        finally:
            if metrics.metric_set:
                metrics.flush_metrics()

    return counted


def count(name: str, value: float = 1) -> None:
    """Add to a counter metric of this invocation."""
    metrics.add_metric(name=name, unit=MetricUnit.Count, value=value)


def milliseconds(name: str, value: float) -> None:
    """Record a duration of this invocation in milliseconds."""
    metrics.add_metric(name=name, unit=MetricUnit.Milliseconds, value=value)


def milliseconds_since(started: float) -> float:
    """Milliseconds from a `time.perf_counter()`, for the log."""
    return round((time.perf_counter() - started) * 1000, 1)


def revenue(amount: float, currency: str) -> None:
    """Record one order that the assistant led to, in major units: a line of its own, by currency."""
    for name, unit, value in (
        ("AssistedRevenue", MetricUnit.NoUnit, amount),
        ("AssistedOrders", MetricUnit.Count, 1.0),
    ):
        with single_metric(
            name=name, unit=unit, value=value, namespace=metrics.namespace
        ) as metric:
            metric.add_dimension(name="service", value="shopping-agent")
            metric.add_dimension(name="currency", value=currency)


def model_usage(
    name: str, *, calls: int, input_tokens: int, output_tokens: int, dollars: float | None
) -> None:
    """Record what one turn used of one model: a line of its own, by model, of which a deployment has a handful.

    Args:
        name: provider and model, as "groq/openai/gpt-oss-120b".
        dollars: None where the price is not known.
    """
    line = EphemeralMetrics(namespace=metrics.namespace, service="shopping-agent")
    line.add_dimension(name="model", value=name)
    line.add_metric(name="ModelUses", unit=MetricUnit.Count, value=calls)
    line.add_metric(name="InputTokens", unit=MetricUnit.Count, value=input_tokens)
    line.add_metric(name="OutputTokens", unit=MetricUnit.Count, value=output_tokens)
    if dollars is not None:
        line.add_metric(name="ModelCost", unit=MetricUnit.NoUnit, value=dollars)
    line.flush_metrics()
