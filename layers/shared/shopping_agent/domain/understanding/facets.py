"""What the perfume shall be like: notes, families, season, occasion, gender, and what is refused."""

from typing import Final, cast

from shopping_agent.domain.catalog import Gender
from shopping_agent.domain.patterns import late
from shopping_agent.domain.understanding.reading import Reading
from shopping_agent.domain.understanding.refusals import refused
from shopping_agent.domain.values import frozen
from shopping_agent.domain.vocabulary import Match

# A refusal names the taste, not the family that carries it: "not too sweet" refuses what is sweet.
_SWEET: Final = "gourmand"
# Moroccan verbs of the third person: present, future, `has`, `wants`.
_THIRD_PERSON: Final = late(
    r"(?:ma)?(?:ka[yt]|gha[yt]|3nd(?:o|ou|ha)\b|bgh(?:a|at)\b|y[a-z0-9]{3})"
    r"|(?:ما)?(?:ك[يت]|غ[يت]|عند(?:و|ها)|بغ(?:ا|ات)$|ي.{3})"
)
_BEFORE_VERBS: Final = frozenset({"ma", "ghadi", "ghadia", "ما", "غادي", "غاديه", "ديما", "dima"})
# What a named event (a wedding, a graduation) is as well: the event says more.
_ANY_EVENT: Final = frozenset({"gift", "party", "evening", "everyday"})


@frozen
class Facets:
    """Facets wished for and refused, canonical English."""

    notes: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    exclude_notes: tuple[str, ...] = ()
    season: str | None = None
    occasion: str | None = None
    gender: Gender | None = None
    longevity: str | None = None
    sillage: str | None = None


def facets(reading: Reading) -> Facets:
    """The facets of a message; a product's name is none (`Rose Tafilalt` wishes for no rose)."""
    scents = _scents(reading)
    excluded = [m for m in scents if refused(reading, m)]
    wished = [m for m in scents if m not in excluded]
    notes = _concepts([m for m in wished if m.kind == "note"])
    families = _concepts([m for m in wished if m.kind == "family"])
    return Facets(
        notes=notes,
        families=families,
        exclude_notes=tuple(
            dict.fromkeys(_refusal(m) for m in excluded if m.concept not in (*notes, *families))
        ),
        season=_first(reading, "season"),
        occasion=_occasion(reading),
        gender=_gender(reading),
        longevity=_first(reading, "longevity"),
        sillage=_first(reading, "sillage"),
    )  # fmt: skip


def _scents(reading: Reading) -> list[Match]:
    """Notes and families; where a word is both, the note."""
    notes = reading.of("note")
    taken = {(m.start, m.end) for m in notes}
    families = [m for m in reading.of("family") if (m.start, m.end) not in taken]
    return sorted([*notes, *families], key=lambda m: m.start)


def _concepts(matches: list[Match]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(m.concept for m in matches))


def _refusal(match: Match) -> str:
    return "sweet" if match.kind == "family" and match.concept == _SWEET else match.concept


def _first(reading: Reading, kind: str) -> str | None:
    wished = [m for m in reading.of(kind) if not refused(reading, m, through_lists=False)]
    return wished[0].concept if wished else None


def _occasion(reading: Reading) -> str | None:
    """The named event wins over `gift`, the longer phrase over the shorter one."""
    said = [m for m in reading.of("occasion") if not _is_greeting(reading, m)]
    wished = [m for m in said if not _is_of_topic(reading, m)]
    wished = [m for m in wished if not refused(reading, m, through_lists=False)]
    named = [m for m in wished if m.concept not in _ANY_EVENT]
    if not named and _has_years(reading):
        return "birthday"
    other = [m for m in wished if m.concept != "gift"]
    best = max(named or other or wished, key=lambda m: (m.end - m.start, -m.start), default=None)
    return best.concept if best else None


def _has_years(reading: Reading) -> bool:
    """`pour ses 30 ans`: the age is the event."""
    return any(
        token.value is not None
        and reading.word(i - 1) in {"mes", "tes", "ses", "vos"}
        and reading.covered(i + 1, "unit", "year")
        for i, token in enumerate(reading.tokens)
    )


def _is_greeting(reading: Reading, match: Match) -> bool:
    """`happy birthday`, `bon ramadan`: said to us, no occasion."""
    return reading.covered(match.start, "courtesy", "wish")


def _is_of_topic(reading: Reading, match: Match) -> bool:
    """The date of an `expiry date`, the gift of `gift wrap`: part of what a question is about."""
    longer = match.end - match.start
    return any(
        m.start <= match.start and match.end <= m.end and m.end - m.start > longer
        for m in reading.of("topic")
    )


def _is_address(reading: Reading, match: Match) -> bool:
    """`salam khouya`, `عافاك ختي`: the shopper speaks to us, not of a brother or sister."""
    if not reading.covered(match.start, "courtesy", "please") or match.end - match.start > 1:
        return False
    if _is_subject(reading, match.end):
        return False
    if reading.language == "ar" and match.start == 0 and not reading.sign(match.end):
        return False  # "أختي حساسة للمسك"
    alone = not reading.same_clause(match.start - 1, match.start) if match.start else True
    return (
        alone
        or reading.covered(match.start - 1, "courtesy")
        or reading.word(match.start - 1) == "a"
    )


def _is_subject(reading: Reading, position: int) -> bool:
    """`khti katbghi`, `خويا غادي يتزوج`: a verb of the third person follows, so it is told of, not spoken to."""
    while reading.word(position) in _BEFORE_VERBS or reading.starts(position, "order", "both"):
        position += 1
    return _THIRD_PERSON().match(reading.word(position)) is not None


def _is_excluded(reading: Reading, match: Match) -> bool:
    """`not for women`, `ماشي للعيالات`."""
    return any(
        0 <= match.start - m.end <= 1 and not reading.sign(m.end)
        for m in reading.of("negation", "not")
        if m.end - m.start == 1 and reading.same_clause(m.start, match.start)
    )


def _gender(reading: Reading) -> Gender | None:
    """Of several the unisex one; men and women named together are no gender, else the first one."""
    said = [m for m in reading.of("gender") if not _is_address(reading, m)]
    wished = [m.concept for m in said if not _is_excluded(reading, m)]
    if "unisex" in wished:
        return "unisex"
    return cast(Gender, wished[0]) if wished else None
