"""Redis: does it answer, run our scripts, and keep our time."""

import time
from collections.abc import Iterator
from contextlib import closing

from shopping_agent.adapters.redis.connection import RedisConnection, script
from shopping_agent.domain.deadline import Deadline
from shopping_agent.settings import Settings

from functions.local.doctor.findings import Check, Status
from functions.local.doctor.service import skew, soon
from functions.local.doctor.subject import Subject

SLOW_MS = 300
_FIX = "UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN: the database's page has both; is it paused?"


def checks(subject: Subject) -> list[Check]:
    return [Check("redis", lambda: _redis(subject), _FIX)]


def _redis(subject: Subject) -> Iterator[tuple[Status, str, str]]:
    settings = subject.needs("UPSTASH_REDIS_REST_URL", "UPSTASH_REDIS_REST_TOKEN")
    with closing(redis_of(settings)) as redis:
        yield from _asked(redis, soon(subject))


def redis_of(settings: Settings) -> RedisConnection:
    """A connection for one check."""
    return RedisConnection(
        url=settings.upstash_redis_rest_url,
        token=settings.upstash_redis_rest_token.get_secret_value(),
        prefix=settings.redis_prefix,
    )


def _asked(redis: RedisConnection, deadline: Deadline) -> Iterator[tuple[Status, str, str]]:
    started = time.perf_counter()
    said = redis.run(["PING"], deadline)
    ms = (time.perf_counter() - started) * 1000
    if said != "PONG":
        yield "fail", "something answers there, and it is no Redis", _FIX
        return
    if redis.run(script("return 7", [redis.key("doctor")], []), deadline) != 7:
        yield "fail", "scripts do not run", "a token that may write; carts are changed by scripts"
        return
    if ms > SLOW_MS:
        fix = "a database in the region of the functions"
        yield "warn", f"answers in {ms:.0f} ms, from here", fix
    else:
        yield "ok", f"answers in {ms:.0f} ms and runs scripts", ""
    sent = time.time()
    seconds, micros = redis.run(["TIME"], deadline)
    now = (sent + time.time()) / 2
    yield skew(int(seconds) + int(micros) / 1e6 - now, "Redis's")
