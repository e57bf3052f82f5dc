import socket
import ssl
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from shopping_agent.adapters import connections
from shopping_agent.adapters.transport import deadline_client, limit
from shopping_agent.domain.deadline import Deadline

OK = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"


class RawServer:
    """A socket server whose replies are written by hand: one function per connection."""

    def __init__(self, *connections: Callable[[socket.socket], None]) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.accepted = 0
        self.requests: list[bytes] = []
        self._behaviours = connections
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        for behaviour in self._behaviours:
            try:
                peer, _ = self.listener.accept()
            except OSError:
                return
            self.accepted += 1
            with peer:
                peer.settimeout(5)
                try:
                    behaviour(peer)
                except OSError:
                    continue

    def close(self) -> None:
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self._thread.join(6)


@contextmanager
def serving(*connections: Callable[[socket.socket], None]) -> Generator[RawServer]:
    server = RawServer(*connections)
    try:
        yield server
    finally:
        server.close()


def request(peer: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        piece = peer.recv(65536)
        if not piece:
            raise OSError("closed")
        data += piece
    return data


def answer_once(peer: socket.socket) -> None:
    request(peer)
    peer.sendall(OK)


def answer_then_close_on_next(peer: socket.socket) -> None:
    answer_once(peer)
    request(peer)


def answer_then_reset_on_next(peer: socket.socket) -> None:
    answer_then_close_on_next(peer)
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")


def drip_body(peer: socket.socket) -> None:
    request(peer)
    peer.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n")
    while True:
        peer.sendall(b".")
        time.sleep(0.05)


def drip_headers(peer: socket.socket) -> None:
    request(peer)
    peer.sendall(b"HTTP/1.1 200 OK\r\nx: ")
    while True:
        peer.sendall(b".")
        time.sleep(0.05)


def never_answer(peer: socket.socket) -> None:
    request(peer)
    peer.recv(1)


@pytest.mark.parametrize("behaviour", [drip_body, drip_headers, never_answer])
def test_a_call_ends_by_its_deadline_however_the_server_stalls(behaviour) -> None:
    with serving(behaviour) as server, deadline_client(base_url=server.url) as client:
        begun = time.monotonic()
        with limit(Deadline.after(0.3)), pytest.raises(httpx.TimeoutException):
            client.get("/")
        assert time.monotonic() - begun < 1.0


def test_without_a_limit_the_clients_own_time_out_is_total() -> None:
    with serving(drip_body) as server, deadline_client(base_url=server.url, timeout=0.3) as client:
        begun = time.monotonic()
        with pytest.raises(httpx.TimeoutException):
            client.get("/")
        assert time.monotonic() - begun < 1.0


def test_an_inner_limit_never_extends_the_outer_one() -> None:
    with serving(never_answer) as server, deadline_client(base_url=server.url) as client:
        begun = time.monotonic()
        with (
            limit(Deadline.after(0.2)),
            limit(Deadline.after(5)),
            pytest.raises(httpx.TimeoutException),
        ):
            client.get("/")
        assert time.monotonic() - begun < 1.0


def test_an_expired_deadline_sends_nothing() -> None:
    with serving(answer_once) as server, deadline_client(base_url=server.url) as client:
        with limit(Deadline.after(-1)), pytest.raises(httpx.TimeoutException):
            client.get("/")
        assert server.accepted == 0


@pytest.mark.parametrize("behaviour", [answer_then_close_on_next, answer_then_reset_on_next])
def test_a_dead_kept_connection_is_replaced_and_the_request_sent_once_more(behaviour) -> None:
    with serving(behaviour, answer_once) as server, deadline_client(base_url=server.url) as client:
        assert client.get("/").text == "ok"
        assert client.post("/", content=b"{}").text == "ok"
        assert server.accepted == 2


def test_a_request_that_must_not_be_repeated_is_not() -> None:
    with (
        serving(answer_then_close_on_next, answer_once) as server,
        deadline_client(base_url=server.url, repeat_stale=False) as client,
    ):
        client.get("/")
        with pytest.raises(httpx.RemoteProtocolError):
            client.post("/", content=b"{}")
        assert server.accepted == 1


def test_a_new_connection_that_fails_is_not_tried_again() -> None:
    def close_at_once(peer: socket.socket) -> None:
        request(peer)

    with (
        serving(close_at_once, answer_once) as server,
        deadline_client(base_url=server.url) as client,
    ):
        with pytest.raises(httpx.RemoteProtocolError):
            client.get("/")
        assert server.accepted == 1


def test_a_cut_body_is_an_error_and_never_half_an_answer() -> None:
    def cut(peer: socket.socket) -> None:
        request(peer)
        peer.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf")

    with serving(cut) as server, deadline_client(base_url=server.url) as client:
        with pytest.raises(httpx.RemoteProtocolError):
            client.get("/")
        assert server.accepted == 1


def test_a_body_over_the_limit_is_refused_while_it_is_read() -> None:
    sent = 0

    def pour(peer: socket.socket) -> None:
        nonlocal sent
        request(peer)
        peer.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 100000000\r\n\r\n")
        for _ in range(1000):
            sent += peer.send(b"x" * 100_000)

    with (
        serving(pour) as server,
        deadline_client(base_url=server.url, max_bytes=200_000) as client,
        pytest.raises(httpx.RemoteProtocolError, match="too large"),
    ):
        client.get("/")
    assert sent < 90_000_000


def test_an_encoded_body_is_refused_because_none_was_asked_for() -> None:
    def zipped(peer: socket.socket) -> None:
        assert b"accept-encoding: identity" in request(peer).lower()
        peer.sendall(b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 2\r\n\r\nok")

    with (
        serving(zipped) as server,
        deadline_client(base_url=server.url) as client,
        pytest.raises(httpx.RemoteProtocolError),
    ):
        client.get("/")


def test_a_refused_connection_is_a_connect_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with (
        deadline_client(base_url=f"http://127.0.0.1:{port}") as client,
        pytest.raises(httpx.ConnectError),
    ):
        client.get("/")


def test_a_reply_may_come_in_chunks_or_end_with_the_connection() -> None:
    def chunked(peer: socket.socket) -> None:
        request(peer)
        peer.sendall(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n")
        peer.sendall(b"2\r\nde\r\n0\r\n\r\n")
        answer_once(peer)

    def until_closed(peer: socket.socket) -> None:
        request(peer)
        peer.sendall(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nall of it")

    with (
        serving(chunked, until_closed) as server,
        deadline_client(base_url=server.url) as client,
    ):
        assert [client.get("/").text for _ in range(2)] == ["abcde", "ok"]
        assert client.get("/").text == "all of it"


@pytest.mark.parametrize(
    "reply",
    [
        b"not http at all\r\n\r\n",
        b"HTTP/1.1 abc\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab",
        b"HTTP/1.1 200 OK\r\nx: " + b"y" * 100_000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"x: y\r\n" * 1000 + b"\r\n",
    ],
)
def test_a_reply_that_is_no_http_is_a_protocol_error(reply) -> None:
    def answer(peer: socket.socket) -> None:
        request(peer)
        peer.sendall(reply)

    with (
        serving(answer) as server,
        deadline_client(base_url=server.url) as client,
        pytest.raises(httpx.RemoteProtocolError),
    ):
        client.get("/")


def test_a_header_with_a_line_break_is_never_sent() -> None:
    with serving(answer_once) as server, deadline_client(base_url=server.url) as client:
        with pytest.raises(httpx.LocalProtocolError):
            client.get("/", headers={b"x": b"a\r\ny: b"})
        assert client.get("/").text == "ok"


def test_https_is_verified_and_the_handshake_has_the_same_deadline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = self_signed(tmp_path)

    def secure(peer: socket.socket) -> None:
        with context.wrap_socket(peer, server_side=True) as wrapped:
            answer_once(wrapped)
            answer_once(wrapped)

    def secure_refused(peer: socket.socket) -> None:
        with pytest.raises(ssl.SSLError), context.wrap_socket(peer, server_side=True) as wrapped:
            wrapped.recv(1)

    def no_handshake(peer: socket.socket) -> None:
        peer.recv(65536)
        peer.recv(65536)

    with serving(secure_refused, secure, no_handshake) as server:
        url = server.url.replace("http://127.0.0.1", "https://localhost")
        trust_of_process = connections.tls
        trust_of_process.cache_clear()
        with deadline_client(base_url=url) as client, pytest.raises(httpx.ConnectError):
            client.get("/")
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
        trust_of_process.cache_clear()
        with deadline_client(base_url=url) as client:
            assert [client.get("/").text for _ in range(2)] == ["ok", "ok"]
            begun = time.monotonic()
        with (
            deadline_client(base_url=url) as client,
            limit(Deadline.after(0.3)),
            pytest.raises(httpx.ConnectTimeout),
        ):
            client.get("/")
        assert time.monotonic() - begun < 1.5
        trust_of_process.cache_clear()


def self_signed(folder: Path) -> ssl.SSLContext:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    (folder / "cert.pem").write_bytes(certificate.public_bytes(pem))
    (folder / "key.pem").write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return context


def test_connections_are_kept_between_calls() -> None:
    def several(peer: socket.socket) -> None:
        while True:
            answer_once(peer)

    with serving(several) as server, deadline_client(base_url=server.url) as client:
        for _ in range(3):
            assert client.post("/path?q=1", json={"a": 1}).text == "ok"
        assert server.accepted == 1
