"""Whether a reply is in the shopper's language: told only where both are clear; Darija may be answered in Darija or French."""

import re
from collections.abc import Sequence
from typing import Final

from shopping_agent.application.context import TurnContext
from shopping_agent.domain.text import fold

_ENGLISH: Final = "the and is are you your it of to with for this that we have has can will from not but or be was would like which there here it's you're i'm what my"
_FRENCH: Final = "le la les des un une et est vous votre du en pour avec dans ce cette il elle nous je que qui pas sur au aux mais ou sont avez c'est ne vos nos son sa plus"
_WORDS: Final = {"en": frozenset(_ENGLISH.split()), "fr": frozenset(_FRENCH.split())}
_NAMES_LANGUAGES: Final = re.compile(
    r"\b(?:english|anglais|ingli\w+|french|francais\w*|fransa\w*|arabic|arabe|l?3arbi\w*|darija|translat\w*|tradui\w*|spanish|espagnol|language|langue)\b|(?:انجليزي|انكليزي|نجليزي|فرنسي|عربي|دارجه|ترجم|لغه)"
)
_WORD: Final = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_ARABIC: Final = re.compile(r"[\u0621-\u064a]")
_LATIN: Final = re.compile(r"[a-z]")
_LEAST_WORDS: Final = 4
_LEAST_LETTERS: Final = 16
_TIMES: Final = 3
_NAME: Final = {"en": "English", "fr": "French", "ar": "Arabic"}


def is_foreign(parts: Sequence[str], context: TurnContext) -> bool:
    """Whether a reply is in another language than the shopper writes.

    Args:
        parts: the folded sentences of the reply, without the names of products.
    """
    language, message = context.language, fold(context.query.text)
    if _NAMES_LANGUAGES.search(message):
        return False
    reply = " ".join(parts)
    arabic, latin = len(_ARABIC.findall(reply)), len(_LATIN.findall(reply))
    if language in ("en", "fr"):
        if arabic >= _LEAST_LETTERS and arabic > latin:
            return not _wrote_arabic(context)
        return _is_other_latin(language, reply, message, context)
    if latin < _LEAST_LETTERS or latin < _TIMES * arabic:
        return False
    english = _count("en", reply) >= _LEAST_WORDS > _count("fr", reply)
    if language == "ar":
        words = _count("en", reply) + _count("fr", reply)
        return bool(_ARABIC.search(message)) and words >= _LEAST_WORDS
    return english and not _count("en", message)


def _is_other_latin(language: str, reply: str, message: str, context: TurnContext) -> bool:
    other = "fr" if language == "en" else "en"
    mine, others = _count(language, reply), _count(other, reply)
    if others < _LEAST_WORDS or others <= _TIMES * mine:
        return False
    said = " ".join([message, *(fold(e.user) for e in context.conversation.exchanges)])
    return _count(language, message) > 0 and not _count(other, said)


def _wrote_arabic(context: TurnContext) -> bool:
    said = [context.query.text, *(e.user for e in context.conversation.exchanges)]
    return any(_ARABIC.search(text) for text in said)


def _count(language: str, text: str) -> int:
    return sum(word in _WORDS[language] for word in _WORD.findall(text))


def expected(context: TurnContext) -> str:
    """The language to answer in, for the model."""
    return f"the shopper writes {_NAME.get(context.language, 'Moroccan Darija')}; answer in it"
