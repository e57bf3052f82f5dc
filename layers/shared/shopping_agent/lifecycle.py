"""What an execution environment goes through: a snapshot is taken and restored, a secret is rotated while it lives.

https://docs.aws.amazon.com/lambda/latest/dg/snapstart-runtime-hooks-python.html
"""

import math
import os
import random
import time
from collections.abc import Callable
from typing import Any, Final

from pydantic import SecretStr

from shopping_agent import bootstrap
from shopping_agent.errors import ShoppingAgentError
from shopping_agent.observability import logger
from shopping_agent.settings import Settings

SECRET_SECONDS: Final = 900.0
"""For so long a secret is taken to be the same; the extension keeps it for five minutes of its own."""
RETRY_SECONDS: Final = 60.0

_STAND_IN: Final = "-" * 64
_SEED_BYTES: Final = 48


class SecretRenewal:
    """Has the secret read anew between two invocations when it is old; a changed one makes every service anew.

    Args:
        clock: seconds that go on while the environment is frozen.
    """

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._due: float | None = None

    def renew(self) -> None:
        """Call it as an invocation begins. Where the secret cannot be had, the one that was read goes on being used."""
        now = self._clock()
        if self._due is None:  # the first invocation reads it
            self._due = now + SECRET_SECONDS
        if now < self._due:
            return
        current = bootstrap.settings()
        if not current.secrets_id:
            self._due = math.inf
            return
        try:
            fresh = bootstrap.read_settings()
        except ShoppingAgentError as error:
            self._due = now + RETRY_SECONDS
            logger.warning("secret not renewed", reason=type(error).__name__)
            return
        self._due = now + SECRET_SECONDS
        if fresh != current:
            bootstrap.forget()
            logger.info("secret renewed")


def prepare_snapshot(build: Callable[[Settings], object]) -> None:
    """Load the code that a first request would load, and keep nothing of what was built: it may hold connections.

    Args:
        build: makes the services. No snapshot holds the secret: it gets settings with stand-ins for what is in it.
    """
    from shopping_agent.adapters.connections import tls

    unknown = {
        name.upper(): _STAND_IN
        for name, field in Settings.model_fields.items()
        if field.annotation is SecretStr
    }
    try:
        build(Settings.from_environment(otherwise=unknown))
        tls()
    except ShoppingAgentError as error:
        logger.info("snapshot prepared in part", reason=type(error).__name__)
    bootstrap.forget()


def wake() -> None:
    """After a restore: copies of one snapshot draw different numbers, read the secret and open connections of their own."""
    import ssl

    random.seed()
    # OpenSSL keeps a generator of its own, whose state was in the snapshot.
    ssl.RAND_add(os.urandom(_SEED_BYTES), float(_SEED_BYTES))
    bootstrap.forget()


def take_part_in_snapshots(build: Callable[[Settings], object], hooks: Any = None) -> None:
    """Register with Lambda's runtime, where it is one; the hooks are called with SnapStart only."""
    if hooks is None:
        try:
            import snapshot_restore_py as hooks
        except ImportError:
            return
    hooks.register_before_snapshot(prepare_snapshot, build)
    hooks.register_after_restore(wake)
