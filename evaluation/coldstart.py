"""What a cold start costs: `make coldstart` runs what is built for Lambda, on Python 3.13, each row in fresh processes.

Redis, the index, S3, the model's server and the extension that hands out the secret run beside the measured process. Processor
time is told as a ratio to `import httpx` in the same run, since machines differ: of fresh processes, so with the interpreter's own
start on both sides, as the benchmark's kit does it. AWS's runtime client is loaded first on both sides and counted on neither: Lambda
brings it, and its modules are then charged to nobody. The rounds of all rows take turns. The exit code is 1 when a limit is missed. With the benchmark's kit in ../shared/bench the chat function is then measured
beside other agent loops (`make bench` has the rest of it).
"""

import argparse
import json
import statistics
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from evaluation.artifacts import ROOT, bare_python, built, runtime_packages
from evaluation.coldstart_runs import Case, Start, start
from evaluation.shop import shop
from functions.local.fake_provider import fake_provider
from functions.local.http_event import HttpRequest, event_of
from functions.local.runtime import ACCOUNT
from functions.local.secrets_extension import secrets_extension

WORK: Final = ROOT / ".tools/coldstart"
FLAGSHIP: Final = "Something fresh for summer, under 800 MAD, and add the best one to my cart."
FUNCTIONS: Final = ("chat", "store", "ingest")
PROVIDERS: Final = ("offline", "openai", "xai", "groq", "gemini")
BASELINE: Final = "import httpx"
MOST_STORE: Final = 3.0
"""Of `import httpx`: design's limit for the store function."""
MOST_MEGABYTES: Final = 200.0
SECRET: Final = ("SESSION_SECRET", "UPSTASH_REDIS_REST_TOKEN")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="make coldstart", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", type=Path, help="write the figures there")
    parser.add_argument("--no-peers", action="store_true", help="without other agent loops")
    options = parser.parse_args(arguments)
    print("coldstart: building layers and functions", flush=True)
    parts = built(WORK, *FUNCTIONS)
    runtime = runtime_packages(WORK)
    with tempfile.TemporaryDirectory() as data:
        starts = _measure(Path(data), parts, runtime, options.rounds)
    layers = _megabytes(parts["dependencies"]) + _megabytes(parts["shared"])
    unpacked = {f: round(layers + _megabytes(parts[f]), 1) for f in FUNCTIONS}
    rows = rows_of(starts, unpacked)
    print(_table(rows))
    faults = missed(rows)
    for fault in faults:
        print(f"MISSED {fault}")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    if not options.no_peers:
        faults += _beside_peers()
    return 1 if faults else 0


def _measure(
    data: Path, parts: Mapping[str, Path], runtime: Mapping[str, Path], rounds: int
) -> dict[str, list[Start]]:
    files = {"catalog/catalog.jsonl": ROOT / "demo/catalog.jsonl"}
    files |= {f"guides/{guide.name}": guide for guide in sorted(ROOT.glob("demo/guides/*.md"))}
    python = bare_python(WORK)
    with shop(data, files, aws=True) as variables, fake_provider() as fake:
        plain = {n: v for n, v in variables.items() if n not in SECRET}
        secret = {name: variables[name] for name in SECRET}
        secret |= {f"{p.upper()}_API_KEY": "a-key" for p in PROVIDERS if p != "offline"}
        with secrets_extension(secret) as told:
            cases = _cases(parts, runtime, {**plain, **told}, fake.url)
            starts: dict[str, list[Start]] = {case.name: [] for case in cases}
            for _ in range(rounds + 1):
                for case in cases:
                    found, answer = start(python, case)
                    check(case, answer)
                    starts[case.name].append(found)
    # The first of each fills the page cache.
    return {name: found[1:] for name, found in starts.items()}


def _cases(
    parts: Mapping[str, Path], runtime: Mapping[str, Path], variables: Mapping[str, str], fake: str
) -> list[Case]:
    layers = [parts["dependencies"] / "python", parts["shared"] / "python"]
    served = {
        "GEMINI_BASE_URL": fake,
        "GROQ_BASE_URL": fake,
        "XAI_BASE_URL": f"{fake}/xai/v1",
        "OPENAI_BASE_URL": f"{fake}/v1",
        "OPENAI_MODEL": "fake",
    }
    client = [*layers, runtime["client"]]
    cart = event_of(_request("GET", "/api/v1/cart"), route="$default")
    said = json.dumps({"message": FLAGSHIP}).encode()
    turn = event_of(_request("POST", "/api/v1/ai/cart", said), route="POST /api/v1/ai/{proxy+}")
    return [
        Case(BASELINE, parts["store"], client, {}),
        Case("store", parts["store"], client, variables, cart),
        *(
            Case(
                f"chat, {p}",
                parts["chat"],
                client,
                {**variables, **served, "LLM_PROVIDER": p},
                turn,
            )
            for p in PROVIDERS
        ),
        Case("ingest", parts["ingest"], [*client, runtime["sdk"]], variables, _uploaded()),
    ]


