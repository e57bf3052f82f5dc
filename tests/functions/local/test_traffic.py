"""The stand-ins count what they are asked, so that a turn's round trips and bytes can be told."""

import httpx

from functions.local.qdrant_server import build_app
from functions.local.qdrant_standin import QdrantStandIn
from functions.local.serving import serving


def test_the_bridge_counts_requests_commands_and_bytes(redis_stack) -> None:
    headers = {"authorization": f"Bearer {redis_stack.token}"}
    with httpx.Client(base_url=redis_stack.url, headers=headers, trust_env=False) as client:
        before = client.get("/__traffic").json()
        sent = client.post("/pipeline", json=[["GET", "never"], ["GET", "nor-this"]])
        after = client.get("/__traffic").json()
    grown = {name: after[name] - before.get(name, 0) for name in after}
    assert grown["requests"] >= 1
    assert grown["commands"] >= 2
    assert grown["bytesIn"] >= len(sent.request.content)
    assert grown["bytesOut"] >= len(sent.content)


def test_qdrants_stand_in_counts_searches_but_not_the_question_how_many() -> None:
    stand_in = QdrantStandIn()
    with serving(build_app(stand_in)) as url, httpx.Client(base_url=url, trust_env=False) as client:
        health = client.get("/healthz")
        client.get("/__traffic")
        counted = client.get("/__traffic").json()
    stand_in.close()
    assert (counted["requests"], counted["bytesOut"]) == (1, len(health.content))
