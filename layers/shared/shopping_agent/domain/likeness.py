"""Words that are probably meant to be the same: one slip apart in how they sound, whatever the script and the vowels."""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import groupby, pairwise
from typing import Final, cast

from shopping_agent.domain.sounds import sound
from shopping_agent.domain.text import family_name, words

_SHORTEST: Final = 2
_SHORTEST_WITH_A_SLIP: Final = 4
_TELLING: Final = 4
_PREFIX: Final = "~"


@lru_cache(maxsize=8192)
def likenesses(word: str) -> tuple[str, ...]:
    """The sound of a folded word and, of a longer one, the sound without each of its consonants: `~slvn ~lvn ~svn ...`.

    Two words that share one are at most one consonant apart: one too few, one too many, another one, or two swapped
    (Garbe's symmetric deletions).
    """
    heard = sound(word)
    if len(heard) < _SHORTEST or heard.isdigit():
        return ()
    once = "".join(letter for letter, _ in groupby(heard))
    return tuple(f"{_PREFIX}{code}" for code in dict.fromkeys((heard, once, *_slips(heard))))


def _slips(heard: str) -> Iterator[str]:
    if len(heard) >= _SHORTEST_WITH_A_SLIP:
        yield from (heard[:at] + heard[at + 1 :] for at in range(len(heard)))


def alike(word: str, other: str) -> bool:
    """Whether two folded words are at most one consonant apart."""
    return word == other or not set(likenesses(word)).isdisjoint(likenesses(other))


def name_words(name: str) -> list[str]:
    """The folded words of a name, without its size."""
    return [word for word in words(family_name(name)) if not word.isdigit()]


def called(name: str, said: Sequence[str], unknown: Collection[str]) -> float:
    """How surely a name stands in a message but for slips: 1 in the order of its words, half in another, else 0.

    Args:
        said: all folded words of the message.
        unknown: those of them that the store's vocabulary does not know: only they may be slips.
    """
    own = name_words(name)
    if sum(len(sound(word)) for word in own) < _TELLING:
        return 0.0
    places = [_place(word, said, unknown) for word in own]
    if None in places or not own:
        return 0.0
    return 1.0 if all(b == a + 1 for a, b in pairwise(cast(list[int], places))) else 0.5


def _place(word: str, said: Sequence[str], unknown: Collection[str]) -> int | None:
    """Where a word of a name stands in a message, as it is or, failing that, with a slip."""
    if word in said:
        return said.index(word)
    found = (i for i, other in enumerate(said) if other in unknown and alike(word, other))
    return next(found, None)
