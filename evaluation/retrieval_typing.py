"""Slips of fingers and of spelling, as shoppers make them."""

import random
from collections.abc import Callable
from typing import Final

_VOWELS: Final = "aeiouy"
_NEAR: Final = {"k": "q", "q": "k", "c": "k", "s": "z", "z": "s", "t": "d", "d": "t", "b": "p"}
_NEAR_ARABIC: Final = {"ة": "ه", "أ": "ا", "ص": "س", "ط": "ت", "ق": "ك", "ذ": "د", "ض": "د"}
_SHORTEST: Final = 4


def misspelt(name: str, draw: random.Random) -> str:
    """A name with one slip in one of its longer words."""
    words = name.split(" ")
    long = [i for i, word in enumerate(words) if len(word) >= _SHORTEST]
    if not long:
        return name
    place = draw.choice(long)
    words[place] = draw.choice(_SLIPS)(words[place], draw)
    return " ".join(words)


def _missing(word: str, draw: random.Random) -> str:
    at = draw.randrange(1, len(word))
    return word[:at] + word[at + 1 :]


def _doubled(word: str, draw: random.Random) -> str:
    at = draw.randrange(1, len(word))
    return word[:at] + word[at] + word[at:]


def _swapped(word: str, draw: random.Random) -> str:
    at = draw.randrange(1, len(word) - 1)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _another_vowel(word: str, draw: random.Random) -> str:
    places = [i for i, letter in enumerate(word) if letter in _VOWELS]
    return _replaced(word, places, lambda _: draw.choice(_VOWELS), draw)


def _sounds_alike(word: str, draw: random.Random) -> str:
    near = {**_NEAR, **_NEAR_ARABIC}
    places = [i for i, letter in enumerate(word) if letter in near]
    return _replaced(word, places, lambda letter: near[letter], draw)


def _replaced(word: str, places: list[int], by: Callable[[str], str], draw: random.Random) -> str:
    if not places:
        return _missing(word, draw)
    at = draw.choice(places)
    return word[:at] + by(word[at]) + word[at + 1 :]


_SLIPS: Final = (_missing, _doubled, _swapped, _another_vowel, _sounds_alike)
