"""Words that stand where a product should, and that neither the vocabulary nor the catalog knows."""

from collections.abc import Sequence
from typing import Final

from shopping_agent.domain.patterns import late
from shopping_agent.domain.understanding.reading import Reading

_CODE: Final = late(r"(?=[\w-]*\d{2})(?=[\w-]*[^\W\d_])[^\W_]+(?:[-_][^\W_]+)*")
_SHORTEST: Final = 3
_LONGEST: Final = 60


def unknown_words(reading: Reading, span: tuple[int, int]) -> str:
    """The first run of words that mean nothing here, as typed; "" when there is none."""
    run: list[int] = []
    for i in range(*span):
        if not _is_known(reading, i):
            run.append(i)
        elif _tells(reading, run):
            break
        else:
            run = []
    return _text(reading, run)[:_LONGEST] if _tells(reading, run) else ""


def _tells(reading: Reading, run: Sequence[int]) -> bool:
    """Whether unknown words can be a name: a code, or a word that is no particle."""
    return bool(run) and (
        _CODE().fullmatch(_text(reading, run)) is not None
        or any(reading.tokens[i].kind == "word" and len(reading.word(i)) >= _SHORTEST for i in run)
    )


def _text(reading: Reading, run: Sequence[int]) -> str:
    return (
        reading.text[reading.tokens[run[0]].start : reading.tokens[run[-1]].end].strip(" -")
        if run
        else ""
    )


def _is_known(reading: Reading, position: int) -> bool:
    if reading.in_name(position):
        return True
    token = reading.tokens[position]
    if token.kind == "sign":
        return token.folded != "-"
    return any(m.start <= position < m.end for m in reading.matches)
