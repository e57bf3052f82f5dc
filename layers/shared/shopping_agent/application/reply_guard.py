"""The last look at a model's text before it may be an answer: no markup, nothing of ours, no loose end, no announcement.

Adapters take their provider's markup off; this is the net below them, the same for every provider.
"""

import base64
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from shopping_agent.domain.conversation import ToolSpec
from shopping_agent.domain.markup import inert
from shopping_agent.domain.text import fold, words
from shopping_agent.domain.visible import visible_reply

# Calls, reasoning, control tokens and our own fences, as models write them into their text.
_MARKUP: Final = re.compile(
    r"<\s*/?\s*(?:function|tool_?calls?|tool_?response|xai:|think|thinking|reasoning|data\b|\|)"
    r"|\[/?(?:tool_calls?|inst|think)\]"
    r"|\bmalformed function call\b"
    r"|\b(?:default_api|functions)\s*[.:]\s*\w"
    r"|\b[a-z]+(?:_[a-z]+)+\s*[({]"
    r"|```\s*(?:tool_code|tool_call|json|python)\b"
    r"|^\s*[\[{]\s*[\"{]"
    # Names of tools, keys of our data, keys of providers.
    r"|\b(?:add|update|remove|clear|get|search|compare|recommend|contact)_[a-z]+(?:_[a-z]+)*\b"
    r"|(?-i:\b(?:productIds?|inStock|sizeMl|compareAtPrice|variantOf|cartTotal|unitPrice|lineTotal|m(?:ax|in)Price|excludeNotes)\b)"
    r"|\"(?:id|name|price|brand|stock|currency|items|total|quantity|cart|products|passages)\"\s*:"
    r"|\b(?:sk|gsk|xai)-?[-_][a-z0-9_-]{20,}|\bAIza[\w-]{30,}|\beyJ[\w-]{10,}\.[\w-]{10,}",
    re.IGNORECASE,
)
# Letters in a row that no honest answer shares with our prompts, and short runs of words of which a few are chance.
_WINDOW: Final = 48
_STRIDE: Final = 12
_RUN: Final = 4
_MOST_RUNS: Final = 8
_ENCODED: Final = re.compile(r"[A-Za-z0-9+/_-]{40,}={0,2}")
# Marks of direction stay before a word of a text that has Arabic; joiners stay between signs, where emoji need them.
_ARABIC: Final = re.compile(r"[\u0621-\u064a]")
_TURNING: Final = re.compile(r"[\u061c\u2066-\u2069\u00ad\u034f]+")
_MARK_WITHIN: Final = re.compile(
    r"(?<=[0-9A-Za-z.,])[\u200e\u200f]+(?=[0-9A-Za-z.,])|(?<=[\u0621-\u0669])[\u200e\u200f]+(?=[\u0621-\u0669])"
    r"|(?<=[\u200e\u200f])[\u200e\u200f]+"
)
_MARK: Final = re.compile(r"[\u200e\u200f]+")
_JOINER_BY_WORD: Final = re.compile(r"(?<=\w)[\u200c\u200d]+|[\u200c\u200d]+(?=\w)")
_SENTENCE_END: Final = re.compile(r"[.!?؟…](?:\s?»|[\"'”)\]])*(?=\s|$)|\n")
_LEADS_ON: Final = re.compile(r".*[:：,،]\s*|[\W_]*\d{0,2}[\W_]*")
_SENTENCES: Final = re.compile(r"(?<=[.!?؟…])\s+|\n+")

# --- announcements, in folded text ----------------------------------------------------------------

