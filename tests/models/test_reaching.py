"""What is between us and a model: proxies, certificates, redirects, and what of a key can be seen on the way."""

from __future__ import annotations

import asyncio
import datetime
import json
import select
import socket
import ssl
import threading
import time
from contextlib import suppress
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest

from pisces.models import anthropic, openai_chat
from pisces.models.sending import ModelEndpoint, Sender
from pisces.models.wire import ModelAnswer, ModelAsk, ModelFailed
from pisces.shapes.message import BY_USER, ChatMessage, TextPart
from tests.models.recorder import Recorder
from tests.models.test_streams import made

ASK = ModelAsk("m", (ChatMessage(BY_USER, (TextPart("hi"),)),))
KEY = "sk-very-secret-key"
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")


@pytest.fixture(autouse=True)
def no_proxy_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*PROXIES, *(each.lower() for each in PROXIES), "SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)


async def _answered(endpoint: ModelEndpoint) -> ModelAnswer:
    async with Sender() as sender, sender.sent(endpoint, ASK) as stream:
        async for _ in stream:
            pass
        return stream.whole()


def answered(url: str, wire: Any = openai_chat.WIRE, **more: Any) -> ModelAnswer:
    return asyncio.run(_answered(ModelEndpoint(wire, url, KEY, **more)))


class Proxy:
    """Forwards what a client CONNECTs to, or what it asks for by its whole address, to `target`. Notes first lines."""

    def __init__(self, target: tuple[str, int]) -> None:
        self._target = target
        self.heads: list[bytes] = []
        self._server = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._server.getsockname()[1]}"

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self._server.accept()
            except OSError:
                return
            threading.Thread(target=self._forward, args=(client,), daemon=True).start()

    def _forward(self, client: socket.socket) -> None:
        head = client.recv(65536)
        self.heads.append(head)
        with suppress(OSError), client, socket.create_connection(self._target) as server:
            if head.startswith(b"CONNECT"):
                client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            else:
                server.sendall(head)
            while True:
                ready, _, _ = select.select([client, server], [], [], 30)
                for each in ready:
                    data = each.recv(65536)
                    if not data:
                        return
                    (server if each is client else client).sendall(data)

    def __enter__(self) -> Proxy:
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._server.close()


class TlsRecorder(Recorder):
    """`authority` is the file of who signed its certificate."""

    def __init__(self, folder: Path, name: str = "localhost") -> None:
        super().__init__()
        self.authority = _certificates(folder, name)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder / "server.pem")
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.port = int(self._server.server_address[1])
        self.body = made("chat", 3)[1]


def _certificates(folder: Path, name: str) -> str:
    x509 = pytest.importorskip("cryptography.x509")
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    now = datetime.datetime.now(datetime.UTC)
    keys = [ec.generate_private_key(ec.SECP256R1()) for _ in range(2)]
    issuer = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Test Authority")])
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])

    def signed(who: Any, key: Any, extensions: list[tuple[Any, bool]]) -> bytes:
        builder = (
            x509.CertificateBuilder()
            .subject_name(who)
            .issuer_name(issuer)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=1))
        )
        own = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
        above = x509.AuthorityKeyIdentifier.from_issuer_public_key(keys[0].public_key())
        for extension, is_critical in (*extensions, (own, False), (above, False)):  # Python 3.13 wants all of them
            builder = builder.add_extension(extension, critical=is_critical)
        made: bytes = builder.sign(keys[0], hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
        return made

    usage = x509.KeyUsage(True, False, False, False, False, True, True, False, False)
    authority = signed(issuer, keys[0], [(x509.BasicConstraints(ca=True, path_length=None), True), (usage, True)])
    server = signed(subject, keys[1], [(x509.SubjectAlternativeName([x509.DNSName(name)]), False)])
    private = keys[1].private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "authority.pem").write_bytes(authority)
    (folder / "server.pem").write_bytes(private + server)
    return str(folder / "authority.pem")


def test_an_authority_of_the_user_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with TlsRecorder(tmp_path) as server:
        url = f"https://localhost:{server.port}"
        with pytest.raises(ModelFailed, match=r"(?i)certificate") as caught:
            answered(url)
        assert not caught.value.is_passing, "a certificate does not become right by waiting"
        monkeypatch.setenv("SSL_CERT_FILE", server.authority)
        assert answered(url).message.parts


