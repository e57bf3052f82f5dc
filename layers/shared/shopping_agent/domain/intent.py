"""What a message asks for, where it is sent, and how a turn ends."""

from typing import Literal

Intent = Literal["knowledge", "cart", "recommendation", "general"]
Route = Literal["rag", "agent", "greeting"]
Finish = Literal["answered", "clarify", "step_limit", "deadline", "provider_unavailable", "refused"]
Language = Literal["en", "fr", "ar", "ary", "ary-latn"]
LANGUAGES: tuple[Language, ...] = ("en", "fr", "ar", "ary", "ary-latn")
