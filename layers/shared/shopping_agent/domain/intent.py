"""What a message asks for, where it is sent, and how a turn ends."""

from typing import Literal

Intent = Literal["knowledge", "cart", "recommendation", "general"]
Route = Literal["rag", "agent", "greeting"]
Finish = Literal["answered", "clarify", "step_limit", "deadline", "provider_unavailable", "refused"]
Language = Literal["en", "fr", "ar", "ary", "ary-latn"]
LANGUAGES: tuple[Language, ...] = ("en", "fr", "ar", "ary", "ary-latn")


def language_of(locale: str | None) -> Language:
    """The language of a page's locale: `fr-MA` is `fr`, `ary-Latn-MA` is `ary-latn`; English where it is none of ours."""
    tag = (locale or "").lower().replace("_", "-")
    # The longest first: `ary-latn` begins as `ary` does.
    for language in reversed(LANGUAGES):
        if tag == language or tag.startswith(f"{language}-"):
            return language
    return "en"
