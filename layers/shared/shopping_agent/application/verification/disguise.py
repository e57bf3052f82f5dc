"""Addresses in disguise ("shop[.]com", "shop dot com", letters of another script), scripts as links, and accounts to pay into."""

import re
from collections.abc import Iterator
from typing import Final

from shopping_agent.application.verification.facts import Facts, Fault
from shopping_agent.application.verification.said import Said

# Endings that are no words of the five languages; "ma" only where it ends something.
_ENDINGS: Final = (
    r"(?:com|net|org|info|biz|xyz|shop|store|app|io|fr|uk|ru)(?!\w)|ma(?=\s*[.!/,;:)]|\s*$)"
)
_DISGUISED: Final = re.compile(
    # A dot in brackets, in words, or between spaces.
    r"[^\W_]\s?[\[({<]\s?(?:\.|dot|point|نقطة|نقطه|no9ta)\s?[\])}>]\s?[^\W_]"
    rf"|[^\W_]\s(?:dot|d0t|point|no9ta|nokta|نقطة|نقطه)\s(?:{_ENDINGS})|(?:نقطة|نقطه)\s(?:كوم|نت)(?!\w)"
    rf"|[^\W_]\s\.\s?(?:{_ENDINGS})|[^\W_][。．｡․]\s?[^\W\d_]"
    # Schemes that are none, or that run something; "name (at) house".
    r"|\bhxx|\bhttps?(?:\s+:|\s*\[:\]|:\s+//)|\b(?:javascript|vbscript|intent|ftp|file)\s*:\s*\S|\bdata:[a-z]+/"
    r"|[^\W_]\s?[\[(]\s?(?:at|@|arobase)\s?[\])]\s?[^\W_]|[^\W_]\s(?:arobase|at sign)\s[^\W_]",
    re.IGNORECASE,
)
_DOMAIN: Final = re.compile(
    rf"(?<![\w@.-])[\w-]+(?:\.[\w-]+){{0,4}}\.(?:{_ENDINGS})", re.IGNORECASE
)
_ACCOUNT: Final = re.compile(
    r"(?<!\w)[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{4}){3,8}(?!\w)|(?<![\d+])\d(?:[ -]?\d){15,29}(?!\d)|(?<!\w)0x[0-9a-fA-F]{40}(?!\w)|(?<!\w)bc1[a-z0-9]{25,60}(?!\w)"
)
_TELLING: Final = re.compile(
    r"[.\[({:。．｡․@]|\d{4}|dot|point|no9ta|nokta|نقط|at sign|arobase", re.IGNORECASE
)


def check(said: Said, facts: Facts) -> Iterator[Fault]:
    """The faults of a sentence."""
    if not _TELLING.search(said.raw):
        return
    if looks_disguised(said.raw):
        yield Fault("link", "an address that is not the store's was written")
    told = " ".join([*(p.text for p in facts.observed.passages), *facts.shopper_words])
    for match in _ACCOUNT.finditer(said.raw):
        if match[0] not in told:
            yield Fault("contact", "no account is known; bank details are sent after the order")


def looks_disguised(text: str) -> bool:
    """Whether a text holds an address that is written so that nobody finds it."""
    if _DISGUISED.search(text):
        return True
    return any(not domain[0].isascii() for domain in _DOMAIN.finditer(text))
