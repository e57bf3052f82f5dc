"""What Schemathesis does before each call: see `fuzz.py`."""

import re
import uuid
from typing import Any

import schemathesis

KEY = "Idempotency-Key"
WELL_FORMED = re.compile(r"[!-~]{1,255}")


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: Any) -> None:
    """A well-formed key is made unique, so that the request behind it is looked at."""
    del context, kwargs
    if case.headers and WELL_FORMED.fullmatch(str(case.headers.get(KEY, ""))):
        case.headers[KEY] = uuid.uuid4().hex
