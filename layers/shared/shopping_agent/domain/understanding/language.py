"""The language of a message: script first, then the words that only one language has."""

import re
from collections.abc import Sequence
from typing import Final

from shopping_agent.domain.intent import LANGUAGES, Language
from shopping_agent.domain.morphology import is_arabic
from shopping_agent.domain.understanding.tokens import Token
from shopping_agent.domain.vocabulary import Vocabulary

# A digit that stands for a letter: 3 ع, 7 ح, 9 ق, 5 خ, 2 ء, 8 غ.
_ARABIZI: Final = re.compile(r"(?=.*[a-z])(?:.*[a-z][2357896]|[2357896][a-z]{2}).*")
_MOROCCAN_VERB: Final = re.compile(r"(?:غ[نتيا]|ك[نتي](?![افبنز])).{2,}|(?:ما|م|[تني]).{2,}ش")
_FUNCTION_WORD: Final = 1.0
_OTHER_WORD: Final = 0.35
_SPELLING: Final = 1.2


def detect(tokens: Sequence[Token], vocabulary: Vocabulary, locale: str | None = None) -> Language:
    """The language of a message without its product names; `locale` decides where the words do not."""
    words = [t for t in tokens if t.kind == "word"]
    arabic = sum(is_arabic(t.folded) for t in words)
    scores = dict.fromkeys(LANGUAGES, 0.0)
    for match in vocabulary.find([(t.folded,) if t.kind != "sign" else () for t in tokens]):
        languages = match.sense.languages & set(LANGUAGES)
        weight = (
            _FUNCTION_WORD if match.kind == "language" else _OTHER_WORD / max(1, len(languages))
        )
        for language in LANGUAGES:
            if language in languages:
                scores[language] += weight * (match.end - match.start)
    for token in words:
        if _ARABIZI.fullmatch(token.folded):
            scores["ary-latn"] += _SPELLING
        if _MOROCCAN_VERB.fullmatch(token.folded):
            scores["ary"] += _SPELLING / 2
    script: tuple[Language, ...] = ("ar", "ary") if arabic * 2 >= len(words) > 0 else ()
    if not script:
        latin = max(scores[c] for c in ("en", "fr", "ary-latn"))
        script = ("en", "fr", "ary-latn") if not arabic or latin > arabic else ("ar", "ary")
    hinted = [c for c in script if c == _base(locale)]
    return max(script, key=lambda c: scores[c] + (0.1 if c in hinted else 0.0))


def _base(locale: str | None) -> str:
    """`fr-MA` -> `fr`; our own tags stay."""
    tag = (locale or "").lower().replace("_", "-")
    return tag if tag in LANGUAGES else tag.split("-")[0]
