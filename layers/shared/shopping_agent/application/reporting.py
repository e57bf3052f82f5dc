"""What a turn leaves in log and metrics: one line, its counters, and a line by model where tokens were used."""

import time

from shopping_agent.application.pricing import by_model, total
from shopping_agent.application.turn import Turn
from shopping_agent.domain.limits import MICROS
from shopping_agent.observability import count, logger, milliseconds, model_usage


def report(turn: Turn, turn_id: str, started: float) -> None:
    """Count and log a turn; never what was said in it.

    Args:
        started: `time.perf_counter()` at its beginning.
    """
    spent = (time.perf_counter() - started) * 1000
    count("Turns")
    count(f"Finish_{turn.finish}")
    count("ModelCalls", turn.usage.calls)
    milliseconds("TurnDuration", spent)
    for used in by_model(turn.spent):
        if used.tokens.input_tokens + used.tokens.output_tokens:
            model_usage(
                f"{used.provider}/{used.model}",
                calls=used.tokens.calls,
                input_tokens=used.tokens.input_tokens,
                output_tokens=used.tokens.output_tokens,
                dollars=_dollars(used.cost_micros),
            )
    logger.info(
        "turn",
        turn=turn_id,
        intent=turn.intent,
        route=turn.route,
        language=turn.language,
        finish=turn.finish,
        model=turn.model,
        model_calls=turn.usage.calls,
        input_tokens=turn.usage.input_tokens,
        output_tokens=turn.usage.output_tokens,
        cached_tokens=turn.usage.cached_tokens,
        cost_usd=_dollars(total(turn.spent)),
        actions=[action.type for action in turn.actions],
        unanswered=turn.unanswered,
        ms=round(spent, 1),
    )


def _dollars(micros: int | None) -> float | None:
    return None if micros is None else micros / MICROS
