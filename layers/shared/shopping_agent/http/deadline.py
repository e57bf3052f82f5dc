"""How long one request may take, from what the gateway, Lambda and the settings say."""

import time
from collections.abc import Mapping
from typing import Any, Final, cast

from shopping_agent.domain.deadline import Deadline

GATEWAY_SECONDS: Final = 29.0
MARGIN_SECONDS: Final = 0.7
"""Kept for mapping, logging and the way back."""


def request_deadline(event: Mapping[str, Any], context: Any, budget_seconds: float) -> Deadline:
    """The earliest of: 29 s after the gateway took the request, Lambda's own end, our budget; less a margin.

    The gateway's time counts only when it is recent: saved events and skewed clocks must not end a request at once.
    """
    limits = [budget_seconds]
    gateway = event.get("requestContext")
    began = cast(dict[str, Any], gateway).get("timeEpoch") if isinstance(gateway, dict) else None
    if isinstance(began, int | float):
        left = began / 1000 + GATEWAY_SECONDS - time.time()
        if 0 < left <= GATEWAY_SECONDS:
            limits.append(left)
    remaining = getattr(context, "get_remaining_time_in_millis", None)
    if callable(remaining):
        limits.append(float(cast(int, remaining())) / 1000)
    return Deadline.after(max(0.1, min(limits) - MARGIN_SECONDS))
