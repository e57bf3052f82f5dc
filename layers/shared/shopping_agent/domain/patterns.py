"""Regular expressions that are compiled when they are first used: most replies need none of them, a cold start even less."""

import re
from collections.abc import Callable
from functools import cache


def late(pattern: str, flags: int = 0) -> Callable[[], re.Pattern[str]]:
    """A function that gives the compiled pattern, always the same one."""
    return cache(lambda: re.compile(pattern, flags))
