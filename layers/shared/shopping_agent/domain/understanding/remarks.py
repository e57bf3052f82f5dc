"""What a message says beside its wishes: a yes or no, that it is about sales, or about what is there now."""

from typing import Final

from shopping_agent.domain.understanding.reading import Reading

_SHORT_ANSWER: Final = 4  # words of a message that is an answer and little else


def asks_for_sales(reading: Reading) -> bool:
    """`what is on sale?`: reduced products, not the rules of a code or of a return."""
    about = {m.concept for m in reading.of("topic")}
    return reading.has("order", "on_sale") and about <= {"discount", "price", "stock"}


def wants_available(reading: Reading, named: bool) -> bool:
    now = reading.has("availability", "now") and reading.has("availability", "there")
    return (
        (now or reading.has("stock"))
        and not named
        and (reading.has("note") or reading.has("family") or reading.has("search"))
    )


def answers(reading: Reading, answer: str) -> bool:
    """A yes or no that opens the message, or is all of it."""
    words = [i for i, t in enumerate(reading.tokens) if t.kind != "sign"]
    if not words:
        return False
    opening = [m for m in reading.of("answer", answer) if m.start == words[0]]
    if answer == "no" and reading.starts(words[0], "negation", "idiom"):
        return False  # "no problem, add it"
    if not opening:
        return False
    return (
        opening[0].end >= len(words)
        or len(words) <= _SHORT_ANSWER
        or reading.sign(opening[0].end) != ""
    )


def topics(reading: Reading) -> tuple[str, ...]:
    """What a question is about; `for him or for her?` asks whom something suits."""
    about = [m.concept for m in reading.of("topic")]
    both = reading.has("gender", "men") and reading.has("gender", "women")
    if both and reading.asks and reading.has("joint", "or") and not reading.has("search"):
        about.append("suitability")
    return tuple(dict.fromkeys(about))