_LONGEST_ANNOUNCEMENT: Final = 25
_OPENER: Final = (
    r"(?:(?:sure|of course|ok(?:ay)?|alright|all right|great|certainly|absolutely|got it|no problem|perfect"
    r"|bien sur|d'accord|tres bien|parfait|certainement|avec plaisir|entendu|pas de probleme"
    r"|حسنا|بالتاكيد|بالطبع|طبعا|بكل سرور|تمام|واخا|مزيان|صافي|اكيد"
    r"|wakha|waxa|safi|mzyan|iyeh|akid)[\s,،!.:…-]*)*"
)
_LOOK: Final = (
    # English
    r"(?:(?:let me|allow me to|i'll|i will|i'm going to|i am going to|i(?:'m| am) (?:now )?(?:going to )?)\s*"
    r"(?:just |quickly |now |first |go ahead and |have to )*"
    r"(?:check|look|search|find|see|verify|fetch|retrieve|gather|consult|compare|pull|take a look|have a look)(?:ing)?\b"
    r"|(?:(?:just )?(?:one|a) (?:moment|second|minute)|hold on|please wait)_PAUSE|give me a (?:moment|second|minute)"
    r"|(?:checking|searching|looking (?:into|for|at|it|that|this))\b[^,]{0,30}$"
    # French
    r"|(?:je (?:vais )?|laissez-moi |permettez-moi de )(?:vous |le |la |les |d'abord |tout de suite |maintenant )*"
    r"(?:verifier?|regarder?|chercher?|rechercher?|consulter?|comparer?|m'en occupe)\b|je vais vous trouver\b"
    r"|(?:un (?:instant|petit instant|moment)|une (?:seconde|minute)|(?:veuillez )?patient(?:ez|er))_PAUSE"
    # Arabic and Darija
    r"|(?:س|سوف |دعني |دعيني |اسمح لي ان )(?:ات(?:حقق|اكد|فقد)|ابحث|اري|انظر|اطلع|اراجع|اقارن)"
    r"|(?:جاري?|يتم) (?:البحث|التحقق)|(?:لحظه|دقيقه|انتظر)_PAUSE"
    r"|(?:غادي |غاد |غا|غ|خليني |دابا )ن(?:شوف|قلب|تاكد|تحقق|قارن)|بلاتي|تسن[اي]|صبر شويه|واحد (?:ال)?(?:دقيقه|لحظه)"
    r"|(?:rah )?(?:gh?adi|ghady|gha|gh|khallini|khelini|daba)\s?n(?:ch?o?u?f|shouf|9e?l+e?b|qe?l+e?b|te?2e?k+e?d|t7e?9+e?9)"
    r"|(?:blati|tsenna|sber chwiya|wa7e?d (?:l|d)?(?:d9i9a|la7da|l7da))_PAUSE)"
).replace("_PAUSE", r"(?=\W*$|\s*[,،.!…-]|\s+(?:s'il|svp|please|while|i'll|let|je|من فضلك|3afak))")
_DO: Final = (
    r"(?:(?:let me|i'll|i will|i'm going to|i am going to|i(?:'m| am) (?:now )?)\s*(?:just |quickly |now |go ahead and )*"
    r"(?:add|put|remove|update|place|do that|take care)(?:ing)?\b"
    r"|(?:je (?:vais )?|j')(?:vous |le |la |les |l'|tout de suite |maintenant )*"
    r"(?:ajouter?|retirer?|mets|mettre|supprimer?)\b"
    r"|(?:س|سوف )(?:اضيف|اقوم|احذف|اضع)"
    r"|(?:غادي |غاد |غا|غ)ن(?:زيد|ضيف|حيد|دير)"
    r"|(?:gh?adi|ghady|gha|gh)\s?n(?:zi[dt]|7e?y+e?d|dir))"
)
# The shopper has to do something first: that is a condition, not an announcement.
_LATER: Final = re.compile(
    r"\b(?:once|when|after|unless|as soon as|until)\b|\b(?:une fois|quand|lorsque|des que|apres|avant)\b"
    r"|(?<!\w)(?:عندما|حين|حالما|بعد|ملي|منين)(?!\w)|\b(?:mli|melli|mnin|fach)\b"
)
_IF: Final = re.compile(r"\bif\b|\bsi\b|(?<!\w)(?:اذا|لو|ان|الا|يلا)(?!\w)|\b(?:ila|ida)\b")
_ANNOUNCES: Final = re.compile(rf"{_OPENER}(?:(?P<look>{_LOOK})|(?P<do>{_DO}))")
_ONLY_OPENER: Final = re.compile(rf"{_OPENER}\W*")
# A figure (single digits stand for letters inside words of Latin-script Darija), a question, or what a colon leads to.
_TELLS: Final = re.compile(r"\d\d|(?<!\w)\d(?!\w)|[?؟]|[:–—]\s*\w")


