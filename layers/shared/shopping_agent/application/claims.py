"""What a reply claims, read from its text: amounts of money, product names, changes made to the cart, links.

Works on folded sentences (`domain.text.fold`), so one pattern covers cases, accents and Arabic letter variants.
"""

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Final

from shopping_agent.domain.money import to_minor
from shopping_agent.domain.text import fold, words
from shopping_agent.domain.values import frozen

_CURRENCIES: Final[Mapping[str, str]] = {
    "mad": "MAD",
    "dh": "MAD",
    "dhs": "MAD",
    "dirham": "MAD",
    "dirhams": "MAD",
    "drahem": "MAD",
    "درهم": "MAD",
    "دراهم": "MAD",
    "درهما": "MAD",
    "د.م": "MAD",
    "ryal": "RYAL",
    "ريال": "RYAL",
    "€": "EUR",
    "eur": "EUR",
    "euro": "EUR",
    "euros": "EUR",
    "يورو": "EUR",
    "$": "USD",
    "usd": "USD",
    "dollar": "USD",
    "dollars": "USD",
    "دولار": "USD",
}
_RYAL_PER_DIRHAM: Final = 20
# Neighbours' and travellers' money, by code: a price stated in it is a claim too.
_OTHER_CODES: Final = frozenset(
    ("aed", "cad", "chf", "dzd", "egp", "gbp", "jod", "jpy", "kwd", "lyd", "mru", "omr", "qar", "sar", "tnd", "try", "xof")
)  # fmt: skip
_NUMBER: Final = r"\d{1,3}(?:[ .,]\d{3}){1,4}(?:[.,]\d{1,2})?(?!\d)|\d+(?:[.,]\d{1,3})?"
_LONGEST_NUMBER: Final = 18
_UNIT: Final = "|".join(
    sorted(map(re.escape, (*_CURRENCIES, *_OTHER_CODES)), key=len, reverse=True)
)
_MONEY: Final = re.compile(
    rf"(?<![\w.,])(?P<n1>{_NUMBER})\s*(?P<c1>{_UNIT})(?!\w)"
    rf"|(?<!\w)(?P<c2>{_UNIT})\s*(?P<n2>{_NUMBER})(?![\w%])"
)
_TOTAL: Final = re.compile(r"\btotale?\b|(?<!\w)[وف]?(?:ال|بال)?(?:مجموع|اجمالي|طوطال)(?!\w)")
_SENTENCE: Final = re.compile(r"(?<=[.!?؟])\s+|\n+")
# With its scheme, or a domain with a path ("wa.me/212..."), or a domain that can be nothing else.
LINK: Final = re.compile(
    r"(?:https?://|www\.|(?<![\w@.-])(?:[a-z0-9-]+\.)+[a-z]{2,6}/)[^\s<>()\[\]\"'،؛]+"
    r"|(?<![\w@.-])(?:[a-z0-9-]+\.)+(?:com|net|org|info|xyz|example|shop|store|app|biz|site|online|club|link|io|ly|ru|tk|ma|fr|co|me)(?![\w@-])",
    re.IGNORECASE,
)
MARKDOWN_LINK: Final = re.compile(r"\[([^\]]*)\]\(([^)\s]+)[^)]*\)")

