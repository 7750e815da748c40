"""Downloads over https: only from hosts with a certificate that is trusted, and never redirected to plain http."""

from __future__ import annotations

import datetime
import io
import ipaddress
import ssl
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from pisces.diagnostics import PiscesError
from pisces.packages.fetching import fetch
from pisces.packages.fetching.source import PackageSource
from pisces.places import Places
from tests.packages.servers import Answer, Asked, Server, serving

pytest.importorskip("cryptography")

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

LOOPBACK = "127.0.0.1"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a key and its self-signed certificate for loopback, valid for an hour."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, LOOPBACK)])
    now = datetime.datetime.now(datetime.UTC)
    signed = (
        x509.CertificateBuilder(issuer_name=name, subject_name=name, public_key=key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(minutes=1))
        .not_valid_after(now + datetime.timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(LOOPBACK))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file = tmp_path_factory.mktemp("certificate") / "loopback.pem"
    file.write_bytes(private + signed.public_bytes(serialization.Encoding.PEM))
    return file


@contextmanager
def serving_tls(certificate: Path, answer: Callable[[str], Answer]) -> Iterator[str]:
    """The URL of a host whose answers depend on the path alone."""

    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answered = answer(self.path)
            self.send_response(answered.status)
            for name, value in {**answered.headers, "Content-Length": str(len(answered.body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answered.body)

        def log_message(self, *_args: object) -> None:
            return

    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)
    httpd = ThreadingHTTPServer((LOOPBACK, 0), Answering)
    httpd.daemon_threads = False  # so that closing waits for them
    httpd.socket = tls.wrap_socket(httpd.socket, server_side=True)
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"https://{LOOPBACK}:{httpd.server_address[1]}"
    finally:
        httpd.shutdown()
        httpd.server_close()
        thread.join(10)


@pytest.fixture
def places(tmp_path: Path, certificate: Path) -> Places:
    return Places(str(tmp_path), str(tmp_path), {"SSL_CERT_FILE": str(certificate)})


def archive() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as members:
        members.writestr("gemini-extension.json", '{"name": "kit", "version": "1.0.0"}')
    return packed.getvalue()


def fetched(url: str, places: Places) -> list[str]:
    """The files of an archive at this address."""
    stage = Path(places.home) / "stage"
    stage.mkdir()
    try:
        folder = fetch(PackageSource("archive", url), str(stage), places, lambda _line: None).folder
        return [file.name for file in Path(folder).iterdir()]
    except PiscesError:
        assert not list(stage.iterdir()), "something was left behind"
        raise


def test_an_archive_arrives_over_https_and_by_way_of_redirects_to_https(certificate: Path, places: Places) -> None:
    def answer(path: str) -> Answer:
        return Answer(200, archive()) if path == "/real.zip" else Answer(302, headers={"Location": "/real.zip"})

    with serving_tls(certificate, answer) as secure:
        assert fetched(f"{secure}/kit.zip", places) == ["gemini-extension.json"]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_from_https_to_http_is_refused(status: int, certificate: Path, places: Places) -> None:
    with serving(lambda _asked, _server: Answer(200, archive())) as plain:
        away = Answer(status, headers={"Location": f"{plain.url}/kit.zip?signed=secret"})
        with serving_tls(certificate, lambda _path: away) as secure, pytest.raises(PiscesError) as refusal:
            fetched(f"{secure}/kit.zip", places)
        assert plain.asked == [], "nothing was asked of the plain host"
    assert refusal.value.diagnostic.code == "redirect-refused"
    assert f"from https to `{plain.url}/kit.zip`" in refusal.value.diagnostic.message


def test_a_redirect_to_http_is_refused_after_one_to_https_too(certificate: Path, places: Places) -> None:
    with serving(lambda _asked, _server: Answer(200, archive())) as plain:
        steps = {"/kit.zip": "/next.zip", "/next.zip": f"{plain.url.replace('http:', 'HTTP:')}/kit.zip"}

        def answer(path: str) -> Answer:
            return Answer(302, headers={"Location": steps[path]})

        with serving_tls(certificate, answer) as secure, pytest.raises(PiscesError) as refusal:
            fetched(f"{secure}/kit.zip", places)
        assert plain.asked == []
    assert refusal.value.diagnostic.code == "redirect-refused"


def test_a_download_that_began_at_http_does_not_leave_https_again(certificate: Path, places: Places) -> None:
    moved: dict[str, str] = {}

    def plainly(asked: Asked, _server: Server) -> Answer:
        return Answer(302, headers=moved) if asked.path == "/kit.zip" else Answer(200, archive())

    with serving(plainly) as plain:
        back = Answer(302, headers={"Location": f"{plain.url}/last.zip"})
        with serving_tls(certificate, lambda _path: back) as secure:
            moved["Location"] = f"{secure}/kit.zip"
            with pytest.raises(PiscesError) as refusal:
                fetched(f"{plain.url}/kit.zip", places)
        assert [each.path for each in plain.asked] == ["/kit.zip"]
    assert refusal.value.diagnostic.code == "redirect-refused"


def test_a_certificate_that_nobody_trusts_is_refused(certificate: Path, places: Places) -> None:
    with (
        serving_tls(certificate, lambda _path: Answer(200, archive())) as secure,
        pytest.raises(PiscesError, match="certificate") as refusal,
    ):
        fetched(f"{secure}/kit.zip", places.replace(env={}))
    assert refusal.value.diagnostic.code == "download-failed"
