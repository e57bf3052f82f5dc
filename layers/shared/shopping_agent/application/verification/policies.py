"""Claims about the store's policy: each figure with the matter that it belongs to, and each yes or no as the guides have it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from shopping_agent.application.verification.attributes import CLAUSE
from shopping_agent.application.verification.facts import Facts, Fault
from shopping_agent.application.verification.said import Said
from shopping_agent.application.verification.topics import tells
from shopping_agent.application.verification.wording import says
from shopping_agent.domain.text import fold

_PAIR: Final = 2
_SENTENCE: Final = re.compile(r"(?<=[.!?؟;])\s+|\n+")
INTERJECTION: Final = re.compile(
    r"^\W*(?:no|non|la|لا|yes|oui|نعم|ايه|ah)(?: (?:worries|problem|souci|mochkil))?\s*[,،.!:]"
    r"|\bn'importe\b|\bn'hesit\w+ pas\b|\b(?:don't|do not) hesitate\b|\b(?:sans|no|without) (?:souci|probleme|problem|any problem)\w*|\bbla mochkil\b|\bma kayn mochkil\b|(?<!\w)ما ?كاين (?:حتي )?مشكل|(?:دون|بدون|بلا) (?:اي )?(?:مشكل\w*|مشاكل)"
)
# A condition denies nothing: "if you do not like it".
_DISLIKED: Final = re.compile(
    r"\bif you (?:do not|don't|didn't) \w+ it\b|\bs'il ne (?:vous|te) (?:plait|convient) pas\b"
    r"|\bila ma\w+ch\b|(?<!\w)(?:اذا|الا|ايلا|ان) (?:لم |ما ?)(?:ي|ت)?عجب\w*"
)
# What a figure can be told of; a figure of one is no proof of the same figure for another.
TOPICS: Final = (
    "return", "refund", "waits", "collect", "faulty", "reserve", "gift card", "cash", "card written", "keeps", "lasting", "deliver",
)  # fmt: skip
# An act and what it is done to: the guides allow or deny it.
_RULES: Final = (
    ("return", "opened", "candle"),
    ("return", "opened", "perfume"),
    ("return", "reduced"),
    ("return", "gift card"),
    ("return", "engraved"),
    ("send", "sunday"),
    ("accept", "foreign"),
    ("damp place",),
    ("check", "box", "paying"),
)


def check(said: Said, facts: Facts) -> Iterator[Fault]:
    """The faults of a sentence's yes and no."""
    if said.is_open() or not facts.guides:
        return
    text, asked = said.text, fold(facts.context.query.text)
    for rule in _RULES:
        if not _is_told_of(rule, text, asked):
            continue
        if tells("faulty", text):
            continue
        signs = {s for p in facts.guides for s in _signs(rule, p.text)}
        # Of what nothing was read yet the guides are asked once more.
        if _denied(rule, text) not in signs and (
            len(signs) == 1 or (not signs and len(rule) > _PAIR)
        ):
            yield Fault("policy", _told(rule, facts))
    yield from _stopped(said, facts)
    yield from _unserved(said, facts)
    yield from _abroad(text, facts)
    yield from _payer(text, facts)


def _is_told_of(rule: Sequence[str], text: str, asked: str) -> bool:
    """Whether a sentence states a rule; what the last word of it is done to may stand in the question."""
    if not all(tells(word, text) for word in rule[: max(1, len(rule) - 1)]):
        return False
    return tells(rule[-1], text) or (len(rule) > _PAIR and tells(rule[-1], asked))


def topics_of(text: str) -> frozenset[str]:
    """What a folded clause is about."""
    found = _topics(text)
    # Money that comes back is no product that goes back.
    if "refund" in found:
        return found - {"return", "deliver"}
    return found - {"deliver"} if len(found) > 1 else found


@lru_cache(maxsize=2048)
def _topics(text: str) -> frozenset[str]:
    return frozenset(t for t in TOPICS if tells(t, text))


