"""One logger and one metrics namespace for the three functions (structured JSON lines and EMF)."""

from aws_lambda_powertools import Logger, Metrics
from aws_lambda_powertools.metrics import MetricUnit

logger = Logger(service="shopping-agent")
metrics = Metrics(namespace="ShoppingAgent", service="shopping-agent")


def count(name: str, value: float = 1) -> None:
    """Add to a counter metric of this invocation."""
    metrics.add_metric(name=name, unit=MetricUnit.Count, value=value)


def milliseconds(name: str, value: float) -> None:
    """Record a duration of this invocation in milliseconds."""
    metrics.add_metric(name=name, unit=MetricUnit.Milliseconds, value=value)
