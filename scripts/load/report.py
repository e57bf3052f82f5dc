"""What a scenario came to, as JSON and as a table for people."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from scripts.load.figures import (
    LAST,
    LEAST_TURNS_FOR_MEMORY,
    MOST_GROWTH,
    MOST_SLOPE_KB,
    SETTLED,
    Memory,
    percentile,
)
from scripts.load.scenario import WORKERS, Findings
from scripts.load.shopper import STORE, TURNS

SHARES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
BESIDE: Final = ("gateway", "redis", "valkey", "qdrant", "embeddings")


def summary(findings: Findings) -> dict[str, Any]:
    """Every figure, in plain values."""
    outcome, chats = findings.outcome, findings.workers("chat")
    requests = len(outcome.samples)
    before, after = findings.redis
    return {
        "scenario": findings.scenario.name,
        "delay_ms": findings.scenario.delay_ms,
        "clients": findings.scenario.clients,
        "workers": {function: len(findings.workers(function)) for function in WORKERS},
        "asked_turns": findings.scenario.turns,
        "warm_up_turns": findings.scenario.warm_up,
        "turns": outcome.turns,
        "requests": requests,
        "visits": outcome.carts,
        "seconds": round(outcome.seconds, 1),
        "turns_per_second": _rate(outcome.turns, outcome.seconds),
        "turns_per_second_per_worker": _rate(outcome.turns, outcome.seconds * len(chats)),
        "requests_per_second": _rate(requests, outcome.seconds),
        "errors": len(outcome.errors),
        "latency_ms": latencies(findings),
        "cpu_ms": cpu(findings),
        "log_bytes": dict(findings.log_bytes),
        "memory": {
            worker: described(findings.memory(worker))
            for function in WORKERS
            for worker in findings.workers(function)
        },
        "beside_mb": {
            name: [round(findings.looks[at][1][name].memory_kb / 1024, 1) for at in (0, -1)]
            for name in BESIDE
            if name in findings.looks[0][1] and name in findings.looks[-1][1]
        },
        "redis": {
            "memory_mb": [round(r.memory_bytes / 1e6, 2) for r in (before, after)],
            "keys": [before.keys, after.keys],
            "families": {name: asdict(keys) for name, keys in findings.keys.items()},
        },
        "bills": findings.bills,
        "faults": list(findings.faults()),
    }


def latencies(findings: Findings) -> dict[str, dict[str, float]]:
    """Milliseconds by kind, those of turns first; "all turns" and "all of the store" too."""
    times: dict[str, list[float]] = {kind: [] for kind in (*TURNS, *STORE)}
    for sample in findings.outcome.samples:
        times[sample.kind].append(1000 * sample.seconds)
    turns = [t for kind in TURNS for t in times[kind]]
    reads = [t for kind in STORE for t in times[kind]]
    rows = {"all turns": turns, **times, "all of the store": reads}
    return {
        name: {
            "count": len(held),
            **{f"p{s:.0f}": round(percentile(held, s / 100), 1) for s in (50, 95, 99)},
        }
        for name, held in rows.items()
        if held
    }


def cpu(findings: Findings) -> dict[str, float]:
    """Processor milliseconds: of the workers by their own requests, of the stand-ins by turn."""
    turns = findings.outcome.turns or 1
    reads = sum(sample.kind in STORE for sample in findings.outcome.samples) or 1
    used = findings.cpu_seconds
    told = {
        f"{function}, a request": 1000
        * sum(used.get(w, 0.0) for w in findings.workers(function))
        / by
        for function, by in (("chat", turns), ("store", reads))
    }
    told |= {f"{name}, a turn": 1000 * used[name] / turns for name in BESIDE if name in used}
    return {name: round(milliseconds, 2) for name, milliseconds in told.items()}


def described(memory: Memory) -> dict[str, Any]:
    return {
        "mb": [round(memory.at(share) / 1024, 1) for share in SHARES],
        "growth": round(memory.growth, 4),
        "slope_kb": round(memory.slope_kb, 3),
        "judged": memory.is_judged,
    }


def table(told: Mapping[str, Any]) -> Iterator[str]:
    """Lines of the table, from `summary`."""
    workers = told["workers"]
    model = (
        "offline planner"
        if told["delay_ms"] is None
        else f"fake model, {told['delay_ms']:g} ms a call"
    )
    yield ""
    yield f"{told['scenario']}: {model}; {told['clients']} clients, {workers['chat']} chat and {workers['store']} store workers"
    yield (
        f"  {told['turns']} turns and {told['requests'] - told['turns']} store requests in {told['seconds']} s: "
        f"{told['turns_per_second']} turns/s, {told['turns_per_second_per_worker']} a worker; "
        f"{told['requests_per_second']} requests/s"
    )
    if told["turns"] < told["asked_turns"]:
        yield f"  ended before its {told['asked_turns']} turns"
    yield f"  errors {told['errors']}; {told['visits']} visits ended with the cart that was asked for"
    yield f"  {'milliseconds':18}{'count':>8}{'p50':>9}{'p95':>9}{'p99':>9}"
    for kind, held in told["latency_ms"].items():
        yield f"  {kind:18}{held['count']:8}{held['p50']:9.1f}{held['p95']:9.1f}{held['p99']:9.1f}"
    cpu_text = "; ".join(f"{name} {ms}" for name, ms in told["cpu_ms"].items())
    yield f"  CPU ms: {cpu_text}"
    yield f"  {'memory, MB':12}{'start':>8}{'25 %':>8}{'50 %':>8}{'75 %':>8}{'100 %':>8}{'growth':>9}{'KB/turn':>9}"
    for worker, held in told["memory"].items():
        sizes = "".join(f"{size:8.1f}" for size in held["mb"])
        verdict = "" if held["judged"] else "  too few turns to judge"
        yield f"  {worker:12}{sizes}{held['growth']:9.1%}{held['slope_kb']:9.2f}{verdict}"
    beside = "; ".join(f"{n} {first} -> {last}" for n, (first, last) in told["beside_mb"].items())
    yield f"  beside, MB: {beside}"
    redis = told["redis"]
    yield (
        f"  Redis: {redis['memory_mb'][0]} -> {redis['memory_mb'][1]} MB, "
        f"{redis['keys'][0]} -> {redis['keys'][1]} keys"
    )
    yield from bills(told["bills"])
    yield from (f"  FAILED: {fault}" for fault in told["faults"])


def bills(told: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    """What single requests ask of others; nothing where it was not counted."""
    if not told:
        return
    heads: Sequence[tuple[str, str]] = (
        ("model_calls", "calls"),
        ("input_tokens", "tokens in"),
        ("prefix_tokens", "constant"),
        ("output_tokens", "out"),
        ("redis_requests", "Redis"),
        ("redis_commands", "commands"),
        ("redis_bytesIn", "bytes in"),
        ("redis_bytesOut", "out"),
        ("qdrant_requests", "Qdrant"),
        ("qdrant_bytesOut", "bytes out"),
    )
    yield "  a request:  " + "".join(f"{head:>11}" for _, head in heads)
    for kind, held in told.items():
        yield f"  {kind:12}" + "".join(f"{held.get(name, 0):11.1f}" for name, _ in heads)


def tolerance() -> str:
    """What memory may do, in words."""
    return (
        f"memory is flat: after {SETTLED:.0%} of the turns it grows by less than {MOST_GROWTH:.0%}, and after {LAST:.0%} by less than "
        f"{MOST_SLOPE_KB:g} KB a turn of a worker (judged from {LEAST_TURNS_FOR_MEMORY} turns of a worker)"
    )


def _rate(count: float, seconds: float) -> float:
    return round(count / seconds, 2) if seconds else 0.0
