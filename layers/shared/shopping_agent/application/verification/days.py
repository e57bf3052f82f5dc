"""Claims of the days of the week on which the store is there: each must be one of its hours' or of a guide that was quoted."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final

from shopping_agent.application.verification.facts import Facts, Fault
from shopping_agent.application.verification.policies import INTERJECTION
from shopping_agent.application.verification.said import Said
from shopping_agent.application.verification.wording import says
from shopping_agent.domain.text import fold

# Folded, Monday first: English, French, Arabic, Darija in both scripts. Without its article many an Arabic one is a number.
_NAMES: Final = (
    r"mondays?|lundis?|(?:ال|لل|ل)(?:اثنين|تنين)|l?tnin|letnin",
    r"tuesdays?|mardis?|(?:ال|لل|ل)(?:ثلاثاء?|تلات)|ltlata?|ttlata?",
    r"wednesdays?|mercredis?|(?:ال|لل|ل)(?:اربعاء?|ربع)|larb3a|lareb3a?",
    r"thursdays?|jeudis?|(?:ال|لل|ل)خميس|l?khmis|lekhmis",
    r"fridays?|vendredis?|(?:ال|لل|ل)جمعه|l?jem3a|l?jm3a|jjem3a",
    r"saturdays?|samedis?|(?:ال|لل|ل)سبت|s?sebt|l?sebt|ssbt",
    r"sundays?|dimanches?|(?:ال|لل|ل)(?:احد|حد)|l7edd?",
)
_DAY: Final = re.compile(
    "|".join(rf"(?P<d{n}>(?<!\w)(?:و|ب|ف|ك)?(?:{names})(?!\w))" for n, names in enumerate(_NAMES))
)
_TO: Final = re.compile(
    r"\W+(?:to|till|until|through|thru|au?|jusqu'au|الي|حتي|حتي ل|7ta l?|tal)\W+"
)
_EVERY: Final = re.compile(
    r"\b(?:every day|each day|all week|tous les jours|chaque jour|toute la semaine|kol nhar|kola nhar|koll nhar|kol youm)\b"
    r"|(?<!\w)(?:كل يوم|يوميا|كل الايام|كل نهار|طيله الاسبوع|طوال الاسبوع)"
)
# Of those who answer, not of a parcel or a courier: what is sent when is told by the guides.
_THERE: Final = re.compile(
    r"\b(?:open|opens|answer\w*|repl(?:y|ies)|respond\w*|reach(?:able)? us|reachable|ouverte?s?|ouvrons|repond\w*|joignables?|joindre|7allin|m7lou?lin?|fat7in|kanjawb\w*|kayjawb\w*)\b"
    r"|(?<!\w)(?:مفتوح\w*|نفتح|نعمل|نرد|نجيب|حالين|محلول\w*|فاتحين|كنجاوب\w*|كيجاوب\w*)"
)
_CLOSED: Final = re.compile(
    r"\b(?:closed|ferme\w*|msedd?\w*|sadd?in|mesdoud\w*)\b|(?<!\w)(?:مغلق\w*|نغلق|سادين|مسدود\w*)"
)
_SENTENCE: Final = re.compile(r"[.!?؟\n]")
_PART: Final = re.compile(r"[.;!?؟؛\n]|\b(?:but|mais|walakin)\b|(?<!\w)و?لكن(?!\w)")
_COMMA: Final = re.compile(r"[,،]")
_WEEK: Final = frozenset(range(7))


def check(said: Said, facts: Facts) -> Iterator[Fault]:
    """The faults of a sentence."""
    if not _is_of_hours(said.bare):
        return
    hours = frozenset[int]().union(*map(days_in, map(fold, facts.pack.contacts.hours.values())))
    if not hours or said.is_open():
        return
    told = INTERJECTION.sub(" ", said.bare)
    if any(_wrong(clause, hours) - _quoted(facts) for clause in _clauses(told)):
        yield Fault("time", "; ".join(facts.pack.contacts.hours.values()))


def _clauses(text: str) -> Iterator[str]:
    """Parts of a sentence with days of their own; what stands beside them between commas belongs to them."""
    for part in _PART.split(text):
        clause = ""
        for bit in _COMMA.split(part):
            if clause and days_in(clause) and days_in(bit):
                yield clause
                clause = ""
            clause = f"{clause} {bit}"
        yield clause


def _wrong(clause: str, hours: frozenset[int]) -> frozenset[int]:
    """Days that a clause says the store is there, and it is not; or the other way round."""
    told = _WEEK if _EVERY.search(clause) else days_in(clause)
    denied = _CLOSED.search(clause) is not None or says("negation", clause)
    return told & hours if denied else told - hours


def _is_of_hours(text: str) -> bool:
    """Whether a text says when somebody is there, or is not."""
    return bool(_THERE.search(text) or _CLOSED.search(text))


def _quoted(facts: Facts) -> frozenset[int]:
    """Days of the guides' own sentences about hours."""
    sentences = (s for p in facts.observed.passages for s in _SENTENCE.split(fold(p.text)))
    return frozenset[int]().union(*(days_in(s) for s in sentences if _is_of_hours(s)))


@lru_cache(maxsize=512)
def days_in(text: str) -> frozenset[int]:
    """Days that a folded text names, 0 is Monday; `Monday to Saturday` names those between too."""
    found = [(m, int((m.lastgroup or "d0")[1:])) for m in _DAY.finditer(text)]
    days = {day for _, day in found}
    for (one, first), (other, last) in pairwise(found):
        if _TO.fullmatch(text[one.end() : other.start()]):
            days |= {(first + n) % 7 for n in range((last - first) % 7 + 1)}
    return frozenset(days)