_DONE: Final[Mapping[str, re.Pattern[str]]] = {
    "add": re.compile(
        r"\b(?:i|we)(?:'ve| have)? (?:\w+ )?(?:added|put|placed)\b"
        r"|\b(?:is|are|was|were|been) (?:now |just )?added\b|\badded (?:it |them )?to (?:your|the) (?:cart|basket|bag)\b"
        r"|\bj'ai (?:\w+ )?(?:ajoutee?s?|mis)\b|\b(?:est|sont|ete) (?:bien )?ajoutee?s?\b"
        r"|\bajoutee?s? (?:a|au|dans) (?:votre |le |ton )?panier\b"
        r"|(?<!\w)(?:لقد )?اضفت|(?<!\w)تمت? اضاف|^\s*اضيفت? الي سل|(?<!\w)(?:زدت|زدنا|تزادت?)(?!ش)"
        r"|\b(?:zed?t(?:ha|ho|hom|o|ou)?|zedna|tzadt?)\b(?!ch)|\bje viens (?:de l'|d')ajouter\b|\bvien(?:t|nent) (?:de rejoindre|d'etre ajoute\w*)"
        r"|\bd[e]?rt(?:ha|ho|hom|o)? (?:lik )?f ?(?:l ?)?(?:panier|sella)|(?<!\w)درت\w* (?:ليك |لك )?ف"
        r"|(?<!\w)(?:وضعت|حطيت|حطينا)\w*(?<!ش)(?!\w)|\b(?:7ett?it|7tit|hett?it|htit)(?:ha|ho|hom|o|ou)?\b|\b(?:dropped|popped|slipped) (?:it|them|one|\w+) (?:in|into)\b"
    ),
    "remove": re.compile(
        r"\b(?:i|we)(?:'ve| have)? (?:\w+ )?(?:removed|taken out|deleted)\b"
        r"|\b(?:is|are|was|were|been) (?:now |just )?removed\b|\bremoved from (?:your|the) (?:cart|basket|bag)\b"
        r"|\bj'ai (?:\w+ )?(?:retiree?s?|supprimee?s?|enlevee?s?)\b|\b(?:est|sont|ete) (?:bien )?(?:retiree?s?|supprimee?s?)\b"
        r"|(?<!\w)حذفت|(?<!\w)تم حذف|(?<!\w)ازلت|(?<!\w)(?:حيدت|تحيدت?)(?!ش)"
        r"|\b(?:7[ie]?yy?edt(?:ha|ho|hom|o|ou)?|t7[ie]?yy?edt?)\b|\b(?:i|we)(?:'ve| have)? (?:\w+ )?(?:taken|took) (?:\S+ ){1,6}out\b"
        r"|(?<!\w)(?:حذفت|ازلت|حيدت)\w*(?<!ش)(?!\w)"
    ),
    "update": re.compile(
        r"\b(?:i|we)(?:'ve| have)? (?:\w+ )?(?:updated|changed) (?:the |your )?(?:quantity|cart)\b"
        r"|\bj'ai (?:\w+ )?(?:modifie|change|mis a jour)\b|(?<!\w)(?<!ان )(?:عدلت|غيرت|بدلت) (?!راي)|\b(?:beddelt|bdelt|beddlt|reddit(?:ha|ho|hom|o)? lik|rddit(?:ha|ho|hom|o)? lik)\b|(?<!\w)رديت\w* (?:ليك|لك)"
    ),
    "clear": re.compile(
        r"\b(?:i|we)(?:'ve| have)? (?:\w+ )?(?:emptied|cleared)\b|\b(?:cart|basket|bag) (?:has been|was) (?:emptied|cleared)\b"
        r"|\bj'ai (?:\w+ )?(?:vide|efface)\b|\bpanier a ete vide\b|(?<!\w)(?:افرغت|فرغت|خويت|تم افراغ)|\b(?:khwit|khewwit|khawit|fergh?t)\b"
    ),
}
_HELD: Final = re.compile(
    r"(?<!what )\b(?:is|are|it's|they're) (?:\w+ )?(?:already |now |still )*in (?:your|the) (?:cart|basket|bag)\b"
    r"|\b(?:est|sont) (?:bien |deja |maintenant |desormais |toujours )*dans (?:votre|ton|le) panier\b"
    r"|(?<!\w)(?:موجود\w*|بالفعل|مسبقا) (?:بالفعل |مسبقا |الان )?في (?:ال)?سل"
    r"|(?<!\w)(?:كاينه?|راه|راها|ديجا) (?:ديجا |كاينه? )?(?:ف|في )(?:ال)?سل"
    r"|\b(?:kayna?|raha?|deja) (?:deja |kayna? )?(?:f|fi) (?:l |l-)?(?:panier|sla|sella|cart)\b"
)
# The clause denies, asks or imagines: nothing is claimed.
_NOT_CLAIMED: Final = re.compile(
    r"\b(?:not|never|nothing|neither|unable|cannot|can't|couldn't|could|can|can be|to be|may be|might|didn't|haven't|hasn't|wasn't|isn't|if|once|when|"
    r"would|will|shall|should|until|before|without)\b|n't\b"
    r"|\b(?:n'|ne|n'ai|n'est|pas|rien|aucun|aucune|si|une fois|quand|lorsque|sera|seront|avant)\b"
    r"|(?<!\w)(?:لم|لن|لا|ما|لو|اذا|الا|بدون|دون|قبل|والو|ملي)(?!\w)"
    r"|\b(?:ma|walou|ila|mli|bla)\b"
)
_NOTHING: Final = re.compile(r"\s*(?:nothing|none|neither|no\b|rien|aucune?|والو|walou?)")
CLAUSE: Final = re.compile(
    r"[,;:،؛()]|\bbut\b|\bmais\b|(?<!\w)لكن(?!\w)|(?<!\w)ولكن(?!\w)|\bwalakin\b"
)


@frozen
class Amount:
    """An amount of money in a sentence.

    Attributes:
        readings: (minor units, currency) that it may mean.
        of_total: the word "total" stands before it, with no other amount between.
    """

    start: int
    readings: frozenset[tuple[int, str]]
    of_total: bool = False