def _request(method: str, path: str, body: bytes = b"") -> HttpRequest:
    headers = [("host", "shop.example"), ("content-type", "application/json")]
    return HttpRequest(method=method, path=path, headers=headers, body=body)


def _uploaded() -> dict[str, Any]:
    """S3's event, in a message of SQS, about a guide that is gone again: read, refused by nobody, and reported."""
    notice = {
        "eventVersion": "2.1",
        "eventSource": "aws:s3",
        "eventTime": "2026-12-01T08:00:00.000Z",
        "eventName": "ObjectRemoved:Delete",
        "s3": {
            "bucket": {"name": "catalog", "arn": "arn:aws:s3:::catalog"},
            "object": {"key": "guides/nobody-knows.en.md", "sequencer": "0055AED6DCD90281E5"},
        },
    }
    message = {
        "messageId": "cold",
        "receiptHandle": "cold",
        "body": json.dumps({"Records": [notice]}),
        "attributes": {"ApproximateReceiveCount": "1"},
        "eventSource": "aws:sqs",
        "eventSourceARN": f"arn:aws:sqs:eu-west-3:{ACCOUNT}:ingest",
        "awsRegion": "eu-west-3",
    }
    return {"Records": [message]}


def check(case: Case, answer: Any) -> None:
    """A start counts only if its answer is right.

    Raises:
        SystemExit: saying what was answered.
    """
    if case.event is None:
        return
    if case.name == "ingest":
        right = answer == {"batchItemFailures": []}
    else:
        body = json.loads(answer["body"]) if answer.get("statusCode") == 200 else {}
        filled = len(body.get("cart", body).get("items", ())) == 1
        right = filled if case.name.startswith("chat") else body.get("count") == 0
    if not right:
        raise SystemExit(f"coldstart: {case.name} answered {json.dumps(answer)[:1000]}")


def rows_of(
    starts: Mapping[str, Sequence[Start]], unpacked: Mapping[str, float]
) -> list[dict[str, Any]]:
    """A row for each case: medians, but the most memory and modules.

    Args:
        unpacked: megabytes of each function with its layers.
    """
    bare = statistics.median(one.begun for one in starts[BASELINE])
    measure = bare + statistics.median(one.cpu for one in starts[BASELINE])
    return [
        {
            "name": name,
            "initMs": round(statistics.median(one.init for one in found), 1),
            "firstMs": round(statistics.median(one.first for one in found), 1),
            "ratio": round((bare + statistics.median(one.cpu for one in found)) / measure, 2),
            "rssMb": round(max(one.megabytes for one in found)),
            "modules": max(one.modules for one in found),
            "unpackedMb": unpacked.get(name.partition(",")[0]),
        }
        for name, found in starts.items()
    ]


def missed(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The limits that are not kept."""
    faults = [
        f"store: {row['ratio']} x {BASELINE}, at most {MOST_STORE}"
        for row in rows
        if row["name"] == "store" and row["ratio"] >= MOST_STORE
    ]
    return faults + [
        f"{row['name']}: {row['unpackedMb']} MB unpacked, at most {MOST_MEGABYTES:.0f}"
        for row in rows
        if row["unpackedMb"] is not None and row["unpackedMb"] > MOST_MEGABYTES
    ]


def _table(rows: Sequence[Mapping[str, Any]]) -> str:
    lines = [
        "| function | init, CPU ms | first answer, CPU ms | fresh process x import httpx | memory, MB | modules | unpacked, MB |",
        "|---|---|---|---|---|---|---|",
    ]
    keys = ("name", "initMs", "firstMs", "ratio", "rssMb", "modules", "unpackedMb")
    lines += [
        "| " + " | ".join(str(row[k] if row[k] is not None else "") for k in keys) + " |"
        for row in rows
    ]
    return "\n".join(lines)


def _megabytes(folder: Path) -> float:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 2**20


def _beside_peers() -> list[str]:
    from tests.bench.__main__ import find_kit
    from tests.bench.__main__ import main as bench

    if find_kit() is None:
        print("not compared with other agent loops: the kit is not in ../shared/bench")
        return []
    print("\nbeside other agent loops:", flush=True)
    return ["a peer starts with less"] if bench(["--phases", "cold"]) else []


if __name__ == "__main__":
    sys.exit(main())
