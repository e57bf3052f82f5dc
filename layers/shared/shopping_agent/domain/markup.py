"""Markdown and HTML that would load or run something, were a page to render it."""

import re
from typing import Final

# What a page would load or run: a picture whose address carries a conversation away, a tag, a link that is no web address.
_PICTURE: Final = re.compile(r"!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])")
_ODD_LINK: Final = re.compile(r"\[([^\]]*)\]\(\s*<?(?!https?://|www\.)[^)]*\)", re.IGNORECASE)
_SCRIPT: Final = re.compile(
    r"<\s*(script|style|iframe)\b.*?(?:<\s*/\s*\1\s*>|\Z)", re.DOTALL | re.IGNORECASE
)
_TAG: Final = re.compile(
    r"<\s*[/!]?\s*(?:a|abbr|audio|base|body|br|button|div|embed|form|h[1-6]|html|iframe|img|input|link|math|meta|object|p|"
    r"picture|script|source|span|style|svg|table|template|video)\b[^<>]*>?",
    re.IGNORECASE,
)


def inert(text: str) -> str:
    """The text without pictures, tags, scripts, and links that lead to no web address."""
    if "](" in text or "][" in text:
        text = _ODD_LINK.sub(r"\1", _PICTURE.sub("", text))
    return _TAG.sub("", _SCRIPT.sub("", text)) if "<" in text else text
