"""Numbers of a message, in digits or words: `1 200`, `mille cinq cents`, `خمسة وعشرون`, `alf w khmsmya`."""

from dataclasses import replace
from decimal import Decimal
from typing import Final

from shopping_agent.domain.patterns import late
from shopping_agent.domain.understanding.reading import Reading
from shopping_agent.domain.values import frozen

_GROUP: Final = late(r"\d{3}(?:[.,]\d{1,2})?")
_GROUP_SPACES: Final = frozenset({" ", "\u00a0", "\u202f"})
_PHONE_GROUPS: Final = 4
_ONE: Final = Decimal(1)
_HUNDRED: Final = Decimal(100)
_THOUSAND: Final = Decimal(1000)
_TEN: Final = Decimal(10)
_TWENTY: Final = Decimal(20)
_DOZEN: Final = Decimal(12)
_HALF: Final = Decimal("0.5")
_VIGESIMAL: Final = frozenset({Decimal(60), Decimal(80)})  # soixante-quinze, quatre-vingt-quinze
# What is longer is no amount, quantity or size of anything: a reference of some kind.
_LARGEST: Final = Decimal(10) ** 12
_MOST_DAYS: Final = 31
_TWO_THOUSAND: Final = "الفا"  # the dual before what is counted; alone it is a thousand


@frozen
class Figure:
    """A number. `start`, `end`: tokens, half open. `written`: in digits."""

    start: int
    end: int
    value: Decimal
    written: bool


def figures(reading: Reading) -> list[Figure]:
    """Every number of the message, in order, outside product names."""
    words = _number_words(reading)
    found: list[Figure] = []
    position = 0
    while position < len(reading.tokens):
        figure = _compose(reading, words, position)
        if figure is None:
            position += 1
        else:
            found.append(figure)
            position = figure.end
    return _without_phones([f for f in found if not _in_date(reading, f)])


def _in_date(reading: Reading, figure: Figure) -> bool:
    """The numbers of `12/04`: too small on both sides for a range of prices."""
    return any(
        figure.written
        and reading.sign(figure.start + step) == "/"
        and 0 < (reading.value(figure.start + 2 * step) or 0) <= _MOST_DAYS
        and figure.value <= _MOST_DAYS
        for step in (1, -1)
    )


def _without_phones(found: list[Figure]) -> list[Figure]:
    """Without runs of four or more numbers in a row: `06 12 34 56 78`."""
    runs: list[list[Figure]] = []
    for figure in found:
        if runs and runs[-1][-1].end == figure.start:
            runs[-1].append(figure)
        else:
            runs.append([figure])
    return [figure for run in runs if len(run) < _PHONE_GROUPS for figure in run]


_Words = dict[int, tuple[int, Decimal]]


def _number_words(reading: Reading) -> _Words:
    words: _Words = {}
    for match in reading.of("number"):
        dual = reading.word(match.start) == _TWO_THOUSAND and reading.starts(match.end, "currency")
        value = 2 * _THOUSAND if dual else Decimal(match.concept)
        words.setdefault(match.start, (match.end, value))
    return words


def _part(reading: Reading, words: _Words, position: int) -> Figure | None:
    """One number token, with its thousands written apart (`1 200`) and its `k`; or one number word."""
    if position >= len(reading.tokens) or reading.in_name(position):
        return None
    token = reading.tokens[position]
    if token.value is None:
        if position not in words:
            return None
        end, value = words[position]
        return Figure(position, end, value, written=False)
    value, end = token.value, position + 1
    if value >= _LARGEST:
        return None
    if len(token.folded) <= 2 and token.folded.isdigit() and not _is_numbered(reading, position):
        following = reading.tokens[end] if end < len(reading.tokens) else None
        gap = reading.text[token.end : following.start] if following else ""
        grouped = following is not None and _GROUP().fullmatch(following.folded) is not None
        if following and following.value is not None and grouped and gap in _GROUP_SPACES:
            value, end = value * _THOUSAND + following.value, end + 1
    if reading.word(end) == "k":
        value, end = value * _THOUSAND, end + 1
    return Figure(position, end, value, written=True)


