"""One scenario from start to end: the stack, the warm-up, the run, and what all of it used."""

import contextlib
import tempfile
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from functions.local.children import ROOT
from scripts.load.bill import Figures, bill
from scripts.load.closed_loop import ClosedLoop, Outcome, marks
from scripts.load.figures import Memory
from scripts.load.keys import KeysOfFamily, keys_by_family
from scripts.load.stack import (
    FAKE_MODEL,
    FakeModel,
    LocalStack,
    Process,
    Redis,
    fake_model,
    local_stack,
)
from scripts.load.visits import Shop

WORKERS: Final = ("chat", "store")
LOOKS: Final = 40
"""How often memory is looked at in a run."""
FORGET_TURNS: Final = 100


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """What is to be run.

    Attributes:
        turns: after the warm-up, of all clients together.
        seconds: the run ends then at the latest.
        delay_ms: of the fake model's every answer; None: the offline planner, no model at all.
        embeddings: of the search: local or none.
        rounds: of every visit in every language whose requests are billed one by one; only with a model.
    """

    name: str
    clients: int
    turns: int
    seconds: float
    warm_up: int
    delay_ms: float | None = None
    embeddings: str = "local"
    rounds: int = 0


@dataclass(kw_only=True)
class Findings:
    """What a scenario came to.

    Attributes:
        looks: (turns done, what each process had used by then), from before the first turn to after the last.
        log_bytes: by function, of the run.
    """

    scenario: Scenario
    outcome: Outcome
    looks: Sequence[tuple[int, Mapping[str, Process]]]
    redis: tuple[Redis, Redis]
    log_bytes: Mapping[str, int]
    bills: Mapping[str, Figures] = field(default_factory=dict[str, Figures])
    keys: Mapping[str, KeysOfFamily] = field(default_factory=dict[str, KeysOfFamily])

    def workers(self, function: str) -> Sequence[str]:
        return sorted(name for name in self.looks[0][1] if name.startswith(f"{function}-"))

    def memory(self, worker: str) -> Memory:
        """By the turns of this worker, of which all of its function take the same share."""
        share = len(self.workers("chat"))
        points = [
            (turns / share, used[worker].memory_kb) for turns, used in self.looks if worker in used
        ]
        return Memory(worker, points)

    @property
    def restarted(self) -> Sequence[str]:
        """Workers that are not the process they were."""
        first, last = self.looks[0][1], self.looks[-1][1]
        names = [name for function in WORKERS for name in self.workers(function)]
        return [n for n in names if n not in last or last[n].pid != first[n].pid]

    @property
    def cpu_seconds(self) -> Mapping[str, float]:
        """Of each process, over the run."""
        first, last = self.looks[0][1], self.looks[-1][1]
        return {n: last[n].cpu_seconds - first[n].cpu_seconds for n in first if n in last}

    def faults(self) -> Sequence[str]:
        """Why the run failed; nothing when it did not."""
        memories = [self.memory(w) for function in WORKERS for w in self.workers(function)]
        return [
            *self.outcome.errors,
            *(f"{name}: ended during the run" for name in self.restarted),
            *(fault for memory in memories if (fault := memory.fault())),
            *(["no turn was taken"] if not self.outcome.turns else []),
        ]


def run(scenario: Scenario, say: Callable[[str], None]) -> Findings:
    """Start what it needs, run it, and end what was started.

    Raises:
        StartError: a part does not come up.
    """
    shop = Shop(ROOT / "demo/catalog.jsonl")
    with tempfile.TemporaryDirectory(prefix="load-") as folder, contextlib.ExitStack() as parts:
        fake = None
        if scenario.delay_ms is not None:
            fake = parts.enter_context(fake_model(Path(folder), scenario.delay_ms))
        variables = _variables(scenario, fake)
        stack = parts.enter_context(local_stack(Path(folder, "stack"), variables))
        return _measured(scenario, stack, fake, shop, say)


def _variables(scenario: Scenario, fake: FakeModel | None) -> Mapping[str, str]:
    given = {"EMBEDDING_PROVIDER": scenario.embeddings}
    if fake is None:
        return {**given, "LLM_PROVIDER": "offline"}
    model = {"OPENAI_MODEL": FAKE_MODEL, "OPENAI_BASE_URL": fake.base_url}
    return {**given, **model, "LLM_PROVIDER": "openai"}


def _measured(
    scenario: Scenario,
    stack: LocalStack,
    fake: FakeModel | None,
    shop: Shop,
    say: Callable[[str], None],
) -> Findings:
    model = "offline" if fake is None else FAKE_MODEL
    warm = ClosedLoop(stack.url, shop, model=model, name=f"{scenario.name}-warm")
    with _forgetting(fake) as forget:
        warmed = warm.run(
            clients=scenario.clients,
            turns=scenario.warm_up,
            seconds=scenario.seconds,
            watch=forget,
        )
    redis, logged = stack.redis(), {name: stack.log_bytes(name) for name in WORKERS}
    looks = [(0, stack.processes())]
    left = list(marks(scenario.turns, LOOKS)[1:])
    loop = ClosedLoop(stack.url, shop, model=model, name=scenario.name)
    with _forgetting(fake) as forget:

        def watch(turns: int) -> None:
            forget(turns)
            if left and left[0] <= turns < scenario.turns:
                while left and left[0] <= turns:
                    left.pop(0)
                looks.append((turns, stack.processes()))
                if len(looks) % (LOOKS // 4) == 1:
                    say(f"  {scenario.name}: {turns} of {scenario.turns} turns")

        outcome = loop.run(
            clients=scenario.clients,
            turns=scenario.turns,
            seconds=scenario.seconds,
            watch=watch,
        )
    looks.append((outcome.turns, stack.processes()))
    outcome.errors[:0] = [f"warm-up: {error}" for error in warmed.errors]
    findings = Findings(
        scenario=scenario,
        outcome=outcome,
        looks=looks,
        redis=(redis, stack.redis()),
        log_bytes={name: stack.log_bytes(name) - logged[name] for name in WORKERS},
    )
    if not outcome.errors:
        findings.keys = keys_by_family(stack)
        if fake is not None and scenario.rounds:
            say(f"  {scenario.name}: counting what single requests ask of others")
            findings.bills = bill(stack, fake, shop, rounds=scenario.rounds)
    return findings


@contextlib.contextmanager
def _forgetting(fake: FakeModel | None) -> Generator[Callable[[int], None]]:
    """Has the fake model drop what it was asked, every hundred turns: it keeps all of it, and looks through it at each call."""
    dropped: list[int] = [0]

    def watch(turns: int) -> None:
        if fake is not None and turns - dropped[0] >= FORGET_TURNS:
            dropped[0] = turns
            fake.forget()

    yield watch
