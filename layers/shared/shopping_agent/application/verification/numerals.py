"""Numbers in folded text, in digits or in words of the five language codes."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from shopping_agent.domain.values import frozen

_ONES: Final = (
    "zero sifr",
    "one un une single واحد واحده واحدا وحده wa7ed wahed wa7d wa7da wahda we7da we7ed",
    "two deux اثنان اثنين اثنتان اثنتين جوج زوج بجوج jouj juj zouj jooj bjouj",
    "three trois ثلاث ثلاثه تلاته تلت تلاتا tlata tlat",
    "four quatre اربع اربعه ربعه ربع reb3a rb3a arb3a rba3",
    "five cinq خمس خمسه khamsa khemsa khmsa",
    "six ست سته setta sta stta",
    "seven sept سبع سبعه seb3a sb3a",
    "eight huit ثمان ثماني ثمانيه تمنيه تمن tmnya tmenya tmanya",
    "nine neuf تسع تسعه تسعود ts3a tes3a tes3oud ts3oud",
    "ten dix عشر عشره 3achra 3chra 3echra",
    "eleven onze حداش 7dach hdach",
    "twelve douze طناش tnach tnash",
    "thirteen treize تلطاش tlttach tletach",
    "fourteen quatorze ربعطاش rb3tach",
    "fifteen quinze خمسطاش khmstach khemstach",
    "sixteen seize ستاش settach",
    "seventeen سبعطاش sb3tach",
    "eighteen تمنطاش tmntach",
    "nineteen تسعطاش ts3tach",
)
_TENS: Final = {
    20: "twenty vingt vingts عشرون عشرين 3chrin 3achrin 3echrin",
    30: "thirty trente ثلاثون ثلاثين تلاتين tlatin",
    40: "forty quarante اربعون اربعين ربعين reb3in rb3in",
    50: "fifty cinquante خمسون خمسين khamsin khemsin khmsin",
    60: "sixty soixante ستون ستين settin stin",
    70: "seventy سبعون سبعين seb3in sb3in",
    80: "eighty ثمانون ثمانين تمانين tmanin",
    90: "ninety تسعون تسعين ts3in tes3in",
    100: "hundred cent cents ميه مايه mya miya meyya",
    200: "ميتان ميتين مايتان مايتين myatayn mytin miyatayn mitin",
    300: "ثلاثميه ثلاثمايه تلتميه تلتمايه تلاتميه",
    400: "اربعميه اربعمايه ربعميه ربعمايه",
    500: "خمسميه خمسمايه",
    600: "ستميه ستمايه",
    700: "سبعميه سبعمايه",
    800: "ثمانميه ثمانمايه تمنميه ثمانيميه",
    900: "تسعميه تسعمايه",
    1000: "thousand mille الف الاف alf alaf",
    2000: "الفان الفين alfayn alfin",
}
_HUNDREDS: Final = re.compile(
    r"(tlt|tlat|rb3|reb3|arb3|khms|khems|st|set|sb3|seb3|tmn|tmen|ts3|tes3)e?m[iy]+a(?:t|te)?"
)
_OF_HUNDREDS: Final = {"t": 3, "r": 4, "a": 4, "k": 5, "s": 6}
_JOINS: Final = frozenset(("and", "et", "و", "w", "ou", "o"))
_NOT_NUMBERS: Final = frozenset(
    (
        "الوحده",
        "الواحده",
        "lwe7da",
        "lwa7da",
        "lwehda",
        "بالميه",
        "بالمايه",
        "فالميه",
        "فالمايه",
        "flmya",
    )
)
_LONGEST_WORD: Final = 24
_PREFIXES: Final = "وبفلك"
_TOKEN: Final = re.compile(r"[^\W\d_]+(?:[^\W_]*[^\W\d_])?|(?<!\d)\d+[^\W\d_][^\W_]*|[-'.,;:!?،؛]")


@frozen
class Numeral:
    """A number said in words. `start`, `end`: characters, half open."""

    value: int
    start: int
    end: int


@cache
def _values() -> dict[str, int]:
    table = {word: value for value, row in enumerate(_ONES) for word in row.split()}
    return table | {word: value for value, row in _TENS.items() for word in row.split()}


def value_of(word: str) -> int | None:
    """The value of one folded word, with what Arabic writes before it taken off."""
    values = _values()
    if len(word) > _LONGEST_WORD or word in _NOT_NUMBERS:
        return None
    if (known := values.get(word)) is not None:
        return known
    if word.isascii():
        return _latin(word)
    while (word and word[0] in _PREFIXES) or word.startswith("ال"):
        word = word[2:] if word.startswith("ال") else word[1:]
        if (known := values.get(word)) is not None:
            return known
    stem = word.removesuffix("ا")
    return values.get(stem) if stem != word else None


def _latin(word: str) -> int | None:
    if "m" in word and (match := _HUNDREDS.fullmatch(word)):
        head = match[1]
        special = {"sb": 7, "se": 7 if head == "seb3" else 6, "tm": 8, "ts": 9, "te": 9}
        return 100 * (special.get(head[:2]) or _OF_HUNDREDS[head[0]])
    if word[:1] in "bl" and len(word) > 3:
        return _values().get(word[1:])
    return None


def numerals(folded: str) -> list[Numeral]:
    """The numbers said in words, longest runs: "two hundred and forty" is one."""
    return list(_runs(folded))


def _runs(folded: str) -> Iterator[Numeral]:
    total, part, start, end, joined = 0, 0, -1, 0, False
    last = 0
    for match in _TOKEN.finditer(folded):
        word = match[0]
        value = value_of(word)
        if value is None:
            if start >= 0 and (word in _JOINS or word == "-") and not joined:
                joined = True
                continue
            if start >= 0:
                yield Numeral(total + part, start, end)
            total, part, start, joined, last = 0, 0, -1, False, 0
            continue
        if start >= 0 and not _goes_on(part, last, value):
            yield Numeral(total + part, start, end)
            total, part, start = 0, 0, -1
        start = match.start() if start < 0 else start
        total, part = _with(total, part, value)
        last, end, joined = value, match.end(), False
    if start >= 0:
        yield Numeral(total + part, start, end)


def _goes_on(part: int, last: int, value: int) -> bool:
    """Whether a word goes on with the number before it: "two" "hundred", not "two" "three"."""
    if value in (100, 1000):
        return part < value or last >= 1000
    if value == 20 and last == 4:
        return True
    small = last < 10 and value == 10 and last > 0
    teens = last in (10, 60, 80) and value < 20
    of_tens = last >= 20 and value < min(last, 100) and value > 0
    reversed_tens = 0 < last < 10 and value in range(20, 100, 10)
    return small or teens or of_tens or reversed_tens or (last >= 100 and 0 < value < last)


def _with(total: int, part: int, value: int) -> tuple[int, int]:
    if value == 1000:
        return total + (part or 1) * 1000, 0
    if value == 100:
        return total, part - part % 100 + (part % 100 or 1) * 100 if part < 100 else part + 100
    if value == 20 and part % 100 == 4:
        return total, part - 4 + 80
    return total, part + value
