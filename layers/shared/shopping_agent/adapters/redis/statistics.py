"""The shop's days in Redis: a hash of counts and two ranked sets of texts a day, and a hash of the files' last reports."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, cast

from shopping_agent.adapters.redis.connection import Command, RedisConnection, pairs, script
from shopping_agent.adapters.redis.keys import DAY, REVENUE, STATISTICS, UPLOADS
from shopping_agent.domain.conversation import JsonObject
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.statistics import TOPICS, Day, Tally, Topic
from shopping_agent.errors import StateUnavailableError

MOST_TEXTS: Final = 200
"""Of a topic and day; the rarest give way."""
MOST_REPORTS: Final = 500

# KEYS: counts, then a ranked set for each topic. ARGV: seconds, most texts, a text of each topic or '', name and count of each.
_ADD: Final = """
local texts = #KEYS - 1
for i = 3 + texts, #ARGV, 2 do redis.call('HINCRBY', KEYS[1], ARGV[i], ARGV[i + 1]) end
redis.call('EXPIRE', KEYS[1], ARGV[1])
for i = 1, texts do
  local text, key = ARGV[2 + i], KEYS[1 + i]
  if text ~= '' then
    redis.call('ZINCRBY', key, 1, text)
    if redis.call('ZCARD', key) > tonumber(ARGV[2]) then redis.call('ZPOPMIN', key) end
    redis.call('EXPIRE', key, ARGV[1])
  end
end
return 1
"""

# KEYS: reports. ARGV: file, report, most files.
_REPORT: Final = """
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1
"""


def adding(connection: RedisConnection, tally: Tally, now: float) -> Command:
    """The command that adds to the day of a moment, for a pipeline."""
    date = _date(now)
    keys = [STATISTICS.key(connection, date), *_text_keys(connection, date).values()]
    texts = [tally.texts.get(topic, "") for topic in TOPICS]
    counts = [part for pair in tally.counts.items() for part in pair]
    return script(_ADD, keys, [STATISTICS.seconds or DAY, MOST_TEXTS, *texts, *counts])


class RedisStatistics:
    """`Statistics` on Redis. What is sent again because a connection died may count twice."""

    def __init__(
        self, *, connection: RedisConnection, clock: Callable[[], float] = time.time
    ) -> None:
        self._connection = connection
        self._clock = clock

    def add(self, tally: Tally, deadline: Deadline) -> None:
        self._connection.run(adding(self._connection, tally, self._clock()), deadline)

    def days(self, count: int, deadline: Deadline) -> list[Day]:
        today = datetime.fromtimestamp(self._clock(), UTC)
        dates = [_date((today - timedelta(days=n)).timestamp()) for n in reversed(range(count))]
        commands: list[Command] = []
        for date in dates:
            commands.append(["HGETALL", STATISTICS.key(self._connection, date)])
            commands.append(["HGETALL", REVENUE.key(self._connection, date)])
            keys = _text_keys(self._connection, date).values()
            commands += [["ZREVRANGE", key, 0, -1, "WITHSCORES"] for key in keys]
        found = self._connection.pipeline(commands, deadline)
        width = 2 + len(TOPICS)
        return [_day(date, found[n * width : (n + 1) * width]) for n, date in enumerate(dates)]

    def keep_report(self, source: str, report: JsonObject, deadline: Deadline) -> None:
        text = json.dumps(report, ensure_ascii=False, separators=(",", ":"))
        key = UPLOADS.key(self._connection)
        self._connection.run(script(_REPORT, [key], [source, text, MOST_REPORTS]), deadline)

    def reports(self, deadline: Deadline) -> list[JsonObject]:
        held = self._connection.run(["HVALS", UPLOADS.key(self._connection)], deadline)
        try:
            found = [cast(JsonObject, json.loads(text)) for text in cast(list[str], held)]
            return sorted(found, key=lambda report: str(report["startedAt"]), reverse=True)
        except (ValueError, TypeError, LookupError) as error:
            raise StateUnavailableError("redis holds an unreadable report") from error


def _text_keys(connection: RedisConnection, date: str) -> dict[Topic, str]:
    return {topic: STATISTICS.key(connection, date, topic) for topic in TOPICS}


def _date(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).date().isoformat()


def _day(date: str, found: Sequence[Any]) -> Day:
    counts, revenue, *texts = found
    try:
        return Day(
            date,
            _numbers(pairs(counts)),
            {
                topic: tuple(
                    (str(text), int(float(score)))
                    for text, score in zip(held[::2], held[1::2], strict=True)
                )
                for topic, held in zip(TOPICS, texts, strict=True)
            },
            _numbers(pairs(revenue)),
        )
    except (ValueError, TypeError) as error:
        raise StateUnavailableError("redis holds unreadable statistics") from error


def _numbers(fields: Mapping[str, Any]) -> dict[str, int]:
    return {name: int(value) for name, value in fields.items()}
