"""Where a text gives away how to reach or to charge a person: phones, e-mails, card numbers, postal addresses.

Order numbers, prices, sizes and dates are full of digits too: a run of digits counts only when its shape is that of a
phone or a card (Luhn), and a street only with a word that makes it somebody's address.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache
from typing import Final, Literal

from shopping_agent.domain.values import frozen

DetailKind = Literal["phone", "email", "card", "address"]

_DIGIT: Final = re.compile(r"\d")
_LEAST_DIGITS: Final = 7
"""Of a phone written with its country; cards have more."""


@frozen
class Detail:
    """A contact detail. `start`, `end`: characters, half open. `value`: comparable (digits, or lower case)."""

    kind: DetailKind
    start: int
    end: int
    value: str


def find_details(text: str) -> list[Detail]:
    """Every contact detail of a text, in order, none inside another."""
    plain = _plain(text)
    taken: list[Detail] = []
    for finder in _finders(plain):
        for detail in finder(plain):
            if all(detail.end <= other.start or other.end <= detail.start for other in taken):
                taken.append(detail)
    return sorted(taken, key=lambda detail: detail.start)


def _finders(plain: str) -> Iterator[Callable[[str], Iterator[Detail]]]:
    """What a text may hold at all, in order: most texts have no sign of an e-mail and too few digits for the rest."""
    if _AT.search(plain):
        yield _emails
    digits = len(_DIGIT.findall(plain))
    if digits >= _LEAST_DIGITS:
        yield _cards
        yield _phones
    if digits and _STREET_WORD.search(plain):
        yield _addresses


@cache
def _rule(source: str) -> re.Pattern[str]:
    """A pattern, compiled when a text first needs it: they are long, and a cold start rarely does."""
    return re.compile(source, re.IGNORECASE)


def phone_value(written: str) -> str:
    """A phone number without spelling: `+212 6 12 ...`, `00212612...` and `0612...` are one number."""
    digits = re.sub(r"\D", "", _plain(written))
    digits = digits.removeprefix("00") if digits.startswith("00") else digits
    if digits.startswith("212") and len(digits) >= 12:
        return f"0{digits[-9:]}"
    return digits


def _plain(text: str) -> str:
    """The text with every script's digits as 0-9, in the same places."""
    if text.isascii():
        return text
    return "".join(map(_plain_character, text))


def _plain_character(character: str) -> str:
    if character.isascii():
        return character
    digit = unicodedata.decimal(character, None)
    if digit is not None:
        return str(digit)
    return {"＋": "+", "＠": "@", "\u2010": "-", "\u2011": "-", "\u2013": "-"}.get(
        character, character
    )


# --- e-mail --------------------------------------------------------------------------------------

_AT: Final = re.compile(r"@|\(at\)|\[at\]| (?:at|arobase?|arobaz) ", re.IGNORECASE)
_EMAIL: Final = (
    r"[\w.+%-]{0,63}\w[ ]?(?:@|\(at\)|\[at\])[ ]?\w[\w-]{0,62}(?:\.[\w-]{1,63}){1,4}"
    r"|(?<!\w)\w[\w.+-]{1,63} (?:at|arobase|arobas|arobaz) \w[\w-]{1,62} ?(?:dot|point|\.) ?(?:com|net|org|ma|fr|io|co)\b"
)


def _emails(plain: str) -> Iterator[Detail]:
    for found in _rule(_EMAIL).finditer(plain):
        yield Detail("email", *found.span(), found.group().replace(" ", "").lower())


# --- cards ---------------------------------------------------------------------------------------

_CARD_RUN: Final = re.compile(r"(?<![\w.,])\d{1,19}(?:[ \u00a0-]\d{1,19}){0,9}(?!\w)")
_CARD_BRANDS: Final = re.compile(
    r"4(?:\d{15}|\d{18})|(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}"
    r"|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:6011|65\d\d|64[4-9]\d)\d{12}|62\d{14,17}|(?:50|5[6-8]|6[37])\d{14}"
)