def test_a_file_of_certificates_that_is_none_is_a_failure_with_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "broken.pem"
    broken.write_text("no certificate", encoding="utf-8")
    monkeypatch.setenv("SSL_CERT_FILE", str(broken))
    with pytest.raises(ModelFailed, match="cannot be reached"):
        answered("https://localhost:9")


def test_tls_goes_through_a_proxy_that_sees_neither_key_nor_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "models.example"
    with TlsRecorder(tmp_path, name) as server, Proxy(("127.0.0.1", server.port)) as proxy:
        monkeypatch.setenv("SSL_CERT_FILE", server.authority)
        monkeypatch.setenv("HTTPS_PROXY", proxy.url)
        assert answered(f"https://{name}/v1").message.parts
        assert proxy.heads[0].startswith(b"CONNECT models.example:443")
        assert KEY.encode() not in b"".join(proxy.heads)


def test_no_proxy_is_honoured(monkeypatch: pytest.MonkeyPatch) -> None:
    with Proxy(("127.0.0.1", 9)) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy.url)
        with pytest.raises(ModelFailed, match="cannot be reached"):
            answered("https://127.0.0.1:9/v1")
        assert len(proxy.heads) == 1
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        with pytest.raises(ModelFailed, match="cannot be reached"):
            answered("https://127.0.0.1:9/v1")
        assert len(proxy.heads) == 1


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_what_is_on_this_machine_is_reached_without_a_proxy(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Recorder() as server, Proxy(("127.0.0.1", 9)) as proxy:
        server.body = made("chat", 3)[1]
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        assert answered(server.url.replace("127.0.0.1", host)).message.parts
        assert proxy.heads == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_refused_and_nobody_else_gets_the_key(status: int) -> None:
    with Recorder() as server, Recorder() as other:
        server.status, server.headers = status, {"location": f"{other.url}/v1/messages"}
        with pytest.raises(ModelFailed, match=rf"points to another one.*\({status}\)") as caught:
            answered(server.url, anthropic.WIRE)
        assert other.requests == []
    assert not caught.value.is_passing


def test_neither_key_nor_headers_are_in_what_a_provider_says_in_an_error() -> None:
    header = {"x-team-token": "another-secret"}
    with Recorder() as server:
        server.status = 401
        server.body = json.dumps({"error": {"message": f"Incorrect key {KEY}, token another-secret"}}).encode()
        with pytest.raises(ModelFailed) as caught:
            answered(server.url, headers=header)
        assert str(caught.value) == "Incorrect key ***, token *** (401)"
        server.status = 200
        server.body = b'data: {"error": {"message": "%s is used up", "code": 429}}\n\n' % KEY.encode()
        with pytest.raises(ModelFailed) as caught:
            answered(server.url)
        assert str(caught.value) == "*** is used up"
        assert caught.value.is_passing


@pytest.mark.parametrize(
    ("given", "least", "most"),
    [
        ({"retry-after": "7"}, 7, 7),
        ({"retry-after-ms": "1500"}, 1.5, 1.5),
        ({"retry-after": "-3"}, 0, 0),
        ({"retry-after": "in an hour"}, 3000, 3601),
        ({"retry-after": formatdate(0, usegmt=True)}, 0, 0),
    ],
)
def test_when_to_come_again_is_a_number_or_a_date(given: dict[str, str], least: float, most: float) -> None:
    hour = formatdate(time.time() + 3600, usegmt=True)  # now, and not when the tests were collected
    with Recorder() as server:
        server.status = 429
        server.headers = {name: value.replace("in an hour", hour) for name, value in given.items()}
        with pytest.raises(ModelFailed) as caught:
            answered(server.url)
    assert caught.value.after is not None
    assert least <= caught.value.after <= most


@pytest.mark.parametrize("given", ["soon", "nan", "inf", "Sun, 99 Xyz"])
def test_what_is_neither_is_no_wish(given: str) -> None:
    with Recorder() as server:
        server.status, server.headers = 429, {"retry-after": given}
        with pytest.raises(ModelFailed) as caught:
            answered(server.url)
    assert caught.value.after is None


def test_a_server_on_this_machine_costs_no_certificates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/no/such/file.pem")  # it would fail where they were loaded
    with Recorder() as server:
        server.body = made("chat", 3)[1]
        assert answered(server.url).message.parts