def shown_text(text: str, *, cut_off: bool) -> str:
    """A text that a shopper may see; "" when there is none.

    Args:
        cut_off: the model ran out of tokens: what follows its last whole sentence is left out.
    """
    text = _settled(inert(visible_reply(text))).strip()
    if cut_off:
        text = _whole_sentences(text)
    return "" if _MARKUP.search(text) else text


def _settled(text: str) -> str:
    """The text without characters that turn its direction or hide in its words; a figure stays the figure that is checked."""
    if text.isascii():
        return text
    text = _JOINER_BY_WORD.sub("", _TURNING.sub("", text))
    return (_MARK_WITHIN if _ARABIC.search(text) else _MARK).sub("", text)


def reveals(text: str, system: str, specs: Sequence[ToolSpec] = ()) -> bool:
    """Whether a text repeats a larger part of what we told the model: as it stands, spaced out, reversed or encoded."""
    ours = (system, *(spec.description for spec in specs))
    windows = [window for source in ours for window in _windows(source)]
    for said in _ways_to_read(text):
        if any(window in said for window in windows):
            return True
    runs = _runs(text)
    return sum(len(_runs_of(source) & runs) for source in ours) >= _MOST_RUNS


def _ways_to_read(text: str) -> Iterator[str]:
    said = "".join(words(text))
    yield said
    yield said[::-1]
    for found in _ENCODED.findall(text):
        try:
            raw = base64.b64decode(
                found.rstrip("=") + "=" * (-len(found.rstrip("=")) % 4), altchars="-_"
            )
        except ValueError:
            continue
        yield "".join(words(raw.decode("utf-8", "ignore")))


@lru_cache(maxsize=64)
def _windows(source: str) -> tuple[str, ...]:
    letters = "".join(words(source))
    return tuple(letters[i : i + _WINDOW] for i in range(0, len(letters) - _WINDOW + 1, _STRIDE))


@lru_cache(maxsize=64)
def _runs_of(source: str) -> frozenset[tuple[str, ...]]:
    return _runs(source)


def _runs(text: str) -> frozenset[tuple[str, ...]]:
    said = words(text)
    return frozenset(tuple(said[i : i + _RUN]) for i in range(len(said) - _RUN + 1))


def _whole_sentences(text: str) -> str:
    """The text up to the end of its last whole sentence or line, without a last line that only leads to more."""
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    lines = text[: ends[-1]].strip().split("\n") if ends else []
    while lines and _LEADS_ON.fullmatch(lines[-1]):
        lines.pop()
    return "\n".join(lines).strip()


def announces(text: str) -> bool:
    """Whether a short text only says what the model is about to do: every sentence of it, and no fact beside.

    A question, a figure or a condition for the shopper makes it an answer.
    """
    folded = fold(text).strip()
    if not folded or len(folded.split()) > _LONGEST_ANNOUNCEMENT or _TELLS.search(folded):
        return False
    kinds = [_announced(sentence) for sentence in _SENTENCES.split(folded) if sentence.strip()]
    return None not in kinds and any(kinds)


def _announced(sentence: str) -> bool | None:
    """True for an announcement, False for a mere "sure!", None for anything that tells something."""
    if _ONLY_OPENER.fullmatch(sentence):
        return False
    match = _ANNOUNCES.match(sentence)
    if match is None or _LATER.search(sentence):
        return None
    return None if match["do"] and _IF.search(sentence) else True