def _cards(plain: str) -> Iterator[Detail]:
    for run in _CARD_RUN.finditer(plain):
        groups = [(m.start() + run.start(), m.group()) for m in re.finditer(r"\d+", run.group())]
        for first in range(len(groups)):
            end = _card_end(groups[first:])
            if end is not None:
                digits = re.sub(r"\D", "", plain[groups[first][0] : end])
                yield Detail("card", groups[first][0], end, digits)
                break


def _card_end(groups: list[tuple[int, str]]) -> int | None:
    """Where a card number that begins with the first group ends."""
    digits = ""
    for start, group in groups:
        digits += group
        if _CARD_BRANDS.fullmatch(digits) and _luhn(digits):
            return start + len(group)
    return None


def _luhn(digits: str) -> bool:
    doubled = [int(d) * (2 if i % 2 else 1) for i, d in enumerate(reversed(digits))]
    return sum(d - 9 if d > 9 else d for d in doubled) % 10 == 0


# --- phones --------------------------------------------------------------------------------------

# What people write between the digits; marks of writing direction come along when a number is pasted.
_S: Final = r"[ .()\u00a0\u202f\u200b-\u200f\u202a-\u202e\u2066-\u2069-]{0,3}"
_NO_DIGIT: Final = r"(?<![\dA-Za-z_])(?<!\d[.,])"
_CUES: Final = (
    r"(?:t[ée]l(?:[ée]phone|\.)?|phone(?: number)?|mobile|gsm|portable|whats ?app|wtsp|my number|mon num[ée]ro|call me|"
    r"appel(?:ez|le)[ -]moi|joignable|nmrti|nemerti|nimirti|ra9mi|tilifoun|رقمي|نمرتي|هاتفي|الهاتف|هاتف|تلفوني|تليفوني|واتساب|واتسابي)"
)
_PHONE: Final = "|".join(
    (
        rf"(?:(?<!\d)\+|{_NO_DIGIT}00){_S}[1-9](?:{_S}\d){{6,13}}(?!\d)",
        rf"{_NO_DIGIT}212{_S}(?:0{_S})?[5-8](?:{_S}\d){{8}}(?!\d)",
        rf"{_NO_DIGIT}0{_S}[1-9](?:{_S}\d){{8}}(?!\d)",
        rf"{_NO_DIGIT}0[1-9](?:/\d\d){{4}}(?!\d)",
        rf"{_NO_DIGIT}\(?[2-9]\d\d\)?[ .-]\d{{3}}[.-]\d{{4}}(?!\d)",
        rf"(?<=\b){_CUES}(?: (?:is|est|c'est|on|at|au|sur|le|هو|hiya|howa|هي))?[ :=]{{0,3}}(?P<after>\d(?:{_S}\d){{7,12}})(?!\d)",
    )
)
_DATE: Final = re.compile(r"(?<!\d)(?:\d{1,2}([-.])\d{1,2}\1\d{4}|\d{4}-\d\d-\d\d)(?!\d)")
# What stands before the number of an order, a parcel or an invoice.
_ORDER: Final = (
    r"(?:order|commande|cmd|colis|parcel|tracking|suivi|invoice|facture|ticket|ref(?:erence)?|r[ée]f(?:[ée]rence)?|sku|ean|"
    r"طلب|الطلب|طلبي|طلبية|الطلبية|كوموند|الكوموند|komand|kommand|commanda)\.?"
    r"(?: (?:number|no|nr|id|num[ée]ro|n|رقم|dyali|ديالي|is|est))*[\s:#°.]*$|#\s?$"
)


def _phones(plain: str) -> Iterator[Detail]:
    for found in _rule(_PHONE).finditer(plain):
        start, end = found.span("after") if found["after"] else found.span()
        written = plain[start:end]
        international = written.startswith(("+", "00"))
        if not international and (_DATE.search(written) or _rule(_ORDER).search(plain[:start])):
            continue
        yield Detail("phone", start, end, phone_value(written))


