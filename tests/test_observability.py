"""Metrics are put out with the invocation that counted them, and by none that counted nothing."""

import json
import warnings
from typing import Any

import pytest
from shopping_agent.observability import count, counting

from functions.ingest import app as ingest
from functions.store import app as store


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    printed = capsys.readouterr().out.splitlines()
    return [json.loads(line) for line in printed if line.startswith('{"_aws"')]


def test_what_an_invocation_counts_is_put_out_as_it_ends(
    capsys: pytest.CaptureFixture[str],
) -> None:
    @counting
    def handler(event: Any, context: Any) -> dict[str, Any]:
        count("Things", 2)
        count("Things")
        return {"event": event}

    assert handler({"a": 1}, None) == {"event": {"a": 1}}
    (line,) = lines(capsys)
    assert line["Things"] == [2.0, 1.0]
    assert line["service"] == "shopping-agent"


def test_what_was_counted_before_a_failure_is_put_out_too(
    capsys: pytest.CaptureFixture[str],
) -> None:
    @counting
    def handler(event: Any, context: Any) -> dict[str, Any]:
        count("Things")
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        handler({}, None)
    assert len(lines(capsys)) == 1


def test_an_invocation_that_counts_nothing_says_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    @counting
    def handler(event: Any, context: Any) -> dict[str, Any]:
        return {}

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert handler({}, None) == {}
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("app", [store, ingest], ids=["store", "ingest"])
def test_store_and_ingest_put_out_what_they_count(app: Any) -> None:
    assert app.lambda_handler.__wrapped__
