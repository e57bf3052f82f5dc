"""What a turn adds to the statistics of its day."""

from collections import Counter
from datetime import UTC, datetime
from typing import Final

from shopping_agent.application.pricing import by_model
from shopping_agent.application.turn import Turn
from shopping_agent.application.work import Work
from shopping_agent.domain.statistics import (
    DURATION,
    Tally,
    Topic,
    brief,
    duration_class,
)

_LONGEST_NAME: Final = 80  # of a model, which a provider tells


def tally_of(work: Work, turn: Turn, message: str, milliseconds: float) -> Tally:
    """The tally of a turn.

    Args:
        message: what the shopper asked for in vain, as it may be kept.
        milliseconds: what it took, but for being saved.
    """
    observed = work.observed
    counts = Counter(
        {
            "turns": 1,
            f"hour:{datetime.fromtimestamp(observed.now, UTC):%H}": 1,
            f"intent:{turn.intent}": 1,
            f"route:{turn.route}": 1,
            f"language:{turn.language}": 1,
            f"finish:{turn.finish}": 1,
            f"{DURATION}:{duration_class(milliseconds)}": 1,
        }
    )
    counts.update(f"action:{action.type}" for action in turn.actions)
    counts.update(f"refused:{code}" for code in observed.refusals)
    counts.update(f"failure:{heard}" for heard in turn.heard if isinstance(heard, str))
    if work.checked:
        counts[f"verdict:{work.checked}"] = 1
    for used in by_model(turn.spent):
        name = f"{used.provider}/{used.model}"[:_LONGEST_NAME]
        counts[f"calls:{name}"] += used.tokens.calls
        counts[f"tokens:{name}"] += used.tokens.input_tokens + used.tokens.output_tokens
        if used.cost_micros is None:
            counts[f"unpriced:{name}"] += used.tokens.calls
        else:
            counts[f"micros:{name}"] += used.cost_micros
    texts: dict[Topic, str] = {}
    if turn.unanswered:
        counts["unanswered"] = 1
        texts["questions"] = brief(message)
    if observed.fruitless:
        counts["fruitless"] = 1
        texts["searches"] = brief(message)
    return Tally({name: count for name, count in counts.items() if count}, texts)
