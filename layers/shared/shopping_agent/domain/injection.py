"""What a store's text may tell shoppers: no sentence that talks to a language model, and of products no price or contact.

A net, not the wall: what follows from such a sentence is refused in code wherever it comes from. But a store's text may be
quoted as it stands, and nobody wants to read `ignore your instructions` there.
"""

import re
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Final

from shopping_agent.domain.contact_details import find_details
from shopping_agent.domain.markup import inert
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
    # What to do or say to the shopper, who is spoken of, not to; whose price to set.
    r"|\b(?:tell|inform|direct|send|show|ask|convince|urge) (?:the |every |all |any |each )?(?:shopper|customer|user|client|buyer)s?\b"
    r"|\b(?:indique|dis|dites|demande|envoie|montre|rappelle)[rz]? (?:aux? |a la |a chaque )(?:client|acheteu|utilisateu|visiteu)\w*"
    r"|(?<!\w)(?:اخبر|قل|قولي?|اطلب|وجه|صيفط) ?(?:من |ل)?(?:ال|لل|ل)(?:زبون|عميل|زبناء|كليان|مستخدم|مشتري)\w*"
    r"|\b(?:goul|gouli|9oul|9ol|werri|sifet) (?:l |l-)?(?:client|clian|klian|kliyan)\w*"
    r"|\bsay (?:so|that|the pri)|\brepond(?:s|ez|re) que\b|(?<!\w)(?:وقل|قل) ان(?!\w)|(?<!\w)و?قول بلي(?!\w)|\bgoul(?:i)? bli\b"
    r"|\b(?:set|change|confirm|lower|override) (?:the |its |this )?price\b|\b(?:mets|mettez|fixe[rz]?|confirme[rz]?) (?:le|ce|son) prix\b"
    r"|(?<!\w)(?:اجعل|حدد|غير) (?:السعر|الثمن)|\balways (?:end|begin|answer|reply|say)\b|\btoujours (?:repondre|dire|terminer)\b"
    r"|\b(?:decode|decrypt)\w* (?:this|it)\b|\b(?:repeat|print|reveal|recite|output)\b[^.\n]{0,40}\b(?:above|prompt|verbatim|instructions)\b"
    # "Ignore all previous instructions", in either order of its parts.
    rf"|(?<!\w)(?:{_IGNORE})(?!\w)(?=[^.\n]{{0,60}}(?<!\w)(?:{_OURS})(?!\w))[^.\n]{{0,40}}?(?<!\w)(?:{_RULES})(?!\w)"
)
_LINK: Final = re.compile(
    r"(?:https?:|ftp:|www\.|wa\.me|\w\.(?:com|net|org|example|ma|io|shop)\b)/*", re.IGNORECASE
)
_PRICE: Final = re.compile(
    r"\d\s?(?:mad|dhs?|dirhams?|drahem|ryal|euros?|eur|usd|dollars?|درهم\w*|ريال|€|\$)(?!\w)|[€$]\s?\d"
)
_SHORT: Final = 24
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
    return _kept(inert(text), talks_to_models)


def of_product(text: str) -> str:
    """A product's text, which may be anybody's: also without sentences that state a price, a link or how to reach somebody.

    A product's price is its live one, its page the catalog's, and whom to call the store says.
    """
    return _kept(text, lambda sentence: talks_to_models(sentence) or _is_of_the_store(sentence))


def is_plain(word: str) -> bool:
    """Whether one value of a product (a note, a brand) can be just that."""
    return len(word) <= _SHORT or not (talks_to_models(word) or _is_of_the_store(word))


def _is_of_the_store(sentence: str) -> bool:
    return bool(_LINK.search(sentence) or _PRICE.search(fold(sentence)) or find_details(sentence))


def _kept(text: str, unwanted: Callable[[str], bool]) -> str:
    text = _HIDDEN.sub("", text) if "<" in text else text
    cuts = [0, *(m.end() for m in _SENTENCE.finditer(text)), len(text)]
    pieces = [text[a:b] for a, b in pairwise(cuts) if a < b]
    kept = [piece for piece in pieces if not unwanted(piece)]
    return text if len(kept) == len(pieces) else "".join(kept).strip()
