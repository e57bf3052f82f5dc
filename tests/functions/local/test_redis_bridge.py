import contextlib
import os
import socket
import subprocess
import sys
import time
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import httpx
import pytest

from functions.local.children import free_port


@pytest.fixture
def bridge(redis_stack):
    headers = {"authorization": f"Bearer {redis_stack.token}"}
    with httpx.Client(base_url=redis_stack.url, headers=headers, trust_env=False) as client:
        yield client


@pytest.fixture
def key() -> str:
    return f"k-{uuid4().hex}"


def test_a_command_answers_its_result(bridge, key) -> None:
    assert bridge.post("/", json=["SET", key, "é", "EX", 60]).json() == {"result": "OK"}
    assert bridge.post("/", json=["GET", key]).json() == {"result": "é"}
    assert bridge.post("/", json=["GET", "never"]).json() == {"result": None}
    assert bridge.post("/", json=["INCR", f"{key}n"]).json() == {"result": 1}


def test_base64_is_used_when_asked_for_except_for_the_status_ok(bridge, key) -> None:
    headers = {"upstash-encoding": "base64"}
    done = bridge.post("/", json=["HSET", key, "f", "é"], headers=headers)
    assert done.json() == {"result": 1}
    listed = bridge.post("/", json=["HGETALL", key], headers=headers).json()["result"]
    assert listed == [b64encode(part.encode()).decode() for part in ("f", "é")]
    assert bridge.post("/", json=["SET", f"{key}s", "x"], headers=headers).json() == {
        "result": "OK"
    }


def test_a_pipeline_answers_each_command_even_when_one_fails(bridge, key) -> None:
    reply = bridge.post("/pipeline", json=[["SET", key, "x"], ["INCR", key], ["GET", key]])
    first, second, third = reply.json()
    assert (reply.status_code, first, third) == (200, {"result": "OK"}, {"result": "x"})
    assert "not an integer" in second["error"]


def test_a_transaction_answers_all_results_or_one_error(bridge, key) -> None:
    done = bridge.post("/multi-exec", json=[["INCR", key], ["INCR", key]])
    assert done.json() == [{"result": 1}, {"result": 2}]
    aborted = bridge.post("/multi-exec", json=[["INCR", key], ["NOSUCHCOMMAND"]])
    assert aborted.status_code == 400
    assert "error" in aborted.json()
    assert bridge.post("/", json=["GET", key]).json() == {"result": "2"}


@pytest.mark.parametrize("flags", ["allow-key-locking", "no-writes,allow-key-locking"])
def test_scripts_with_the_vendors_own_flag_run(bridge, key, flags) -> None:
    code = f"#!lua flags={flags}\nreturn {{KEYS[1], ARGV[1]}}"
    assert bridge.post("/", json=["EVAL", code, 1, key, "v"]).json() == {"result": [key, "v"]}


def test_a_script_that_promised_not_to_write_may_not(bridge, key) -> None:
    code = "#!lua flags=no-writes,allow-key-locking\nreturn redis.call('SET', KEYS[1], 1)"
    reply = bridge.post("/", json=["EVAL", code, 1, key])
    assert (reply.status_code, "error" in reply.json()) == (400, True)


@pytest.mark.parametrize(
    "body", [b"", b"{", b"{}", b"[]", b"null", b'[["GET"]]', b"\xff", b'[{"a":1}]']
)
def test_what_is_no_command_is_a_bad_request(bridge, body) -> None:
    reply = bridge.post("/", content=body)
    assert (reply.status_code, list(reply.json())) == (400, ["error"])


@pytest.mark.parametrize("header", ["", "Bearer wrong", "Basic x"])
def test_a_wrong_bearer_is_refused(redis_stack, header) -> None:
    reply = httpx.post(
        redis_stack.url, json=["PING"], headers={"authorization": header}, trust_env=False
    )
    assert (reply.status_code, reply.json()) == (401, {"error": "Unauthorized"})


def test_fifty_requests_at_once_are_all_served_their_own_answer(bridge, key) -> None:
    def echo(i: int) -> bool:
        return bridge.post("/", json=["ECHO", f"{key}-{i}"]).json() == {"result": f"{key}-{i}"}

    with ThreadPoolExecutor(50) as threads:
        assert all(threads.map(echo, range(200)))


def test_without_valkey_it_answers_503_and_works_again_when_it_is_back(
    bridge, redis_stack, key
) -> None:
    bridge.post("/", json=["SET", key, "kept"])
    redis_stack.kill_valkey()
    try:
        reply = bridge.post("/", json=["GET", key])
        assert (reply.status_code, list(reply.json())) == (503, ["error"])
    finally:
        redis_stack.start_valkey()
    assert bridge.post("/", json=["GET", key]).json() == {"result": "kept"}


def test_it_listens_on_this_machine_only(redis_stack) -> None:
    with socket.socket() as probe:
        probe.settimeout(1)
        assert probe.connect_ex(("127.0.0.2", redis_stack.bridge_port)) != 0


def test_a_bridge_with_a_valkey_of_its_own_takes_it_along_when_it_ends(tmp_path) -> None:
    port = free_port()
    command = [sys.executable, "-m", "functions.local.redis_bridge", "--port", str(port)]
    with subprocess.Popen([*command, "--data", str(tmp_path)]) as process:
        try:
            valkey = int(answered(port).split("process_id:")[1].split()[0])
        finally:
            process.terminate()
            process.wait(10)
    for _ in range(100):
        if not alive(valkey):
            return
        time.sleep(0.05)
    pytest.fail("the Valkey outlived its bridge")


def answered(port: int) -> str:
    headers = {"authorization": "Bearer local"}
    for _ in range(200):
        with contextlib.suppress(httpx.HTTPError):
            url = f"http://127.0.0.1:{port}"
            reply = httpx.post(url, json=["INFO", "server"], headers=headers, trust_env=False)
            if reply.status_code == 200:
                return reply.json()["result"]
        time.sleep(0.05)
    raise AssertionError("the bridge did not start")


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