def topics_at(text: str, place: int) -> frozenset[str]:
    """What the clause at a place of a folded sentence is about."""
    start = 0
    for match in CLAUSE.finditer(text):
        if match.start() >= place:
            break
        start = match.end()
    after = CLAUSE.search(text, place)
    clause = text[start : after.start() if after else len(text)]
    return topics_of(clause)


@lru_cache(maxsize=1024)
def parts(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """The sentences of a guide, each with what it is about: what the one before was, when it does not say."""
    found: list[tuple[str, frozenset[str]]] = []
    for sentence in filter(str.strip, _SENTENCE.split(text)):
        before = found[-1][1] if found else frozenset[str]()
        found.append((sentence, topics_of(fold(sentence)) or before))
    return tuple(found)


def about(topics: frozenset[str], texts: Iterable[str]) -> list[str]:
    """The sentences of the guides that are about one of some matters, or about none that is known."""
    return [s for text in texts for s, own in parts(text) if not topics or not own or own & topics]


def _denied(rule: Sequence[str], text: str) -> bool:
    """Whether a statement denies a rule, in the clause that states it."""
    bare = _DISLIKED.sub(" ", INTERJECTION.sub("", text))
    here = [word for word in rule if tells(word, bare)]
    clause = next((c for c in CLAUSE.split(bare) if all(tells(w, c) for w in here)), bare)
    return says("negation", clause) or tells("denies", clause)


@lru_cache(maxsize=2048)
def _signs(rule: tuple[str, ...], text: str) -> frozenset[bool]:
    folded = (fold(s) for s, _ in parts(text))
    return frozenset(_denied(rule, s) for s in folded if all(tells(word, s) for word in rule))


def _told(rule: Sequence[str], facts: Facts) -> str:
    sentences = [s for p in facts.guides for s, _ in parts(p.text)]
    return " ".join(s for s in sentences if all(tells(word, fold(s)) for word in rule))[:300]


def _stopped(said: Said, facts: Facts) -> Iterator[Fault]:
    """A way to pay that is said to be stopped, and that the guides offer."""
    if said.money or not (tells("cash", said.text) and tells("denies", said.text)):
        return
    offered = [s for p in facts.guides for s, _ in parts(p.text) if tells("cash", fold(s))]
    if offered and not any(tells("denies", fold(s)) for s in offered):
        yield Fault("policy", offered[0])


def _unserved(said: Said, facts: Facts) -> Iterator[Fault]:
    """A place that is said to get no delivery, and that the guides name."""
    text = said.text
    places = frozenset[str]() if said.money else facts.places(text)
    if not places or not tells("send", text) or not says("negation", INTERJECTION.sub("", text)):
        return
    if tells("only here", text) or any(f.unit for f in said.figures):
        return
    for passage in facts.guides:
        served = [
            s for s, own in parts(passage.text) if "deliver" in own and places & facts.places(s)
        ]
        if served and places & facts.places(passage.heading):
            yield Fault("policy", served[0])
            return


def _abroad(text: str, facts: Facts) -> Iterator[Fault]:
    if not (tells("abroad", text) and tells("send", text)):
        return
    if (
        says("negation", INTERJECTION.sub("", text))
        or tells("gift", text)
        or tells("only here", text)
    ):
        return
    only = [s for p in facts.guides for s, _ in parts(p.text) if _is_only_here(fold(s))]
    if only:
        yield Fault("policy", only[0])


def _is_only_here(sentence: str) -> bool:
    return tells("only here", sentence) and tells("send", sentence)


def _payer(text: str, facts: Facts) -> Iterator[Fault]:
    """Who pays for the return of what came broken."""
    if not (tells("yours", text) and tells("fee", text)) or says("negation", text):
        return
    if not any(tells("faulty", fold(t)) for t in (facts.reply, facts.context.query.text)):
        return
    ours = [s for p in facts.guides for s, _ in parts(p.text) if tells("ours", fold(s))]
    if ours and not any(tells("yours", fold(p.text)) for p in facts.guides):
        yield Fault("policy", ours[0])
