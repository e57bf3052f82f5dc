"""The measured process of `make bench`: the deployed chat handler answers BENCH_REQUESTS turns, each of a new shopper.

It runs on a Python 3.13 that has the built layers and the chat function on its path, and nothing else of ours. What it
prints is the benchmark kit's line protocol; `redis_trips` are the requests that a turn sent to Redis.
"""

import json
import os
import sys
import time

import app  # pyright: ignore[reportMissingImports]  (the chat function, as Lambda imports it)
from shopping_agent.adapters.redis.connection import RedisConnection
from shopping_agent.application.tools.dispatcher import Dispatcher

ran = []
trips = []


class Context:
    """Lambda's context, of a function with 29 seconds."""

    aws_request_id = "bench"

    def __init__(self):
        self._until = time.monotonic() + 29.0

    def get_remaining_time_in_millis(self):
        return int((self._until - time.monotonic()) * 1000)


def counted(real):
    def call(*arguments, **named):
        trips.append(None)
        return real(*arguments, **named)

    return call


def recorded(real):
    def run(self, call, deadline):
        result = real(self, call, deadline)
        if result.get("error", {}).get("code") not in ("invalid_arguments", "unknown_tool"):
            ran.append([call.name, *call.arguments.values()])
        return result

    return run


def event(message):
    """What API Gateway (HTTP API, payload 2.0) sends for a shopper's first message."""
    return {
        "version": "2.0",
        "routeKey": "POST /api/v1/ai/{proxy+}",
        "rawPath": "/api/v1/ai/cart",
        "rawQueryString": "",
        "headers": {
            "accept": "application/json",
            "content-type": "application/json",
            "host": "shop.example",
            "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
            "x-forwarded-for": "203.0.113.24",
        },
        "requestContext": {
            "http": {
                "method": "POST",
                "path": "/api/v1/ai/cart",
                "protocol": "HTTP/1.1",
                "sourceIp": "203.0.113.24",
            },
            "requestId": "bench",
            "stage": "$default",
            "timeEpoch": int(time.time() * 1000),
        },
        "body": json.dumps({"message": message}),
        "isBase64Encoded": False,
    }


def answer(message):
    """The handler's (answer, error): one of them is None."""
    reply = app.lambda_handler(event(message), Context())
    body = json.loads(reply["body"])
    if reply["statusCode"] != 200:
        return None, f"{reply['statusCode']} {body.get('code')}"
    return body["answer"], None


def peak_kilobytes():
    try:
        with open("/proc/self/status") as status:
            return int(status.read().split("VmHWM:")[1].split()[0])
    except OSError:
        return None


def measure(number, message):
    ran.clear()
    trips.clear()
    cpu, wall = time.process_time(), time.perf_counter()
    text, error = answer(message)
    wall, end = time.perf_counter() - wall, time.process_time()
    line = {
        "i": number,
        "wall_ms": round(wall * 1e3, 3),
        "cpu_ms": round((end - cpu) * 1e3, 3),
        "cpu_total_ms": round(end * 1e3, 1),
        "answer": text,
        "error": error,
        "tools_run": list(ran),
        "metrics": {"redis_trips": len(trips)},
    }
    if number == 0:
        line |= {"peak_kb": peak_kilobytes(), "modules": len(sys.modules)}
    print("@BENCH " + json.dumps(line), flush=True)


RedisConnection.run = counted(RedisConnection.run)
RedisConnection.pipeline = counted(RedisConnection.pipeline)
Dispatcher.run = recorded(Dispatcher.run)
for turn in range(int(os.environ["BENCH_REQUESTS"])):
    measure(turn, os.environ["BENCH_USER"])
