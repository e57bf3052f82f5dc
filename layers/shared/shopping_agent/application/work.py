"""What the steps of one turn hand on to each other."""

from dataclasses import dataclass, field

from shopping_agent.application.context import TurnContext
from shopping_agent.application.observations import Observations
from shopping_agent.application.progress import Progress
from shopping_agent.application.tools.catalog import ProductLookup
from shopping_agent.application.turn import Outcome
from shopping_agent.application.verification import Verdict
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.progress import StepKind
from shopping_agent.domain.values import frozen


@dataclass(slots=True)
class Work:
    """One turn at work.

    Attributes:
        context: replaced when the message is read again with more names.
        verdicts: of texts that were checked.
        checked: what the check made of the model's text: `sound`, `repaired`, `cut` or `replaced`; "" where there was none.
        names: product names that the message was read with.
        deadline: for all that comes before the check and the saving.
    """

    context: TurnContext
    observed: Observations
    lookup: ProductLookup
    deadline: Deadline
    names: tuple[str, ...] = ()
    locale: str | None = None
    verdicts: dict[str, Verdict] = field(default_factory=dict[str, Verdict])
    progress: Progress | None = None
    checked: str = ""

    def tell(self, kind: StepKind) -> None:
        """Tell who waits what the turn is at."""
        if self.progress is not None:
            self.progress.tell(kind)


@frozen
class Draft:
    """An answer before the check.

    Attributes:
        fixed: built by our code from facts: there is nothing to check.
        sources: headings of the guides it rests on that it does not name itself.
        unanswered: the store's texts do not hold the answer.
    """

    outcome: Outcome
    fixed: bool = False
    sources: tuple[str, ...] = ()
    unanswered: bool = False
    suggestions: tuple[str, ...] = ()