@frozen
class NameFound:
    """A product name in a sentence. `ids`: the products that it may mean."""

    start: int
    end: int
    ids: frozenset[str]


def sentences(text: str) -> list[str]:
    """The folded sentences of a reply."""
    return [fold(part) for part in _SENTENCE.split(text) if part.strip()]


def amounts(folded: str) -> list[Amount]:
    """Every amount with a currency: `690 MAD`, `1 299,00 dh`, `€25`."""
    found: list[Amount] = []
    end = 0
    for match in _MONEY.finditer(folded):
        # A factor ("3 × 120 MAD") is not the total.
        factor = folded[: match.start()].rstrip().endswith(("×", " x", "*"))
        of_total = not factor and bool(_TOTAL.search(folded, end, match.start()))
        end = match.end()
        currency = _currency(match["c1"] or match["c2"])
        number = match["n1"] or match["n2"]
        if len(number) > _LONGEST_NUMBER:
            continue
        readings = {r for text in _spellings(number) for r in _minor(text, currency)}
        if currency and readings:
            found.append(Amount(match.start(), frozenset(readings), of_total))
    return found


def _currency(unit: str) -> str:
    """The code of a unit."""
    return _CURRENCIES.get(unit) or unit.upper()


def _spellings(number: str) -> Iterable[str]:
    """The plain decimal spellings that a written number may mean."""
    yield (
        number.replace(" ", "").replace(",", ".")
        if number.count(".") + number.count(",") <= 1
        else ""
    )
    whole = re.sub(r"[ .,](?=\d{3}(?:\D|$))", "", number)
    yield whole.replace(" ", "").replace(",", ".")
    if " " in number and number.rsplit(" ", 1)[1][0] != "0":
        yield number.rsplit(" ", 1)[1].replace(",", ".")  # "No 3 390 MAD" is no 3390


def _minor(text: str, currency: str) -> Iterable[tuple[int, str]]:
    try:
        value = Decimal(text)
    except ArithmeticError:
        return
    if currency == "RYAL":
        yield to_minor(value / _RYAL_PER_DIRHAM, "MAD"), "MAD"
    elif currency:
        yield to_minor(value, currency), currency


def name_pattern(name: str) -> re.Pattern[str] | None:
    """A pattern that finds a name in folded text, whatever stands between its words."""
    parts = [re.escape(word) for word in words(name)]
    if not parts:
        return None
    # An Arabic "and" or "for" is written onto a Latin name.
    before = r"(?<![^\W\u0621-\u064a])" if parts[0].isascii() else r"(?<!\w)"
    return re.compile(before + r"[\W_]+".join(parts) + r"(?!\w)")


def names_in(
    folded: str, known: Iterable[tuple[re.Pattern[str], frozenset[str]]]
) -> list[NameFound]:
    """The names in a sentence from left to right; of overlapping ones the longest."""
    found: list[NameFound] = []
    hits = [
        NameFound(match.start(), match.end(), ids)
        for pattern, ids in known
        for match in pattern.finditer(folded)
    ]
    taken = bytearray(len(folded))
    for hit in sorted(hits, key=lambda h: h.start - h.end):
        if not any(taken[hit.start : hit.end]):
            taken[hit.start : hit.end] = b"\1" * (hit.end - hit.start)
            found.append(hit)
    return sorted(found, key=lambda h: h.start)


def changes_claimed(folded: str) -> list[str]:
    """The kinds of cart change that a sentence says were made; a question, a denial or a condition says none."""
    clauses = CLAUSE.split(folded) if not folded.rstrip().endswith(("?", "؟")) else []
    return [kind for kind, pattern in _DONE.items() if any(_claims(pattern, c) for c in clauses)]


def claims_held(folded: str) -> bool:
    """Whether a sentence says that something is in the cart ("it is already in your cart")."""
    return any(_HELD.search(clause) for clause in _stated(folded))


def may_claim_change(folded: str) -> bool:
    """Whether a sentence holds wording of a change or of what the cart holds, claimed or not."""
    return any(pattern.search(folded) for pattern in (*_DONE.values(), _HELD))


def _claims(pattern: re.Pattern[str], clause: str) -> bool:
    """Whether a clause says so, with no denial or condition before it."""
    match = pattern.search(clause)
    if match is None or _NOTHING.match(clause, match.end()):
        return False
    return not _NOT_CLAIMED.search(clause[: match.end()])


def _stated(folded: str) -> list[str]:
    """The clauses of a sentence that claim anything."""
    if folded.rstrip().endswith(("?", "؟")):
        return []
    return [c for c in CLAUSE.split(folded) if not _NOT_CLAIMED.search(c)]
