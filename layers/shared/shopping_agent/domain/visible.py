"""Text as a reader sees it: without characters that show nothing, turn the writing direction or smuggle other text."""

import re
from typing import Final

# Tag characters and the supplementary variation selectors can spell whole messages that no reader sees.
_SMUGGLED: Final = "\U000e0000-\U000e007f\U000e0100-\U000e01ef"
_ZERO_WIDTH: Final = "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb"
_OVERRIDES: Final = "\u202a-\u202e"
_MARKS: Final = "\u061c\u200e\u200f\u2066-\u2069"
_CONTROLS: Final = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
# Joiners shape emoji and the letters of some scripts; beside ASCII or beside each other they only hide something.
_IDLE_JOINERS: Final = re.compile(
    r"(?<=[\x00-\x7f])[\u200c\u200d]+|[\u200c\u200d]+(?=[\x00-\x7f])|(?<=[\u200c\u200d])[\u200c\u200d]+"
)
_MANY_SELECTORS: Final = re.compile(r"(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]+")
_RECEIVED: Final = re.compile(f"[{_SMUGGLED}{_ZERO_WIDTH}{_OVERRIDES}{_MARKS}{_CONTROLS}]+")
_WRITTEN: Final = re.compile(f"[{_SMUGGLED}{_OVERRIDES}{_CONTROLS}\u200b\u2060\ufeff]+")


def visible(text: str) -> str:
    """What others wrote (a message, a guide, a feed), without invisible characters. Line breaks and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    text = _RECEIVED.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    return text if text.isascii() else _MANY_SELECTORS.sub("", _IDLE_JOINERS.sub("", text))


def visible_reply(text: str) -> str:
    """What a model wrote for a shopper: as `visible`, with the marks that keep figures and names in place beside Arabic."""
    return text if text.isascii() and text.isprintable() else _WRITTEN.sub("", text)
