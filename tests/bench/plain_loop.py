"""The yardstick for bytes: a hand-written loop over httpx with the system prompt, tools and results of our own turn.

What it is given (BENCH_PLAIN, a JSON file that `make bench` takes from a recorded turn): `model`, `system`, `tools`, and
`results`, a tool's result as text by its name. It searches by tool, so it needs three calls.
"""

import json
import os
import sys
import time

import httpx

MOST_CALLS = 6

with open(os.environ["BENCH_PLAIN"], encoding="utf-8") as file:
    turn = json.load(file)
client = httpx.Client(base_url=os.environ["LLM_BASE_URL"], timeout=60)


def ask(text, ran):
    messages = [{"role": "system", "content": turn["system"]}, {"role": "user", "content": text}]
    for _ in range(MOST_CALLS):
        body = {"model": turn["model"], "messages": messages, "tools": turn["tools"]}
        reply = client.post("/v1/chat/completions", json=body)
        reply.raise_for_status()
        message = reply.json()["choices"][0]["message"]
        if not message.get("tool_calls"):
            return message["content"]
        messages.append({"role": "assistant", "tool_calls": message["tool_calls"]})
        for call in message["tool_calls"]:
            name = call["function"]["name"]
            ran.append([name, *json.loads(call["function"]["arguments"]).values()])
            result = turn["results"].get(name, '{"ok":false}')
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
    raise RuntimeError("no answer")


for number in range(int(os.environ["BENCH_REQUESTS"])):
    cpu, wall, ran, text, error = time.process_time(), time.perf_counter(), [], None, None
    try:
        text = ask(os.environ["BENCH_USER"], ran)
    except Exception as failure:  # noqa: BLE001  (a line of the protocol)
        error = f"{type(failure).__name__}: {failure}"
    line = {
        "i": number,
        "wall_ms": (time.perf_counter() - wall) * 1e3,
        "cpu_ms": (time.process_time() - cpu) * 1e3,
        "cpu_total_ms": time.process_time() * 1e3,
        "answer": text,
        "error": error,
        "tools_run": ran,
        "modules": len(sys.modules),
    }
    print("@BENCH " + json.dumps(line), flush=True)
