"""Prices, currencies, stock and sizes as people write them in catalog files."""

import re
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from shopping_agent.domain.money import exponent, to_minor
from shopping_agent.domain.text import fold
from shopping_agent.domain.values import frozen

_MAX_MINOR: Final = 10**12
_MAX_STOCK: Final = 10**9
_MAX_TEXT: Final = 100

# ISO 4217, active codes.
_ISO: Final = frozenset(
    re.findall(
        r"[A-Z]+",
        "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY "
        "COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS "
        "INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP "
        "MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR "
        "SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND "
        "VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWG",
    )
)
_SPOKEN: Final = {
    "dh": "MAD",
    "dhs": "MAD",
    "mad": "MAD",
    "dirham": "MAD",
    "dirhams": "MAD",
    "درهم": "MAD",
    "دراهم": "MAD",
    "درهما": "MAD",
    "د.م": "MAD",
    "€": "EUR",
    "eur": "EUR",
    "euro": "EUR",
    "euros": "EUR",
    "اورو": "EUR",
    "يورو": "EUR",
    "$": "USD",
    "us$": "USD",
    "usd": "USD",
    "£": "GBP",
    "gbp": "GBP",
    "¥": "JPY",
    "د.ا": "AED",
    "د.ت": "TND",
    "د.ج": "DZD",
    "ر.س": "SAR",
}
_CURRENCY: Final = re.compile(r"[a-zA-Z]*[$€£¥]|[در]\.\s?[متجإس]\.?|[^\W\d_]+\.?")
_PLAIN: Final = re.compile(r"\d{1,9}(?:\.\d{1,2})?")
_WRITTEN: Final = re.compile(r"[+-]?[\d.,٫٬'’\s]*\d[\d.,٫٬'’\s]*")
_GAPS: Final = re.compile(r"[\s'’٬]")
_DIGITS: Final = str.maketrans(
    {
        **{chr(0x660 + i): str(i) for i in range(10)},
        **{chr(0x6F0 + i): str(i) for i in range(10)},
        "−": "-",
    }
)
_FIRST_NUMBER: Final = re.compile(r"(?<![\d-])-?\d+")
_OUT_OF_STOCK: Final = re.compile(
    r"out.?of.?stock|sold.?out|not (?:available|in stock)|unavailable|no stock|rupture|epuise|indisponible|"
    r"غير متوفر|غير متاح|غير موجود|نفد|نفذ|منتهي|طلب مسبق|pre.?order|precommande|back.?order|discontinued|hors stock|"
    r"plus (?:en stock|disponible)|non disponible|pas (?:en stock|disponible)"
)
_NO: Final = frozenset({"0", "false", "no", "non", "faux", "n", "لا"})
_SIZE: Final = re.compile(
    r"(?<![\d.,])(\d{1,4}(?:[.,]\d{1,2})?)\s*(?:ml\b|مل(?!\w)|millilit)", re.IGNORECASE
)
_BARE_NUMBER: Final = re.compile(r"\d{1,4}(?:[.,]\d{1,2})?")


class InvalidPriceError(ValueError):
    """A price that is zero, negative or not a number."""


@frozen
class Amount:
    """An amount in minor units of `currency`."""

    minor: int
    currency: str


@frozen
class MinorUnits:
    """A price that a file gives in minor units of its currency; None when it is no whole number."""

    number: int | None

    def in_currency(self, currency: str) -> Amount:
        """The amount.

        Raises:
            InvalidPriceError: zero, negative, or no whole number.
        """
        if self.number is None or not 0 < self.number <= _MAX_MINOR:
            raise InvalidPriceError
        return Amount(self.number, currency)


def read_price(raw: Any, currency: str) -> Amount | None:
    """The price of a cell or JSON value; None when there is none.

    Args:
        currency: holds unless the text names another one.

    Raises:
        InvalidPriceError: zero, negative, or not a number.
    """
    if raw is None or (isinstance(raw, str) and not raw.strip()):
        return None
    if isinstance(raw, str):
        value, currency = _written(raw, currency)
    elif isinstance(raw, int | Decimal) and not isinstance(raw, bool):
        value = Decimal(raw)
    else:
        value = None
    if value is None or not value.is_finite() or value <= 0 or value.adjusted() > 12:
        raise InvalidPriceError
    minor = to_minor(value, currency)
    if not 0 < minor <= _MAX_MINOR:
        raise InvalidPriceError
    return Amount(minor, currency)


