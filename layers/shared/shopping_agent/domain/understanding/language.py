"""The language of a message: script first, then the words that only one language has."""

import re
from collections.abc import Sequence
from typing import Final

from shopping_agent.domain.intent import LANGUAGES, Language
from shopping_agent.domain.morphology import is_arabic
from shopping_agent.domain.patterns import late
from shopping_agent.domain.understanding.foreign import is_foreign
from shopping_agent.domain.understanding.tokens import Token
from shopping_agent.domain.vocabulary import Vocabulary

# A digit that stands for a letter: 3 ع, 7 ح, 9 ق, 5 خ, 2 ء, 8 غ.
_ARABIZI: Final = re.compile(r"(?=.*[a-z])(?:.*[a-z][2357896]|[2357896][a-z]{2}).*")
_MOROCCAN_VERB: Final = late(r"(?:غ[نتيا]|ك[نتي](?![افبنز])).{2,}|(?:ما|م|[تني]).{2,}ش")
_FUNCTION_WORD: Final = 1.0
_OTHER_WORD: Final = 0.35
_SPELLING: Final = 1.2
_NEUTRAL: Final = frozenset({"unit", "currency"})  # "50 ml", "300 dh": written so in every language
_TELLING: Final = 0.3
_SHORT: Final = 3
_SURE: Final = 0.3  # by so much the language is ahead of the next one in its script
_HABIT: Final = 0.2
_HABIT_OF_SHORT: Final = 0.6


def detect(
    tokens: Sequence[Token],
    vocabulary: Vocabulary,
    locale: str | None = None,
    spoken: str | None = None,
) -> tuple[Language, bool]:
    """The language of a message without its product names, and whether it is sure.

    Args:
        locale: the page's language, which decides where the words do not.
        spoken: the language of the conversation: it comes before the page's, and short messages stay in it.
    """
    words = [t for t in tokens if t.kind == "word"]
    arabic = sum(is_arabic(t.folded) for t in words)
    scores = _scores(tokens, words, vocabulary)
    hints = [h for h in (_base(spoken), _base(locale)) if h]
    hinted: list[Language] = [c for h in hints for c in LANGUAGES if c == h]
    if is_foreign(tokens):
        return hinted[0] if hinted else "en", False
    if hinted and max(scores.values()) < _TELLING and not arabic:
        return hinted[0], True  # "50 ml", "2", a product's name: no language of its own
    script: tuple[Language, ...] = ("ar", "ary") if arabic * 2 >= len(words) > 0 else ()
    if not script:
        latin = max(scores[c] for c in ("en", "fr", "ary-latn"))
        script = ("en", "fr", "ary-latn") if not arabic or latin > arabic else ("ar", "ary")
    for weight, hint in ((_habit(spoken, words), _base(spoken)), (0.1, _base(locale))):
        for language in LANGUAGES:
            scores[language] += weight if language == hint else 0.0
    best = max(script, key=lambda c: scores[c])
    return best, all(scores[best] - scores[c] >= _SURE for c in script if c != best)


def _habit(spoken: str | None, words: Sequence[Token]) -> float:
    if spoken is None:
        return 0.0
    return _HABIT_OF_SHORT if len(words) <= _SHORT else _HABIT


def _scores(
    tokens: Sequence[Token], words: Sequence[Token], vocabulary: Vocabulary
) -> dict[Language, float]:
    scores = dict.fromkeys(LANGUAGES, 0.0)
    for match in vocabulary.find([(t.folded,) if t.kind != "sign" else () for t in tokens]):
        languages = match.sense.languages & set(LANGUAGES)
        if match.kind in _NEUTRAL:
            continue
        weight = (
            _FUNCTION_WORD if match.kind == "language" else _OTHER_WORD / max(1, len(languages))
        )
        for language in LANGUAGES:
            if language in languages:
                scores[language] += weight * (match.end - match.start)
    for token in words:
        if _ARABIZI.fullmatch(token.folded):
            scores["ary-latn"] += _SPELLING
        if not token.folded.isascii() and _MOROCCAN_VERB().fullmatch(token.folded):
            scores["ary"] += _SPELLING / 2
    return scores


def _base(locale: str | None) -> str:
    """`fr-MA` -> `fr`; our own tags stay."""
    tag = (locale or "").lower().replace("_", "-")
    return tag if tag in LANGUAGES else tag.split("-")[0]
