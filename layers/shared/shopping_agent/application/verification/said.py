"""A reply as its sentences: where each stands, and which products it is about."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from shopping_agent.application.claims import NameFound, amounts, names_in
from shopping_agent.application.verification.figures import Figure, figures
from shopping_agent.application.verification.wording import says
from shopping_agent.domain.text import fold

_SENTENCE: Final = re.compile(r"(?<=[.!?؟])[*_\"»)]*\s+|\n+")

CURRENCY_AFTER: Final = re.compile(
    r"\s*(?:ال)?(?:mad|dhs?|dirhams?|drahem|drhem|derhem|درهم\w*|دراهم|د\.م|ryal|ريال|€|\$|euros?)(?!\w)"
)

_MANY: Final = 3

Names = Sequence[tuple[re.Pattern[str], frozenset[str]]]


@dataclass(slots=True)
class Said:
    """One sentence.

    Attributes:
        start, end: characters of the reply.
        text: folded; `bare`: the same without the names of products.
        named: products that it names itself, `names` where; of a name with several sizes those of a size that it says.
        about: products that it is about: its own, else those of what was said before (`before`).
        families: the names of the reply so far, each as the products that it may mean.
        listed: it stands in a list that is said to be the cart.
    """

    raw: str
    start: int
    end: int
    text: str
    bare: str
    names: Sequence[NameFound]
    named: frozenset[str]
    before: frozenset[str]
    families: Sequence[frozenset[str]]
    about: frozenset[str]
    figures: Sequence[Figure] = field(default_factory=list[Figure])
    money: frozenset[int] = frozenset()
    listed: bool = False

    @property
    def asks(self) -> bool:
        return self.text.rstrip(' *_"»)').endswith(("?", "؟"))

    def about_at(self, place: int) -> frozenset[str]:
        """What is spoken of at a place: before the first name, "its" may be of what was said before."""
        first = min((n.start for n in self.names), default=0)
        return self.about | self.before if place < first else self.about

    def is_open(self) -> bool:
        """Whether it asks, imagines, or says that something is not known."""
        return self.asks or says("unknown", self.text)


def read(
    reply: str, names: Names, sizes: Mapping[str, int | None], about: Iterable[str]
) -> list[Said]:
    """The sentences of a reply. `about`: what it is about before it names anything."""
    found: list[Said] = []
    first = frozenset(about)
    last: frozenset[str] = frozenset()
    families: list[frozenset[str]] = []
    listing = False
    for start, end in _spans(reply):
        raw = reply[start:end]
        text = fold(raw)
        here = names_in(text, names)
        bare = _without(text, here)
        stated = figures(bare)
        # A name that can mean only one product keeps it, whatever size is said of another.
        only = frozenset(i for n in here if len(n.ids) == 1 for i in n.ids)
        named = only | _of_size(frozenset(i for n in here for i in n.ids), stated, sizes)
        families += [n.ids & named or n.ids for n in here if not any(n.ids & f for f in families)]
        before = last or first
        # "The 50 ml" is another size of what is spoken of; "the first, the second" are several of it.
        other = frozenset[str]() if named else _sibling(before, stated, names, sizes)
        several = frozenset[str]()
        if says("each of them", bare):
            several = several.union(*families[-_MANY:])
        about_now = named or other or several or before
        # A list of what a product holds is not what is spoken of next.
        last = (here[0].ids & named if len(here) > _MANY else named) or other or last
        found.append(
            Said(
                raw,
                start,
                end,
                text,
                bare,
                here,
                named,
                before,
                tuple(families),
                about_now,
                stated,
                _money(bare, stated),
                listing and _is_line(raw, here),
            )
        )
        listing = _heads_cart(text) or (listing and _is_line(raw, here))
    return found


def _sibling(
    before: frozenset[str],
    stated: Sequence[Figure],
    names: Names,
    sizes: Mapping[str, int | None],
) -> frozenset[str]:
    """The products of a size that is said, among the sizes of those that are spoken of."""
    said = {f.value for f in stated if f.unit == "ml"}
    if not said:
        return frozenset()
    return frozenset(i for _, ids in names if ids & before for i in ids if sizes.get(i) in said)


def _heads_cart(text: str) -> bool:
    """Whether a sentence leads to a list of what the cart holds."""
    if not text.rstrip(" *_").endswith(":") or not says("cart", text) or not says("in_cart", text):
        return False
    return not any(says(kind, text) for kind in ("negation", "imagined", "taken_out", "offered"))


def _is_line(raw: str, names: Sequence[NameFound]) -> bool:
    return bool(names) or raw.lstrip().startswith(("-", "*", "•", "–"))


def _money(bare: str, stated: Sequence[Figure]) -> frozenset[int]:
    """Where the figures stand that are amounts of money."""
    starts = {f.start for f in stated if CURRENCY_AFTER.match(bare, f.end)}
    return frozenset(starts | {a.start for a in amounts(bare)})


def _spans(reply: str) -> Iterable[tuple[int, int]]:
    start = 0
    for match in _SENTENCE.finditer(reply):
        if reply[start : match.start()].strip():
            yield start, match.start()
        start = match.end()
    if reply[start:].strip():
        yield start, len(reply)


def _without(text: str, names: Sequence[NameFound]) -> str:
    """The text with spaces where names stand, so that places in it stay the same."""
    parts, place = list[str](), 0
    for name in names:
        parts += [text[place : name.start], " " * (name.end - name.start)]
        place = name.end
    return "".join([*parts, text[place:]])


def _of_size(
    ids: frozenset[str], stated: Sequence[Figure], sizes: Mapping[str, int | None]
) -> frozenset[str]:
    """Of the products those of a size that is said; all where none is, or where a product has only one."""
    said = {f.value for f in stated if f.unit == "ml"}
    if not said or len(ids) < 2:
        return ids
    return frozenset(i for i in ids if sizes.get(i) in said) or ids
