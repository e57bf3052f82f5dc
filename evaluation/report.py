"""What was measured as a table and as JSON, and what is below the thresholds that the repository keeps."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from shopping_agent.domain.intent import LANGUAGES

from evaluation.intervals import Figure, Metric

THRESHOLDS = Path(__file__).with_name("thresholds.json")
COLUMNS = ("pooled", *LANGUAGES)
_WIDTH = 16
Rules = Mapping[str, Mapping[str, Any]]


def thresholds(*sections: str, file: Path = THRESHOLDS) -> dict[str, Mapping[str, Any]]:
    """By metric: `min` or `max` of the pooled value, and of each language's where `languages` says so."""
    known = json.loads(file.read_text("utf-8"))
    return {name: rule for section in sections for name, rule in known[section].items()}


def fallen(metrics: Sequence[Metric], rules: Rules) -> Iterator[str]:
    """What is below its threshold, in words. What was not measured has not fallen."""
    for measured in metrics:
        rule = rules.get(measured.name, {})
        columns = COLUMNS if rule.get("languages") else ("pooled",)
        for column in columns:
            value = cell(measured, column)
            if value is None:
                continue
            if value.value < rule.get("min", value.value):
                yield f"{measured.name} ({column}): {percent(value.value)} is below {percent(rule['min'])}"
            if value.value > rule.get("max", value.value):
                yield f"{measured.name} ({column}): {percent(value.value)} is above {percent(rule['max'])}"


def cell(measured: Metric, column: str) -> Figure | None:
    return measured.pooled if column == "pooled" else measured.languages.get(column)


def table(metrics: Sequence[Metric], rules: Rules) -> str:
    """Percentages with their 95 % intervals; a mark where a lower value is the better one."""
    first = max(len(m.title) for m in metrics) + 2
    head = "%, with 95 % intervals".ljust(first) + "".join(c.rjust(_WIDTH) for c in COLUMNS)
    rows = [
        m.title.ljust(first)
        + "".join(_shown(cell(m, c)).rjust(_WIDTH) for c in COLUMNS)
        + _wanted(m, rules)
        for m in metrics
    ]
    return "\n".join([head, *rows])


def _shown(value: Figure | None) -> str:
    if value is None:
        return "-"
    low, high = (f"{bound * 100:.0f}" for bound in (value.low, value.high))
    return f"{value.value * 100:.1f} [{low}-{high}]"


def _wanted(measured: Metric, rules: Rules) -> str:
    rule = rules.get(measured.name)
    if rule is None:
        return "   (low)" if measured.better == "low" else ""
    bound = f"<= {percent(rule['max'])}" if "max" in rule else f">= {percent(rule['min'])}"
    return f"   {bound}{' each' if rule.get('languages') else ''}"


def percent(value: float) -> str:
    return f"{value * 100:.1f} %".replace(".0 %", " %")


def kinds_table(kinds: Mapping[str, Mapping[str, Sequence[int]]]) -> str:
    """Lies that got through and truths that were changed, by kind."""
    names = sorted({kind for counts in kinds.values() for kind in counts})
    lines = ["kind            lies through   truths changed"]
    for name in names:
        lies, truths = (kinds[s].get(name, (0, 0)) for s in ("lies", "truths"))
        lines.append(f"{name:16}{lies[0]:5} of {lies[1]:<4}{truths[0]:9} of {truths[1]}")
    return "\n".join(lines)


def as_json(metrics: Sequence[Metric], **more: Any) -> str:
    """The whole result; `more` is what else there is to keep."""
    document = {"metrics": [asdict(m) for m in metrics], **more}
    return json.dumps(document, ensure_ascii=False, indent=1, sort_keys=False) + "\n"
