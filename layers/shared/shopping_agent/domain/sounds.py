"""How a name sounds: its consonants in one alphabet, the same whatever the script and the vowels that it is written with."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from shopping_agent.domain.morphology import is_arabic, skeleton
from shopping_agent.domain.patterns import late
from shopping_agent.domain.text import family_name, words

PARTICLES: Final = frozenset(
    (
        "de",
        "d",
        "du",
        "la",
        "le",
        "l",
        "el",
        "al",
        "des",
        "the",
        "of",
        "دو",
        "دي",
        "لا",
        "لو",
        "ديال",
    )
)
SHORTEST: Final = 4
"""Consonants below which a sound tells nothing."""
_MARK: Final = "~"
_LONGEST_RUN: Final = 4
_MOST: Final = 120
_VOWELS: Final = late("[aeiouyاويى]+")
_SOFT_C: Final = late(r"c(?=[eiy])")
# Sounds that one script does not tell apart, or that are written as a vowel.
_SAME: Final = str.maketrans({"3": "", "w": "", "G": "g", "q": "k", "X": "k", "z": "s"})


@lru_cache(maxsize=8192)
def sound(word: str) -> str:
    """The consonants of a folded word: `rose`, `روز` -> `rs`; empty for a particle."""
    bare = word.rstrip("'")
    if bare in PARTICLES:
        return ""
    letters = bare.removeprefix("ال") if is_arabic(bare) else _SOFT_C().sub("s", bare)
    # A consonant written twice counts once, one that comes again behind a vowel twice: `harir` -> `hrr`.
    return "".join(map(skeleton, _VOWELS().split(letters))).translate(_SAME)


def sound_of(spoken: Iterable[str]) -> str:
    """The sound of several folded words."""
    return "".join(map(sound, spoken))


def is_sound_key(key: str) -> bool:
    """Whether a name key is one of these."""
    return key.startswith(_MARK)


def sound_key(name: str) -> str | None:
    """The key under which a name, without its size, is looked up by its sound; None where that tells too little."""
    heard = sound_of(words(family_name(name)))
    return f"{_MARK}{heard}" if len(heard) >= SHORTEST else None


def sound_keys(text: str) -> list[str]:
    """The sound keys of every run of a few words of a message, without repeats."""
    return list(dict.fromkeys(_runs(text)))[:_MOST]


def _runs(text: str) -> Iterator[str]:
    heard = [s for word in words(text) if not word.isdigit() and (s := sound(word))]
    for start in range(len(heard)):
        for end in range(start + 1, min(start + _LONGEST_RUN, len(heard)) + 1):
            run = "".join(heard[start:end])
            if len(run) >= SHORTEST:
                yield f"{_MARK}{run}"
