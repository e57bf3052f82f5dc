"""Text of a catalog file as plain text: HTML, entities, control characters and odd spaces gone."""

import html
import re
from typing import Final

from shopping_agent.domain.visible import visible

MAX_DESCRIPTION: Final = 20_000
MAX_LINE: Final = 500
_MAX_RAW: Final = 400_000

# Anything that plain text could hold and that has to be looked at.
_SUSPECT: Final = re.compile(
    r"[^\S ]|[<&\x00-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u2007\u200b-\u200f\u202a-\u202f"
    r"\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e01ef]"
)
_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)|<![^>]*>", re.DOTALL)
_HIDDEN: Final = re.compile(r"<(script|style)\b[^>]*>.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_BLOCKS: Final = (
    "address|article|aside|blockquote|br|dd|div|dl|dt|figcaption|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|"
    "section|table|tbody|td|tfoot|th|thead|tr|ul"
)
# Possessive: a `<` that closes nowhere costs one scan, not a search of all ways to fail.
_ATTRIBUTES: Final = r"""(?:"[^"]*"|'[^']*'|[^'"<>])*+>"""
_BLOCK_TAG: Final = re.compile(rf"</?(?:{_BLOCKS})\b{_ATTRIBUTES}", re.IGNORECASE)
_TAG: Final = re.compile(rf"</?[A-Za-z]{_ATTRIBUTES}")
_SURROGATES: Final = re.compile(r"[\ud800-\udfff]")
_SPACES: Final = re.compile(r"[^\S\n]+")
_BREAKS: Final = re.compile(r" ?\n ?")
_MANY_BREAKS: Final = re.compile(r"\n{3,}")


def plain_text(raw: str, limit: int = MAX_DESCRIPTION) -> str:
    """Plain text with its line breaks, at most `limit` characters.

    `<br>` and block ends become line breaks, inline tags vanish without adding a space, entities are decoded once
    after the tags are gone; `<` not followed by a letter, `/` or `!` is text.
    """
    text = raw[:_MAX_RAW]
    if not _SUSPECT.search(text):
        return _SPACES.sub(" ", text).strip()[:limit].rstrip()
    if "<" in text:
        text = _COMMENT.sub("", text)
        text = _HIDDEN.sub("", text)
        text = _BLOCK_TAG.sub("\n", text)
        text = _TAG.sub("", text)
    if "&" in text:
        text = html.unescape(text)
    text = _SPACES.sub(" ", _SURROGATES.sub("", visible(text)))
    text = _MANY_BREAKS.sub("\n\n", _BREAKS.sub("\n", text))
    return text.strip()[:limit].rstrip()


def one_line(raw: str, limit: int = MAX_LINE) -> str:
    """Plain text on one line: names, brands, notes."""
    return " ".join(plain_text(raw, _MAX_RAW).split())[:limit].rstrip()
