"""Sentences of a product's or guide's text that talk to a language model instead of a shopper.

A net, not the wall: what follows from such a sentence is refused in code wherever it comes from. But a store's text may be
quoted as it stands, and nobody wants to read `ignore your instructions` there.
"""

import re
from functools import cache
from itertools import pairwise
from typing import Final

from shopping_agent.domain.text import fold

_SENTENCE: Final = re.compile(r"(?<=[.!?؟۔])\s+|(?<=\n)")
_IGNORE: Final = (
    r"ignor\w*|disregard\w*|forget|overrid\w*|bypass\w*|oubli\w+|contourn\w+|ne tien\w+ (?:pas )?compte"
    r"|تجاهل\w*|انس|انسي|اهمل\w*|تخط\w*|نسا|نساي|nsa|nsay|tjahel\w*|tjahl\w*"
)
_RULES: Final = (
    r"instructions?|rules|prompts?|guidelines|system message|consignes?|regles|directives?"
    r"|(?:ال|لل|ل)?(?:تعليمات|قواعد|اوامر|توجيهات|ليزانستركسيون)\w*|l?ta3limat\w*|l?qawa3id\w*|l?9awa3id\w*"
)
# Whose rules: those of a label or a box are not a model's.
_OURS: Final = (
    r"all|any|previous|prior|above|earlier|preceding|system|your|these|other|toute?s?|tes|vos|tous|precedente?s?"
    r"|anterieure?s?|ci-dessus|systeme|السابق\w*|كل|جميع|اعلاه|كاملين|قبل|لي فات\w*|koll|kolchi|9bel|li fat\w*|dyalk"
)
_MODEL: Final = r"ai|a\.i\.|llm|language model|assistant|chatbot|bot|gpt|ia|agent|modele|المساعد|النموذج|الروبوت|البوت"
_TALKS_TO_MODELS: Final = (
    # Tools by name, turns and tokens of a model's template.
    r"\b(?:add|update|remove|clear|get|search|compare|recommend|contact)_[a-z]+(?:_[a-z]+)*\b"
    r"|<\s*/?\s*(?:\||data\b|system\b|assistant\b|instructions?\b|im_(?:start|end)\b)|<\||\|>|\[/?(?:inst|sys|system)\]"
    r"|^\W*(?:system|assistant|developer|systeme|النظام|المساعد)\s*(?:prompt|message)?\s*[:：>]"
    r"|^\s*#{1,6}\s*(?:system|instructions?|response|assistant)\s*:?\s*$|#{2,6}\s*(?:system|instruction)\b"
    rf"|\b(?:note|message|attention|instructions?|important) (?:to|for|pour|a l'?) ?(?:the |any |all |l'|le |les )?(?:{_MODEL})s?\b"
    rf"|(?<!\w)(?:dear|hey|cher|hello|ايها|يا) (?:the )?(?:ai |shopping )?(?:{_MODEL})(?!\w)"
    r"|\bsystem prompt\b|\bprompt systeme\b|\bjailbreak\w*|\bdeveloper mode\b|\bmode developpeur\b"
    r"|\byou are (?:now|no longer) (?:an? |the |in |my )?(?:\w+ )?(?:ai|assistant|model|bot|dan|admin|root|mode|unrestricted|jailbroken)\b"
    r"|\bfrom now on,? you (?:are|must|will|act)\b|\btu es (?:maintenant|desormais)\b"
    # "Ignore all previous instructions", in either order of its parts.
    rf"|(?<!\w)(?:{_IGNORE})(?!\w)(?=[^.\n]{{0,60}}(?<!\w)(?:{_OURS})(?!\w))[^.\n]{{0,40}}?(?<!\w)(?:{_RULES})(?!\w)"
)
_HIDDEN: Final = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE
)


def talks_to_models(text: str) -> bool:
    """Whether a sentence is meant for a language model."""
    return bool(_pattern().search(fold(text)))


@cache
def _pattern() -> re.Pattern[str]:
    """Compiled when a text is first read: a cold start rarely does."""
    return re.compile(_TALKS_TO_MODELS, re.MULTILINE)


def for_shoppers(text: str) -> str:
    """A store's text without what a reader would not see, and without sentences that are meant for a model."""
    text = _HIDDEN.sub("", text) if "<" in text else text
    if not talks_to_models(text):
        return text
    return "".join(s for s in _pieces(text) if not talks_to_models(s)).strip()


def _pieces(text: str) -> list[str]:
    """The sentences with the space behind each."""
    cuts = [0, *(m.end() for m in _SENTENCE.finditer(text)), len(text)]
    return [text[a:b] for a, b in pairwise(cuts) if a < b]