# --- postal addresses ----------------------------------------------------------------------------

_STREET: Final = (
    r"(?:rue|avenue|av\.?|ave|bd\.?|blvd\.?|boulevard|impasse|all[ée]e|quartier|hay|7ay|derb|zan9at?|zen9at?|zanqat?|"
    r"lotissement|r[ée]sidence|immeuble|imm\.?|appartement|appt?\.?|apartment|flat|[ée]tage|chari3|chare3|"
    r"شارع|زنقة|زنقه|حي|درب|عمارة|إقامة|اقامة|شقة|تجزئة|الطابق|بلوك)"
)
_STOP: Final = (
    r"(?!(?:and|et|ou|or|puis|then|please|pls|svp|stp|merci|thanks|pour|for|à|a|in|at|to|with|avec|w|o|f|je|i|add|zid|"
    r"ajoute[rz]?|demain|tomorrow|today|is|est|و|من|في|أضف|زيد)\b)"
)
_NAME: Final = rf"(?:\s+{_STOP}(?!{_STREET}\b)[^\W\d_][\w'’.-]*){{1,4}}"
_NUMBER: Final = r"(?:n[°o.]?\s?|رقم\s?|#)?\d{1,4}(?:\s?(?:bis|ter))?"
_PLACE: Final = (
    rf"(?<!\w)(?:{_NUMBER}\s*,?\s+{_STREET}(?!\w){_NAME}|{_STREET}(?!\w){_NAME}\s*,?\s*{_NUMBER}(?!\w)"
    rf"|{_STREET}(?!\w)\s*{_NUMBER}(?!\w)"
    rf"|\d{{1,5}}(?:\s+{_STOP}[^\W\d_][\w'’.-]*){{1,3}}\s+(?:street|road|avenue|lane|boulevard|st|rd)\b\.?)"
)
_STREET_WORD: Final = re.compile(
    rf"(?<!\w){_STREET}(?!\w)|\b(?:street|road|lane|st|rd)\b", re.IGNORECASE
)
_JOINED: Final = re.compile(r"[\s,;-]*(?:(?P<code>\d{5})(?!\d))?[\s,;-]*")
_ADDRESS_CUE: Final = (
    r"(?:address|adresse|3onwan|l3onwan|عنوان\w*|العنوان|i live (?:at|in|on)|j'habite|habite|sak(?:e)?n[ae]?|ساكن\w*|أسكن|"
    r"(?:deliver|delivered|ship|shipped|send|bring)\b[^.!?\n]{0,25}? (?:to|at)|"
    r"(?:livr|envoy|exp[ée]di)\w*[^.!?\n]{0,25}? (?:au|à|a|chez|sur)|(?:توصيل|توصل|صيفط|أرسل)\w*[^.!?\n]{0,25}?)"
    r"(?: (?:is|est|dyali|ديالي|هو))?[\s:،,]{0,3}(?:[^\W\d_]+[\s,]+){0,3}$"
)


def _addresses(plain: str) -> Iterator[Detail]:
    """Streets with a number: after a word that makes them an address, or with a second part (a flat, a postal code)."""
    position = 0
    while found := _rule(_PLACE).search(plain, position):
        start, end = found.span()
        parts = 1
        while True:
            joint = _JOINED.match(plain, end)
            following = _rule(_PLACE).match(plain, joint.end()) if joint else None
            if joint and joint["code"]:
                parts, end = parts + 1, joint.end("code")
            elif following:
                parts, end = parts + 1, following.end()
            else:
                break
        if parts > 1 or _rule(_ADDRESS_CUE).search(plain[max(0, start - 80) : start]):
            yield Detail("address", start, end, plain[start:end].lower())
        position = end