def _is_numbered(reading: Reading, position: int) -> bool:
    return reading.word(position - 1) in {"no", "n", "numero", "x", "رقم"}


def _compose(reading: Reading, words: _Words, position: int) -> Figure | None:
    """The number that starts at a token: hundreds and thousands multiply, smaller words add up."""
    first = _part(reading, words, position)
    if first is None:
        return None
    thousands, rest = divmod(first.value, _THOUSAND)
    total, current = (
        (thousands * _THOUSAND, rest) if not first.written else (Decimal(0), first.value)
    )
    end = first.end
    while following := _next_part(reading, words, end, written=first.written):
        if following.value == _THOUSAND and 0 < current < _THOUSAND:
            total, current = total + current * _THOUSAND, Decimal(0)
        elif following.value == _HALF:
            current += _HALF * _last_unit(total + current)
        elif following.value == _DOZEN and 1 < current < _TEN and not total:
            current *= _DOZEN
        elif following.value == _HUNDRED and 0 < current % _HUNDRED < _TEN:
            hundreds = current % _HUNDRED * _HUNDRED
            current = current - current % _HUNDRED + hundreds
        elif not total and _lacks_hundred(reading, current, following, end):
            current = current * _HUNDRED + following.value
        elif not first.written and _adds(reading, words, total + current, following, end):
            current += following.value
        else:
            break
        end = following.end
    return _rounded(reading, words, Figure(position, end, total + current, first.written))


def _lacks_hundred(reading: Reading, value: Decimal, following: Figure, end: int) -> bool:
    """English `six fifty`, said of a price: not of bottles of fifty."""
    spoken = reading.language == "en" and following.start == end and _ONE < value < _TEN
    tens = _TWENTY <= following.value < _HUNDRED and not following.written
    return spoken and tens and not reading.covered(following.end, "unit", "size")


def _rounded(reading: Reading, words: _Words, figure: Figure) -> Figure:
    """`mille cinq`, said of a price: fifteen hundred; `alf w 500`: a number word goes on in digits."""
    units = figure.value % _THOUSAND
    if figure.written or figure.value < _THOUSAND:
        return figure
    if reading.language == "fr" and _ONE < units < _TEN:
        return replace(figure, value=figure.value + units * (_HUNDRED - _ONE))
    if units or not reading.starts(figure.end, "joint", "and"):
        return figure
    rest = _part(reading, words, figure.end + 1)
    if rest is not None and rest.written and rest.value < _THOUSAND:
        return replace(figure, end=rest.end, value=figure.value + rest.value)
    return figure


def _next_part(reading: Reading, words: _Words, end: int, *, written: bool) -> Figure | None:
    """The number word that goes on, directly or after `and` (`5 cents`, `alf w khmsmya`)."""
    direct = _part(reading, words, end)
    if direct is None and not written and reading.starts(end, "joint", "and"):
        direct = _part(reading, words, end + 1)
    return None if direct is None or direct.written else direct


def _adds(reading: Reading, words: _Words, value: Decimal, following: Figure, end: int) -> bool:
    """Whether a number word continues a number: smaller than its last unit, or tens joined to a unit."""
    joined = following.start > end or reading.word(following.start).startswith("و")
    after = _part(reading, words, following.end)
    if joined and after and not after.written and after.value in {_HUNDRED, _THOUSAND}:
        return value % _THOUSAND == 0 and following.value * after.value < _THOUSAND
    if 0 < value % _HUNDRED < _TEN and (joined or value < _TEN):
        return joined and _TWENTY <= following.value < _HUNDRED  # "سبعمئة وخمسة وسبعون"
    if value % _HUNDRED in _VIGESIMAL and reading.language == "fr":
        return following.value < _TWENTY
    return following.value < _last_unit(value)


def _last_unit(value: Decimal) -> Decimal:
    for unit in (_THOUSAND, _HUNDRED, _TEN):
        if value and value % unit == 0:
            return unit
    return Decimal(1)
