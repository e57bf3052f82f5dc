"""What of a reply our code wrote from the store's rules: it says what the rules and the profile say, and needs no check."""

from collections.abc import Callable
from dataclasses import replace

from shopping_agent.application.observations import Observations
from shopping_agent.application.verification import Verdict

_FIRST_MARK = 0xE000
"""Of Unicode's private use area: no shopper's or model's text has these."""


def own_texts(observed: Observations) -> tuple[str, ...]:
    """Sentences that a model was given to say as they are, and the words of the profile; the longest first.

    A single word of the profile, such as `gift`, may be part of any claim: it stays where it is.
    """
    counsel, why_not = observed.counsel, observed.why_not
    lines = (*(counsel.lines if counsel else ()), *(why_not["lines"] if why_not else ()))
    questions = (str(q["text"]) for q in (counsel.questions if counsel else ()))
    profile = (words for words in (counsel.profile if counsel else ()) if " " in words)
    texts = {*lines, *questions, *profile} - {""}
    return tuple(sorted(texts, key=lambda text: (-len(text), text)))


def checked_without(own: tuple[str, ...], text: str, check: Callable[[str], Verdict]) -> Verdict:
    """The verdict on a text of which some parts are ours: each is one mark to the check."""
    marks = {chr(_FIRST_MARK + i): part for i, part in enumerate(own) if part in text}
    if not marks:
        return check(text)
    for mark, part in marks.items():
        text = text.replace(part, mark)

    def whole(checked: str) -> str:
        for mark, part in marks.items():
            checked = checked.replace(mark, part)
        return checked

    verdict = check(text)
    return replace(
        verdict,
        text=whole(verdict.text),
        kept=whole(verdict.kept),
        unheld=whole(verdict.unheld),
        facts=tuple(whole(fact) for fact in verdict.facts),
    )
