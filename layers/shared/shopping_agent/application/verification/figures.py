"""Figures with a unit: days, hours, millilitres, per cent, pieces; and numbers that stand without one."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from shopping_agent.application.verification.numerals import numerals
from shopping_agent.domain.values import frozen

_UNITS: Final[Mapping[str, str]] = {
    "minute": "minute minutes min mins دقيقه دقايق d9i9a d9ay9 dqi9a",
    "hour": "hour hours hr hrs heure heures ساعه ساعات سوايع سويعات sa3a sa3at swaye3 sway3 swa3 sway3",
    "day": "day days jour jours journee journees يوم ايام يوما نهار youm yawm yum iyam iyyam yam yyam ayam nhar nharat",
    "week": "week weeks semaine semaines اسبوع اسابيع سيمانه سيمانات simana simanat osbo3",
    "month": "month months mois شهر اشهر شهور شهرا chhar chher chhor chhour",
    "year": "year years an ans annee annees سنه سنوات سنين عام اعوام عاما 3am snin 3wam",
    "ml": "ml مل ملل millilitre millilitres milliliter milliliters ملليلتر مليلتر",
    "gram": "g gr gram grams gramme grammes غرام غراما غرامات جرام غ",
    "percent": "% ٪ percent pourcent بالميه بالمايه فالميه فالمايه flmya",
    "degree": "degree degrees degre درجه درجات °c",
    "times": "times fois اضعاف مرات",
    "piece": "bottle bottles piece pieces pcs pc flacon flacons bouteille bouteilles exemplaire exemplaires unite unites "
    "قاروره قوارير قطعه قطع حبه حبات قرعه قراعي علبه علب زجاجه زجاجات 9er3a 9ra3i l9ra3i 7bba 7ebba 7bat 7abba copies",
}
_IN_WORDS: Final[Mapping[str, str]] = {
    "pour cent": "percent", "per cent": "percent", "في الميه": "percent", "في المايه": "percent",
    "f lmya": "percent", "f l mya": "percent",
}  # fmt: skip
# Duals and singulars that say the number themselves.
_DUALS: Final[Mapping[str, str]] = {
    "day": "يومين يومان يومي يوماين yawmayn youmayn yumayn",
    "hour": "ساعتين ساعتان ساعتي sa3tayn sa3tin",
    "week": "اسبوعين اسبوعان fortnight",
    "month": "شهرين شهران chahrayn chehrayn",
    "year": "سنتين سنتان عامين عامان 3amayn",
    "piece": "قارورتان قارورتين قطعتان قطعتين حبتان حبتين قرعتين زجاجتان زجاجتين علبتين علبتان عطرين",
}
_SECONDS: Final[Mapping[str, int]] = {
    "minute": 60,
    "hour": 3600,
    "day": 86400,
    "week": 604800,
    "month": 2592000,
    "year": 31104000,
}
_FILLER: Final = (
    r"(?:\s*(?:working|business|full|whole|more|little|refillable|of|d'?|dyal|de|des|bons?|petits?|دال|د|من|ديال|اضافي\w*|bonnes)"
    r"(?=\s))?"
)
_DIGITS: Final = r"\d{1,3}(?:[ ,.]\d{3})+(?!\d)|\d+(?:[.,]\d+)?"
_LONGEST: Final = 15
"""Characters; more of them are no amount of anything."""
_RANGE: Final = re.compile(
    r"\s*(?:to|a|et|or|ou|and|-|–|—|الي|حتي|او|و|7ta|7tal|hta|l|w|wla)(?:\s*(?:لـ?|l))?\s*"
)
_NEXT_DAY: Final = re.compile(
    r"\b(?:next|following) (?:working |business )?day\b|\b(?:le )?lendemain\b|\bjour suivant\b|(?:في )?(?:اليوم|النهار) (?:التالي|الموالي)|\b(?:nhar )?(?:lghedda|l ghedda)\b"
    r"|\b(?:till|until|through to) (?:the )?(?:next )?(?:tomorrow|morning|dawn)\b|\bjusqu'(?:au (?:petit )?matin|a demain)\b|(?<!\w)(?:حتي|الي) (?:ل|ال|لل)?(?:صباح|غد|غدا|غدوه)(?!\w)|\b7ta (?:l ?)?(?:sba7|ghedd?a|ghda)\b"
)


@frozen
class Figure:
    """A number. `unit`: "" where none follows; seconds for every time, with the unit in `said`."""

    value: float
    unit: str
    start: int
    end: int
    said: str = ""
    attached: str = ""


@cache
def _unit_pattern() -> re.Pattern[str]:
    units = {w for row in _UNITS.values() for w in row.split()} | _IN_WORDS.keys()
    names = sorted(units, key=len, reverse=True)
    return re.compile(
        rf"{_FILLER}[\s-]{{0,3}}(?:ال)?(?P<unit>{'|'.join(map(re.escape, names))})(?!\w)"
    )


@cache
def _dual_pattern() -> re.Pattern[str]:
    names = sorted({w for row in _DUALS.values() for w in row.split()}, key=len, reverse=True)
    return re.compile(rf"(?<!\w)[وبفل]?(?:ال)?({'|'.join(names)})(?!\w)")


@cache
def _single_pattern() -> re.Pattern[str]:
    """One of a unit, without a number before it."""
    english = "day|week|month|year|hour"
    arabic = "يوم|يوما|اسبوع|شهر|شهرا|سنه|عام|ساعه|نهار"
    return re.compile(
        rf"\b(?:a|an|one full|a full|a whole) ({english})\b"
        rf"|(?<!\w)({arabic})(?: عمل)? (?:واحد\w*|كامل\w*)(?!\w)|\b(nhar|youm|simana|chhar|3am) (?:we7ed|wa7ed|wa7d|wa7da|we7da|kamel)\b"
        r"|\b(?:f|fi|en|within|mn b3d) (?:l )?(simana|chhar|week|semaine)\b"
    )


@cache
def _unit_of() -> dict[str, str]:
    return {**_IN_WORDS} | {
        w: unit for table in (_UNITS, _DUALS) for unit, row in table.items() for w in row.split()
    }


@cache
def _digits_pattern() -> re.Pattern[str]:
    return re.compile(
        rf"(?<![a-z0-9_.,:/])(?:{_DIGITS})(?![\w:/]|[.,]\d)|(?<![\w.,:/])\d+(?=(?:ml|g|h|j|x|%)(?!\w))"
    )


def figures(folded: str) -> list[Figure]:
    """Every number of a folded sentence, in digits or words, with its unit; of ranges both ends."""
    digits = (m for m in _digits_pattern().finditer(folded) if m.end() - m.start() <= _LONGEST)
    raw = [(m.start(), m.end(), _number(m[0])) for m in digits]
    # The 7 of "lmel7" is a letter.
    raw += [
        (n.start, n.end, float(n.value))
        for n in numerals(folded)
        if not (n.start and folded[n.start - 1].isascii() and folded[n.start - 1].isalnum())
    ]
    found = [_figure(folded, *one) for one in sorted(raw)]
    listed = False
    for index in range(len(found) - 2, -1, -1):
        one, after = found[index], found[index + 1]
        between = folded[one.end : after.start]
        # "30, 50 and 100 ml": before a comma only what stands in a list.
        if (
            not one.unit
            and after.unit
            and (_RANGE.fullmatch(between) or (listed and between.strip() in (",", "،")))
        ):
            found[index], listed = _of(one.value, after.said, one.start, one.end), True
        else:
            listed = False
    found += [
        _of(1.0, _unit_of()[m[1] or m[2] or m[3] or m[4]], m.start(), m.end())
        for m in _single_pattern().finditer(folded)
    ]
    found += [_of(1.0, "day", m.start(), m.end()) for m in _NEXT_DAY.finditer(folded)]
    found += [
        _of(2.0, _unit_of()[m[1]], m.start(), m.end()) for m in _dual_pattern().finditer(folded)
    ]
    return sorted(found, key=lambda f: f.start)


def _number(text: str) -> float:
    if re.fullmatch(r"\d{1,3}(?:[ ,.]\d{3})+", text):
        return float(re.sub(r"\D", "", text))
    return float(text.replace(",", "."))


def _figure(folded: str, start: int, end: int, value: float) -> Figure:
    match = _unit_pattern().match(folded, end)
    if match is None:
        if folded[end : end + 2] in ("h ", "h") or re.match(r"h(?!\w)", folded[end:]):
            return Figure(value, "clock", start, end + 1, "clock")
        return Figure(value, "", start, end)
    return _of(value, _unit_of()[match["unit"]], start, match.end())


def _of(value: float, unit: str, start: int, end: int) -> Figure:
    seconds = _SECONDS.get(unit)
    if seconds is None:
        return Figure(value, unit, start, end, unit)
    return Figure(value * seconds, "time", start, end, unit)
