"""Clients in a closed loop: each begins its next request when it has the reply to the last one, and visits follow each other."""

import http.client
import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from scripts.load.shopper import TURNS, Sample, Shopper, WrongAnswerError
from scripts.load.visits import Shop, visits

MOST_ERRORS: Final = 20
"""With more the run ends: it has failed, and the rest would say the same."""
POLL_SECONDS: Final = 0.05


@dataclass
class Outcome:
    """What a run did.

    Attributes:
        errors: each a line; a visit ends with its first one.
        carts: visits whose cart was at the end what was asked for.
    """

    samples: list[Sample] = field(default_factory=list[Sample])
    errors: list[str] = field(default_factory=list[str])
    seconds: float = 0.0
    carts: int = 0

    @property
    def turns(self) -> int:
        return sum(sample.kind in TURNS for sample in self.samples)


class ClosedLoop:
    """One run against a shop.

    Args:
        model: who must answer.
        name: makes sessions and wishes of this run its own.
    """

    def __init__(self, url: str, shop: Shop, *, model: str, name: str) -> None:
        self._url = url
        self._shop = shop
        self._model = model
        self._name = name
        self._lock = threading.Lock()
        self._outcome = Outcome()
        self._turns = 0
        self._ended = threading.Event()

    def run(
        self, *, clients: int, turns: int, seconds: float, watch: Callable[[int], None]
    ) -> Outcome:
        """Visits until so many turns were taken, or the time is over; those that began are finished.

        Args:
            watch: told again and again how many turns are done, in the caller's thread.
        """
        began = time.perf_counter()
        threads = [
            threading.Thread(target=self._client, args=(f"{self._name}-{number}",), daemon=True)
            for number in range(clients)
        ]
        for thread in threads:
            thread.start()
        try:
            while any(thread.is_alive() for thread in threads):
                done = self._turns
                if done >= turns or time.perf_counter() - began >= seconds:
                    self._ended.set()
                watch(min(done, turns))
                time.sleep(POLL_SECONDS)
        finally:
            self._ended.set()
        self._outcome.seconds = time.perf_counter() - began
        return self._outcome

    def _client(self, name: str) -> None:
        for number, (visit, words) in enumerate(visits(name)):
            if self._ended.is_set():
                return
            shopper = Shopper(
                self._url, record=self._record, model=self._model, name=f"{name}-{number}"
            )
            try:
                visit(shopper, words, self._shop, random.Random(f"{name} {number}"))
            except WrongAnswerError as error:
                self._failed(f"{visit.__name__} ({words.locale}): {error}")
            except (OSError, http.client.HTTPException, KeyError, TypeError, ValueError) as error:
                self._failed(f"{visit.__name__} ({words.locale}): {error!r}")
            else:
                with self._lock:
                    self._outcome.carts += 1
            finally:
                shopper.close()

    def _record(self, sample: Sample) -> None:
        with self._lock:
            self._outcome.samples.append(sample)
            self._turns += sample.kind in TURNS

    def _failed(self, error: str) -> None:
        with self._lock:
            self._outcome.errors.append(error)
            if len(self._outcome.errors) > MOST_ERRORS:
                self._ended.set()


def marks(turns: int, count: int) -> Sequence[int]:
    """The numbers of turns at which a run is looked at: `count` of them after the start, the last at its end."""
    return [round(turns * number / count) for number in range(count + 1)]
