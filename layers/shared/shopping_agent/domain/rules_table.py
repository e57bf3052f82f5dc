"""The rules of recommendation as data: one row of a decision table (`rules.csv`) each, with its reason in every language.

Columns: `rule` (its name), `when` (`climate=hot; occasion=work|date; budget=..300`: all must hold), `prefer` and `avoid` (terms of
the glossary with a weight of 1 to 5, 2 where none is written), `exclude` (terms), one column for each scale (`moderate..heavy`), and a
reason for each language, which must make sense for what is preferred and for what is avoided.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Final

from shopping_agent.domain.glossary import Glossary
from shopping_agent.domain.glossary_facts import Scale
from shopping_agent.domain.intent import LANGUAGES
from shopping_agent.domain.profile import BUDGET, ProfileSchema
from shopping_agent.domain.rules import Condition, Rule, Weighted
from shopping_agent.domain.rules_reading import did_you_mean, read_amount, read_range
from shopping_agent.domain.values import frozen

TABLE: Final = "rules.csv"
MAX_WEIGHT: Final = 5
_WEIGHT: Final = 2
_MOST_TOLD: Final = 20
_COLUMNS: Final = ("rule", "when", "prefer", "avoid", "exclude")


def read_rules(
    header: Sequence[str],
    rows: Iterable[tuple[int, Sequence[str]]],
    schema: ProfileSchema,
    glossary: Glossary,
    *,
    left_out: list[str] | None = None,
) -> tuple[Rule, ...]:
    """The rules of a table.

    Args:
        rows: line number and cells.
        left_out: takes what is wrong with rows, which then are left out instead of refused.

    Raises:
        ValueError: a line for each wrong cell, naming its row, its column and what would work.
    """
    scales = [scale.name for scale in glossary.scales]
    known = (*_COLUMNS, *scales, *LANGUAGES)
    columns = [name.strip() for name in header]
    for name in columns:
        if name not in known:
            raise ValueError(
                f"unknown column {name!r}: the table has {', '.join(known)}{did_you_mean(name, known)}"
            )
    for name in ("rule", "when", "en"):
        if columns.count(name) != 1:
            raise ValueError(f"the table needs one column {name!r}; it has {', '.join(columns)}")
    rules: dict[str, Rule] = {}
    conditions: dict[frozenset[Condition], Rule] = {}
    wrong: list[str] = [] if left_out is None else left_out
    for line, cells in rows:
        try:
            if rule := _rule(line, cells, columns, schema, glossary):
                when = frozenset(rule.when)
                _refuse_twin(rule, rules.get(rule.name), conditions.get(when))
                rules[rule.name] = conditions[when] = rule
        except ValueError as error:
            wrong += str(error).splitlines()
    if wrong and left_out is None:
        more = [f"and {len(wrong) - _MOST_TOLD} more"] if len(wrong) > _MOST_TOLD else []
        raise ValueError("\n".join([*wrong[:_MOST_TOLD], *more]))
    return tuple(rules.values())


def _rule(
    line: int,
    cells: Sequence[str],
    columns: Sequence[str],
    schema: ProfileSchema,
    glossary: Glossary,
) -> Rule | None:
    """The rule of a row, None for an empty one."""
    if any(cell.strip() for cell in cells[len(columns) :]):
        raise ValueError(f"row {line}: more cells than the header: quote a text with commas in it")
    row = {name: cell.strip() for name, cell in zip(columns, cells, strict=False)}
    return _Row(line, row, schema, glossary).rule() if any(row.values()) else None


def _refuse_twin(rule: Rule, namesake: Rule | None, twin: Rule | None) -> None:
    """A rule may not have the name or the condition of an earlier one."""
    if namesake is not None:
        raise ValueError(
            f"row {rule.row}, rule: {rule.name!r} is the name of row {namesake.row} already"
        )
    if twin is not None:
        raise ValueError(
            f"row {rule.row} ({rule.name}), when: row {twin.row} ({twin.name}) has the same"
            " condition: make them one row"
        )


@frozen
class _Row:
    """The cells of one row, read one by one."""

    line: int
    cells: Mapping[str, str]
    schema: ProfileSchema
    glossary: Glossary

    def rule(self) -> Rule:
        """The rule; what is wrong is told in a line for each cell."""
        try:
            return self._rule()
        except ValueError as error:
            raise ValueError("\n".join(self._mistakes()) or str(error)) from error

    def _mistakes(self) -> list[str]:
        """What is wrong with each cell, read by itself."""
        columns = [column for column in ("prefer", "avoid", "exclude") if self.cells.get(column)]
        scales = [scale for scale in self.glossary.scales if self.cells.get(scale.name)]
        reads: list[Callable[[], object]] = [
            self._name,
            self._when,
            *(partial(self._weighted, c, weights=c != "exclude") for c in columns),
            *(partial(self._interval, scale) for scale in scales),
            self._reason,
            *(() if columns or scales else (self._refuse_no_effect,)),
        ]
        wrong: list[str] = []
        for read in reads:
            try:
                read()
            except ValueError as error:
                wrong.append(str(error))
        return wrong

    def _name(self) -> str:
        name = self.cells.get("rule", "")
        if not name:
            raise self._wrong("rule", "a rule needs a name")
        return name

    def _refuse_no_effect(self) -> None:
        raise self._wrong(
            "prefer", "the rule has no effect: fill prefer, avoid, exclude or a scale"
        )

    def _rule(self) -> Rule:
        name = self._name()
        prefer, avoid = self._weighted("prefer"), self._weighted("avoid")
        exclude = tuple(term for term, _ in self._weighted("exclude", weights=False))
        within = tuple(
            (position, *self._interval(scale))
            for position, scale in enumerate(self.glossary.scales)
            if self.cells.get(scale.name)
        )
        if not (prefer or avoid or exclude or within):
            self._refuse_no_effect()
        named = [term for term, _ in (*prefer, *avoid)] + list(exclude)
        if twice := next((term for term in named if named.count(term) > 1), None):
            raise self._wrong("prefer", f"{twice!r} is named twice in this row")
        return Rule(
            name=name,
            row=self.line,
            when=self._when(),
            prefer=prefer,
            avoid=avoid,
            exclude=exclude,
            within=within,
            reason=self._reason(),
        )

    def _when(self) -> tuple[Condition, ...]:
        conditions = [
            self._condition(part) for part in self.cells.get("when", "").split(";") if part.strip()
        ]
        if not conditions:
            raise self._wrong("when", "a rule needs a condition, such as climate=hot")
        keys = [condition.key for condition in conditions]
        if twice := next((key for key in keys if keys.count(key) > 1), None):
            raise self._wrong("when", f"{twice} is there twice: write {twice}=one|other")
        return tuple(conditions)

    def _condition(self, text: str) -> Condition:
        key, equals, wanted = (part.strip() for part in text.partition("="))
        if not equals:
            raise self._wrong(
                "when", f"{text.strip()!r} is no condition; one looks like climate=hot"
            )
        if key == BUDGET:
            return self._budget(wanted)
        spec = self.schema.keys.get(key)
        if spec is None:
            keys = (*self.schema.keys, BUDGET)
            raise self._wrong(
                "when", f"unknown {key!r}: there are {', '.join(keys)}{did_you_mean(key, keys)}"
            )
        values: set[str] = set()
        for word in wanted.split("|"):
            value = spec.canonical(word)
            if value is None:
                raise self._wrong(
                    "when",
                    f"{key} cannot be {word.strip()!r}: it is one of {', '.join(spec.values)}"
                    f"{did_you_mean(word.strip(), spec.values)}",
                )
            values.add(value)
        return Condition(key, frozenset(values))

    def _budget(self, wanted: str) -> Condition:
        low, high = read_range(wanted) or ("-", "-")
        amounts = [read_amount(low, 0.0), read_amount(high, float("inf"))]
        if None in amounts or amounts != sorted(amounts, key=lambda a: a or 0.0):
            raise self._wrong(
                "when", f"{BUDGET} must be an interval such as ..300 or 1000.., not {wanted!r}"
            )
        return Condition(BUDGET, low=amounts[0] or 0.0, high=amounts[1] or 0.0)

    def _weighted(self, column: str, *, weights: bool = True) -> Weighted:
        found: list[tuple[str, int]] = []
        for part in self.cells.get(column, "").replace(";", ",").split(","):
            words = part.split()
            if not words:
                continue
            weight = _WEIGHT
            if weights and words[-1].isdecimal() and " ".join(words) not in self.glossary.terms:
                weight = int(words.pop())
            term = " ".join(words)
            if term not in self.glossary.terms:
                raise self._wrong(
                    column, f"unknown term {term!r}{did_you_mean(term, self.glossary.terms)}"
                )
            if not 1 <= weight <= MAX_WEIGHT:
                raise self._wrong(column, f"the weight of {term!r} must be 1 to {MAX_WEIGHT}")
            found.append((term, weight))
        return tuple(found)

    def _interval(self, scale: Scale) -> tuple[int, int]:
        try:
            return scale.interval(self.cells[scale.name])
        except ValueError as error:
            raise self._wrong(scale.name, str(error)) from error

    def _reason(self) -> Mapping[str, str]:
        reason = {lang: text for lang in LANGUAGES if (text := self.cells.get(lang, ""))}
        if "en" not in reason:
            raise self._wrong("en", "a rule needs its reason, at least in English")
        return reason

    def _wrong(self, column: str, message: str) -> ValueError:
        named = f" ({self.cells['rule']})" if self.cells.get("rule") else ""
        return ValueError(f"row {self.line}{named}, {column}: {message}")