def read_currency(text: str) -> str | None:
    """The ISO code that a currency cell names (`MAD`, `Dhs`, `€`), if any."""
    word = text.strip()
    if len(word) == 3 and word.isascii() and word.isalpha():
        return _SPOKEN.get(word.casefold(), word.upper())
    return _SPOKEN.get(fold(word).rstrip("."))


def read_stock(raw: Any, availability: str = "") -> int | None:
    """Pieces in stock; None when unknown but sellable. Never fails.

    Args:
        raw: a number, or words that may surround one ("12 en stock").
        availability: words of a column of its own; "out of stock", "preorder" and "backorder" win over a quantity.
    """
    text = raw.translate(_DIGITS).strip()[:_MAX_TEXT] if isinstance(raw, str) else ""
    words = fold(availability[:_MAX_TEXT]).strip()
    if raw is False or words in _NO or _OUT_OF_STOCK.search(f"{fold(text)} | {words}"):
        return 0
    if isinstance(raw, int | Decimal) and raw is not True:
        return _pieces(Decimal(raw))
    if _WRITTEN.fullmatch(text):
        number = _number(text, "MAD")
        return None if number is None else _pieces(number)
    found = _FIRST_NUMBER.search(text)
    return _pieces(Decimal(found.group())) if found else None


def read_size_ml(raw: Any, *, bare: bool) -> int | None:
    """Millilitres in a text: `100 ml`, `75ml`, `١٠٠ مل`.

    Args:
        bare: a number alone counts too (a size column, not a name).
    """
    text = str(raw).translate(_DIGITS).strip() if isinstance(raw, str | int | Decimal) else ""
    found = _SIZE.search(text)
    number = found.group(1) if found else text if bare and _BARE_NUMBER.fullmatch(text) else ""
    size = round(Decimal(number.replace(",", "."))) if number else 0
    return size if size > 0 else None


def _pieces(value: Decimal) -> int | None:
    if not value.is_finite():
        return None
    if value.adjusted() > 9:
        return 0 if value < 0 else _MAX_STOCK
    return min(max(int(value), 0), _MAX_STOCK)


def _written(text: str, currency: str) -> tuple[Decimal | None, str]:
    """A number in words of a price cell, and its currency."""
    text = text.strip()
    if _PLAIN.fullmatch(text):
        single = _number(text, currency)
        return single, currency
    if len(text) > _MAX_TEXT:
        return None, currency
    named: set[str | None] = {_named(token) for token in _CURRENCY.findall(text)}
    if len(named) > 1 or None in named:
        return None, currency
    currency = next((code for code in named if code), currency)
    rest = _CURRENCY.sub(" ", text).translate(_DIGITS).strip()
    return (_number(rest, currency) if _WRITTEN.fullmatch(rest) else None), currency


def _named(token: str) -> str | None:
    spoken = _SPOKEN.get(fold(token).replace(" ", "").rstrip("."))
    code = token.rstrip(".").upper()
    return spoken or (code if code in _ISO else None)


def _number(text: str, currency: str) -> Decimal | None:
    """A number whose separators are told apart by the rules of the mapping.

    With both `.` and `,` the last one is the decimal separator; a single one followed by exactly three digits groups
    thousands unless the currency has three decimals, or what stands before it cannot be such a group.
    """
    text = _GAPS.sub("", text)
    if "٫" in text:
        text = text.replace(".", "").replace(",", "").replace("٫", ".")
    elif "." in text and "," in text:
        decimal = max(".,", key=text.rfind)
        grouping = "," if decimal == "." else "."
        text = text.replace(grouping, "").replace(decimal, ".")
    elif text.count(".") + text.count(",") > 1:
        head, *groups = re.split(r"[.,]", text)
        if not head.lstrip("+-") or any(len(group) != 3 for group in groups):
            return None
        text = head + "".join(groups)
    else:
        text = _single_separator(text.replace(",", "."), currency)
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def _single_separator(text: str, currency: str) -> str:
    head, _, tail = text.partition(".")
    digits = head.lstrip("+-")
    groups = len(tail) == 3 and 1 <= len(digits) <= 3 and not digits.startswith("0")
    return head + tail if groups and exponent(currency) != 3 else text
