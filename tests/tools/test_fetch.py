"""`fetch`: a page as text, from this host alone, without credentials, bounded in size."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from tests.tools.bench import Desk, text_in

from pisces.tools.page_text import page_text

PAGE = b"""<!doctype html><html><head><title>A &amp; B</title><style>p{}</style>
<script>alert("<p>no</p>")</script></head>
<body><nav><a href="/x">menu</a></nav><h1>Hello</h1><p>Some
<b>bold</b> text with a <a href="/next?a=1&amp;b=2">link</a>.
<ul><li>one<li>two</ul><pre>def f():
    return 1 &lt; 2</pre><!-- <p>hidden</p> --><p>1 < 2 and 3 > 2</p></body></html>"""


class Site:
    """`pages` are answers by path: status, headers, body. `heads` are the headers of each request."""

    def __init__(self) -> None:
        self.pages: dict[str, tuple[int, dict[str, str], bytes]] = {}
        self.heads: list[dict[str, str]] = []
        self.url = ""

    @contextmanager
    def open(self) -> Iterator[Site]:
        site = self

        class Answer(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.heads.append(dict(self.headers))
                status, headers, body = site.pages.get(self.path, (404, {"Content-Type": "text/plain"}, b"not here"))
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                try:
                    self.wfile.write(body)
                except OSError:  # the client has read enough
                    return

            def log_message(self, *_: Any) -> None: ...

        server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        server.daemon_threads = True
        self.url = f"http://127.0.0.1:{server.server_port}"
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()


@pytest.fixture
def site() -> Iterator[Site]:
    with Site().open() as made:
        yield made


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setenv("NO_PROXY", "*")
    return Desk(tmp_path)


def test_a_page_is_text(desk: Desk, site: Site) -> None:
    site.pages["/"] = (200, {"Content-Type": "text/html; charset=utf-8"}, PAGE)
    text = desk.text("fetch", url=f"{site.url}/")
    assert text.split("\n") == [
        "# A & B",
        "",
        "# Hello",
        "",
        f"Some bold text with a [link]({site.url}/next?a=1&b=2).",
        "",
        "- one",
        "- two",
        "",
        "```",
        "def f():",
        "    return 1 < 2",
        "```",
        "",
        "1 < 2 and 3 > 2",
    ]


def test_other_texts_are_as_they_are(desk: Desk, site: Site) -> None:
    site.pages["/a.json"] = (200, {"Content-Type": "application/json"}, b'{"a": "<b>"}')
    site.pages["/a.txt"] = (200, {"Content-Type": "text/plain; charset=latin-1"}, b"caf\xe9")
    site.pages["/none"] = (200, {}, b"plain")
    assert [desk.text("fetch", url=site.url + path) for path in ("/a.json", "/a.txt", "/none")] == [
        '{"a": "<b>"}',
        "caf\u00e9",
        "plain",
    ]


def test_a_picture_is_sent_as_one_and_other_data_is_refused(desk: Desk, site: Site) -> None:
    site.pages["/a.png"] = (200, {"Content-Type": "image/png"}, b"\x89PNG")
    site.pages["/a.pdf"] = (200, {"Content-Type": "application/pdf"}, b"%PDF")
    assert desk.call("fetch", url=f"{site.url}/a.png")["content"][1]["mimeType"] == "image/png"
    assert "is application/pdf, 4 bytes: use `shell`" in desk.text("fetch", url=f"{site.url}/a.pdf")


def test_a_failure_says_its_status(desk: Desk, site: Site) -> None:
    result = desk.call("fetch", url=f"{site.url}/nowhere")
    assert (text_in(result), result["is_error"], result["details"]["status"]) == ("[status 404]\nnot here", True, 404)


def test_a_redirect_at_the_same_host_is_followed(desk: Desk, site: Site) -> None:
    site.pages["/old"] = (302, {"Location": "/new"}, b"")
    site.pages["/new"] = (200, {"Content-Type": "text/plain"}, b"here")
    result = desk.call("fetch", url=f"{site.url}/old")
    assert (text_in(result), result["details"]["url"]) == ("here", f"{site.url}/new")


@pytest.mark.parametrize(
    "target", ["http://localhost:1/x", "http://127.0.0.1:1/x", "https://127.0.0.1/x", "//evil.example/x"]
)
def test_a_redirect_to_another_place_has_to_be_asked_for(desk: Desk, site: Site, target: str) -> None:
    site.pages["/old"] = (301, {"Location": target}, b"")
    result = desk.call("fetch", url=f"{site.url}/old")
    assert "another host: call `fetch` with that address" in text_in(result)
    assert len(site.heads) == 1


@pytest.mark.parametrize("target", ["file:///etc/passwd", "http://user:pass@127.0.0.1/", "gopher://x"])
def test_a_redirect_to_no_page_fails(desk: Desk, site: Site, target: str) -> None:
    site.pages["/old"] = (301, {"Location": target}, b"")
    assert desk.text("fetch", url=f"{site.url}/old").startswith("failed: ")


def test_redirects_in_a_circle_end(desk: Desk, site: Site) -> None:
    site.pages["/a"] = (302, {"Location": "/a"}, b"")
    assert "again and again" in desk.text("fetch", url=f"{site.url}/a")


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "http://",
        "http:///x",
        "http://user:pass@127.0.0.1/",
        "http://good.example'@127.0.0.1/",
        "http://good.example\\@127.0.0.1/",
        "http://good.example http://127.0.0.1/",
        "http://127.0.0.1/\n",
        "http://127.0.0.1/\0",
        "http://[::1/",
        "http://127.0.0.1:99999/",
        "javascript:alert(1)",
        "http://\ud800",
        "",
    ],
)
def test_only_one_plain_address_is_fetched(desk: Desk, site: Site, url: str) -> None:
    assert desk.text("fetch", url=url).startswith("failed: ")
    assert not site.heads


def test_no_credentials_are_sent(desk: Desk, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    netrc = desk.home / ".netrc"
    netrc.write_text("machine 127.0.0.1 login me password secret\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("HOME", str(desk.home))
    monkeypatch.setenv("NETRC", str(netrc))
    site.pages["/"] = (200, {"Content-Type": "text/plain", "Set-Cookie": "a=b"}, b"x")
    desk.text("fetch", url=f"{site.url}/")
    desk.text("fetch", url=f"{site.url}/")
    assert all({"authorization", "cookie"}.isdisjoint(map(str.lower, each)) for each in site.heads)


def test_a_bomb_is_cut(desk: Desk, site: Site) -> None:
    bomb = gzip.compress(bytes(50_000_000).replace(b"\0", b"a"))
    site.pages["/"] = (200, {"Content-Type": "text/plain", "Content-Encoding": "gzip"}, bomb)
    text = desk.text("fetch", url=f"{site.url}/")
    assert text.endswith("[cut here: the page is longer]")
    assert len(text) < 61_000


def test_a_page_without_end_is_cancelled_at_once(desk: Desk, site: Site) -> None:
    site.pages["/"] = (200, {"Content-Type": "text/plain", "Content-Length": "1000"}, b"only this")

    async def body() -> None:
        fetching = asyncio.ensure_future(desk.run("fetch", url=f"{site.url}/"))
        await asyncio.sleep(0)
        fetching.cancel()
        with pytest.raises(asyncio.CancelledError):
            await fetching

    asyncio.run(body())


@pytest.mark.parametrize(
    "page",
    [
        text * 100_000
        for text in ("<", "<a", "<a>", "<!--", "<script>", "< >", "&", '<a href="', "<pre>", "&#x", "</p", "<svg>x")
    ],
)
def test_hostile_pages_take_linear_time(page: str) -> None:
    assert isinstance(page_text(page), str)
