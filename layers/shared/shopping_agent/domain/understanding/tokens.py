"""A message as tokens that know where they stand: words, numbers, signs, folded for comparison."""

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Final, Literal

from shopping_agent.domain.morphology import negated_verb
from shopping_agent.domain.patterns import late
from shopping_agent.domain.text import fold
from shopping_agent.domain.values import frozen

TokenKind = Literal["word", "number", "sign"]

# Longer messages are cut: the wire allows 2,000 characters.
LONGEST: Final = 4000
_NUMBER: Final = r"\d{1,3}(?:[.,']\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d+(?:[.,]\d{1,3})?"
_TOKEN: Final = re.compile(
    rf"(?P<times>[x×])(?=\d)|(?P<number>{_NUMBER})|(?P<word>[^\W_]+)"
    r"|(?P<emoji>[\u2600-\u27bf\U0001f300-\U0001faff])|(?P<sign>[^\s'])"
)
# What may be glued to a number: 800dh, 50ml, 3rd, 2eme, 250ish, 35ans, 5h, 4x. Anything else with a digit
# is a word in Arabizi (3ndi, 7aja, 9al, 2ana).
_GLUED: Final = late(
    r"(?P<number>\d+(?:[.,]\d+)?)"
    r"(?P<rest>dhs?|dhm|mad|dirhams?|drhe?m|derhe?m|ryal|euros?|eur|ml|cl|ans?|yo|hrs?|h|x|k|ish|min|"
    r"st|nd|rd|th|er|ere|re|eme|ieme|em|e|g|km|j|mn|pcs?|cents?|درهم|مل|ريال|سنه)"
)
# ل450, و500, no5, b200: a particle written onto a number.
_LETTERS_THEN_DIGITS: Final = re.compile(r"(x|no|n|dh|mad|[\u0621-\u064a]+)(\d+)|([bwlfd])(\d{2,})")
_SILENT: Final = frozenset({"-", "\u2010", "\u2011"})


@frozen
class Token:
    """One token.

    Attributes:
        start, end: characters of the message, half open.
        folded: for comparison: lower case, no accents, one form of each Arabic letter, digits 0-9.
        value: of a number.
        negated: a one-word Moroccan negation (`matzidch`).
        clause: index of the clause it stands in.
    """

    start: int
    end: int
    folded: str
    kind: TokenKind = "word"
    value: Decimal | None = None
    negated: bool = False
    clause: int = 0


def tokenize(text: str) -> list[Token]:
    """The tokens of a message, in order. Apostrophes and hyphens inside words separate them silently."""
    folded, origin = _folded_with_offsets(text[:LONGEST])
    tokens: list[Token] = []
    position = 0
    while found := _TOKEN.search(folded, position):
        start, end = found.span()
        what = found.lastgroup
        if what == "number" and end < len(folded) and folded[end].isalpha():
            start, end = _glued(folded, start, tokens, origin)
        elif what == "number":
            tokens.append(_number(found.group(), origin[start], origin[end]))
        elif what == "word":
            end = _split_word(folded, start, end, tokens, origin)
        elif not _is_joint(folded, start, end):
            kind: TokenKind = "sign" if what == "sign" else "word"
            sign = "x" if what == "times" else found.group()
            tokens.append(Token(origin[start], origin[end], sign, kind))
        position = end
    return tokens


def read_number(written: str) -> Decimal:
    """The value of a number as written: `1,200.50`, `1.200`, `349,90` (see the price rules of the feeds)."""
    plain = written.replace("'", "")
    last = max(plain.rfind("."), plain.rfind(","))
    if last < 0:
        return Decimal(plain)
    both = "." in plain and "," in plain
    groups_only = not both and len(plain) - last == 4
    if groups_only or plain.count(plain[last]) > 1:
        return Decimal(plain.replace(".", "").replace(",", ""))
    whole = plain[:last].replace(".", "").replace(",", "")
    return Decimal(f"{whole}.{plain[last + 1 :]}")


def _number(written: str, start: int, end: int) -> Token:
    return Token(start, end, written, "number", read_number(written))


def _glued(folded: str, start: int, tokens: list[Token], origin: Sequence[int]) -> tuple[int, int]:
    """A run that begins with digits and goes on with letters: number and unit, or an Arabizi word."""
    run = re.compile(r"[^\W_]+(?:[.,]\d+[^\W_]*)?").match(folded, start)
    end = run.end() if run else start + 1
    written = folded[start:end]
    unit = _GLUED().fullmatch(written)
    if unit is None:
        word = re.compile(r"[^\W_]+").match(folded, start)
        end = word.end() if word else start + 1
        return start, _split_word(folded, start, end, tokens, origin)
    if unit["rest"] in {"st", "nd", "rd", "th", "er", "ere", "re", "eme", "ieme", "em", "e"}:
        tokens.append(Token(origin[start], origin[end], written))
        return start, end
    middle = start + len(unit["number"])
    tokens.append(_number(unit["number"], origin[start], origin[middle]))
    tokens.append(Token(origin[middle], origin[end], unit["rest"]))
    return start, end


def _split_word(
    folded: str, start: int, end: int, tokens: list[Token], origin: Sequence[int]
) -> int:
    word = folded[start:end]
    glued = _LETTERS_THEN_DIGITS.fullmatch(word)
    if glued:
        letters, digits = (glued[1], glued[2]) if glued[1] else (glued[3], glued[4])
        middle = start + len(letters)
        tokens.append(Token(origin[start], origin[middle], letters))
        tokens.append(_number(digits, origin[middle], origin[end]))
        return end
    negated = negated_verb(word) is not None
    tokens.append(Token(origin[start], origin[end], word, negated=negated))
    return end


def _is_joint(folded: str, start: int, end: int) -> bool:
    """A hyphen between two letters joins words; elsewhere it is a sign (`300-500`, `-20%`)."""
    if folded[start:end] == "°":
        return True
    inside = 0 < start < end < len(folded)
    return (
        folded[start:end] in _SILENT
        and inside
        and folded[start - 1].isalnum()
        and folded[end].isalpha()
    )


def _folded_with_offsets(text: str) -> tuple[str, Sequence[int]]:
    """The folded text and, for each of its characters and its end, the character it came from."""
    if text.isascii():
        return text.lower(), range(len(text) + 1)
    pieces: list[str] = []
    origin: list[int] = []
    for index, character in enumerate(text):
        piece = _fold_character(character)
        pieces.append(piece)
        origin += [index] * len(piece)
    origin.append(len(text))
    return "".join(pieces), origin


@lru_cache(maxsize=2048)
def _fold_character(character: str) -> str:
    return character.lower() if character.isascii() else fold(character)
