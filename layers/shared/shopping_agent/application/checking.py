"""The check of a turn's reply: against what was observed, and for what that does not hold against the store's texts once more."""

import copy
import re
from collections.abc import Callable, Sequence
from typing import Final

from shopping_agent.application.own_lines import checked_without, own_texts
from shopping_agent.application.search import SearchService
from shopping_agent.application.verification import Verdict, Verifier
from shopping_agent.application.verification.facts import figures_in
from shopping_agent.application.work import Work
from shopping_agent.domain.passage import Passage
from shopping_agent.domain.store import StorePack
from shopping_agent.errors import ShoppingAgentError

# Claims that a guide which this turn did not read may bear out.
_IN_GUIDES: Final = frozenset(
    {"amount", "figure", "time", "service", "size", "longevity", "policy"}
)
_LONGEST_QUERY: Final = 300
_CLAUSES: Final = re.compile(r"[.;:!?؟،,؛()\n](?!\d)|\s[-–—]\s")
_SHORT: Final = 12
_MOST_PARTS: Final = 3
_FEW: Final = 5
_MANY: Final = 10
_DAY: Final = 86400


class Checking:
    """Verdicts on replies. One is reached for each text of a turn, however often it is asked for."""

    def __init__(self, *, pack: StorePack, search: SearchService | None = None) -> None:
        self._pack = pack
        self._search = search

    def verdict(self, work: Work, text: str) -> Verdict:
        """The verdict on a text."""
        known = work.verdicts.get(text)
        if known is None:
            known = work.verdicts[text] = checked_without(
                own_texts(work.observed), text, lambda rest: self._reach(work, rest)
            )
        return known

    def faults_of(self, work: Work) -> Callable[[str], Sequence[str]]:
        """What is wrong with a text and what is true instead, one line each; nothing when it holds."""
        return lambda text: self.verdict(work, text).facts

    def _reach(self, work: Work, text: str) -> Verdict:
        verdict = Verifier(self._pack, work.context, work.observed).check(text)
        if self._search is None or _IN_GUIDES.isdisjoint(verdict.faults):
            return verdict
        query = f"{_in_days(verdict.unheld)}{verdict.unheld}"[:_LONGEST_QUERY]
        passages = self._passages(work, query)
        if not passages:
            return verdict
        again = self._with(work, passages, text)
        # Of several matters in a sentence each is looked for by itself.
        parts = _parts(again.unheld) if not _IN_GUIDES.isdisjoint(again.faults) else ()
        for part in parts:
            passages = [*passages, *self._passages(work, part, _MANY)]
        return self._with(work, passages, text) if parts else again

    def _with(self, work: Work, passages: Sequence[Passage], text: str) -> Verdict:
        """The verdict with more of the guides."""
        observed = copy.copy(work.observed)
        observed.passages = [*observed.passages, *(p for p in passages if p.product_id is None)]
        return Verifier(self._pack, work.context, observed).check(text)

    def _passages(self, work: Work, text: str, limit: int = _FEW) -> Sequence[Passage]:
        if self._search is None:
            return ()
        try:
            return self._search.find_passages(
                text, language=work.context.language, limit=limit, deadline=work.deadline
            )
        except ShoppingAgentError:
            return ()


def _parts(text: str) -> tuple[str, ...]:
    """The first clauses with a number."""
    clauses = _CLAUSES.split(text)
    told = [c for c in clauses if len(c) > _SHORT and any(x.isdigit() for x in c)]
    return tuple(c[:_LONGEST_QUERY] for c in told[:_MOST_PARTS])


def _in_days(text: str) -> str:
    """The weeks of a text in days, as guides count: what a search by words would miss."""
    weeks = [f for f in figures_in(text) if f.said == "week"]
    return "".join(f"{f.value / _DAY:g} jours days يوم " for f in weeks)
