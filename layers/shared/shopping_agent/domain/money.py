"""Money as integer minor units with the currency's own exponent (ISO 4217); never a float inside."""

from decimal import ROUND_HALF_UP, Decimal
from typing import Final

# ISO 4217: currencies whose minor unit is not a hundredth.
_EXPONENTS: Final[dict[str, int]] = {
    **dict.fromkeys(
        [
            "BIF",
            "CLP",
            "DJF",
            "GNF",
            "ISK",
            "JPY",
            "KMF",
            "KRW",
            "PYG",
            "RWF",
            "UGX",
            "UYI",
            "VND",
            "VUV",
            "XAF",
            "XOF",
            "XPF",
        ],
        0,
    ),
    **dict.fromkeys(["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"], 3),
}


def exponent(currency: str) -> int:
    """Digits after the decimal separator of a currency: MAD 2, JPY 0, TND 3."""
    return _EXPONENTS.get(currency, 2)


def to_minor(major: Decimal | int | str, currency: str) -> int:
    """Minor units of an amount in major units: 690.5 MAD is 69050.

    Raises:
        ValueError: when `major` is not a finite number.
    """
    try:
        value = Decimal(major)
        if not value.is_finite():
            raise ValueError
        scaled = value.scaleb(exponent(currency))
        return int(scaled.to_integral_value(rounding=ROUND_HALF_UP))
    except (ArithmeticError, ValueError, TypeError) as error:
        raise ValueError(f"not an amount of money: {str(major)[:40]!r}") from error


def to_major(minor: int, currency: str) -> int | float:
    """The JSON number of an amount, in major units: 690 or 690.5."""
    scale = 10 ** exponent(currency)
    whole, rest = divmod(minor, scale)
    return whole if rest == 0 else minor / scale


def format_money(minor: int, currency: str, language: str = "en") -> str:
    """An amount as shoppers read it: `690 MAD`, `690.50 MAD`, in French `690,50 MAD`."""
    digits = exponent(currency)
    whole, rest = divmod(minor, 10**digits)
    if rest == 0:
        return f"{whole} {currency}"
    separator = "," if language == "fr" else "."
    return f"{whole}{separator}{rest:0{digits}d} {currency}"
