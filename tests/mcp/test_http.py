"""Servers that are reached by address: what is sent where, and what is refused."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from pisces.diagnostics import PiscesError
from pisces.mcp.client import FAILED, UP, McpClient
from pisces.mcp.connection import ServerAsks, ServerGone
from pisces.mcp.http import http_client
from pisces.mcp.http_address import checked_address, endpoint_flaw, origin_of, shown_address
from pisces.mcp.http_headers import helper_headers
from pisces.mcp.http_network import proxy_for
from pisces.mcp.plan import ServerPlan
from tests.mcp.oauth_plans import allow, home_in, remote
from tests.mcp.servers.oauth_web import Answered, speaks, web
from tests.packages.test_https import certificate as certificate  # a fixture


async def names(plan: ServerPlan) -> tuple[str, str, list[str]]:
    client = McpClient(plan, ServerAsks(), allow)
    try:
        tools = [str(each["name"]) for each in await client.tools()]
    except ServerGone:
        tools = []
    state, reason = client.state, client.reason
    await client.close()
    return state, reason, tools


def used(plan: ServerPlan) -> tuple[str, str, list[str]]:
    return asyncio.run(names(plan))


def test_headers_of_the_entry_go_with_every_request(tmp_path: Path) -> None:
    with web(speaks) as seen:
        plan = remote(seen.url, headers={"X-Key": "k3y"}, places=home_in(tmp_path))
        assert used(plan) == (UP, "", ["only"])
    assert len(seen.headers("x-key")) == len(seen.requests)


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://example.com", "http:", "https://", "http://a\\@b/", "//x"]
)
def test_what_is_no_web_address_is_not_used(url: str) -> None:
    with pytest.raises(PiscesError) as error:
        http_client(remote(url))
    assert error.value.diagnostic.code == "mcp-address-refused"


@pytest.mark.parametrize(
    "fields",
    [
        {"headers": {"Authorization": "Bearer secret-value"}},
        {"headers": {"X-Api-Key": "secret-value"}},
        {"headers_helper": "print-headers"},
        {"config": {"oauth": {"clientId": "me"}}},
        {"url": "http://example.com/mcp?key=secret-value", "shown": ("http://example.com/mcp?key=${KEY}",)},
    ],
)
def test_credentials_never_go_over_plain_http_to_another_machine(fields: dict[str, Any]) -> None:
    with pytest.raises(PiscesError) as error:
        checked_address(remote("http://example.com/mcp", **fields))
    assert error.value.diagnostic.code == "mcp-address-refused"
    assert "secret-value" not in f"{error.value.diagnostic}"
    for url in ("https://example.com/mcp", "http://127.0.0.1:8000/mcp", "http://localhost/mcp", "http://[::1]:1/mcp"):
        assert checked_address(remote(url, **{**fields, "url": url}))


def test_without_credentials_plain_http_is_reached() -> None:
    assert checked_address(remote("http://example.com/mcp"))
    with pytest.raises(PiscesError):
        checked_address(remote("http://user:password@example.com/mcp"))


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("where", ["another origin", "a file"])
def test_a_redirect_to_somewhere_else_gets_nothing(status: int, where: str, tmp_path: Path) -> None:
    with web(speaks) as other:
        to = f"{other.url}/mcp" if where == "another origin" else "file:///etc/passwd"

        def elsewhere(*_: object) -> Answered:
            return status, {"Location": to}, b""

        with web(elsewhere) as seen:
            plan = remote(seen.url, headers={"X-Key": "k3y"}, places=home_in(tmp_path), start_seconds=5.0)
            state, reason, _ = used(plan)
    assert state == FAILED
    assert reason
    assert other.requests == []


def test_a_redirect_within_the_origin_is_followed(tmp_path: Path) -> None:
    def slash(method: str, path: str, headers: dict[str, str], body: bytes) -> Answered:
        return speaks(method, path, headers, body) if path == "/mcp/" else (307, {"Location": "/mcp/"}, b"")

    with web(slash) as seen:
        assert used(remote(f"{seen.url}/mcp", places=home_in(tmp_path))) == (UP, "", ["only"])


def test_a_server_that_wants_a_login_fails_with_the_command(tmp_path: Path) -> None:
    with web(lambda *_: (401, {"WWW-Authenticate": "Bearer"}, b"")) as seen:
        plan = remote(seen.url, name="my server", places=home_in(tmp_path))
        assert used(plan) == (FAILED, "needs login: `pisces mcp login 'my server'`", [])
        assert used(plan.replace(places=None))[1] == "needs login: `pisces mcp login 'my server'`"


def test_credentials_of_the_entry_that_are_refused_are_named_as_such(tmp_path: Path) -> None:
    with web(lambda *_: (401, {}, b"")) as seen:
        plan = remote(seen.url, headers={"Authorization": "Bearer stale-secret"}, places=home_in(tmp_path))
        state, reason, _ = used(plan)
    assert (state, reason) == (FAILED, "it refuses the credentials of its entry")


def test_an_answer_that_is_compressed_unasked_is_not_unpacked(tmp_path: Path) -> None:
    import gzip

    def packed(*_: object) -> Answered:
        kind = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
        return 200, kind, gzip.compress(b" " * 50_000_000)

    with web(packed) as seen:
        state, reason, _ = used(remote(seen.url, places=home_in(tmp_path), start_seconds=10.0))
    assert state == FAILED
    assert "compressed" in reason
    assert seen.headers("accept-encoding")[0] == "identity"


def test_the_program_for_headers_runs_once_and_its_headers_are_sent(tmp_path: Path) -> None:
    line = f"""echo x >> {tmp_path}/runs; echo '{{"X-Made": "m4de"}}'"""
    with web(speaks) as seen:
        plan = remote(seen.url, headers_helper=line, cwd=str(tmp_path), places=home_in(tmp_path, PATH="/usr/bin:/bin"))
        assert used(plan) == (UP, "", ["only"])
    assert seen.headers("x-made") == ["m4de"] * len(seen.requests)
    assert (tmp_path / "runs").read_text() == "x\n"


@pytest.mark.parametrize(
    "line",
    [
        "echo secret-word",
        "echo '[\"secret-word\"]'",
        "echo '{\"a\": 1}'",
        'echo "{\\"X\\": \\"secret-word\\\\r\\\\nY: 1\\"}"',
        'echo \'{"X Y": "secret-word"}\'',
        "echo '{}'; exit 3",
        "head -c 1000000 /dev/zero",
    ],
)
def test_a_program_that_prints_no_headers_is_a_reason_and_nothing_is_sent(line: str, tmp_path: Path) -> None:
    with web(speaks) as seen:
        plan = remote(seen.url, headers_helper=line, cwd=str(tmp_path), places=home_in(tmp_path, PATH="/usr/bin:/bin"))
        state, reason, _ = used(plan)
    assert state == FAILED
    assert reason.startswith("the program for the headers of `remote` cannot be used")
    assert "secret-word" not in reason
    assert seen.requests == []


def test_a_program_that_prints_no_headers_has_a_rule_of_its_own(tmp_path: Path) -> None:
    plan = remote("http://127.0.0.1:9", headers_helper="echo no", cwd=str(tmp_path), places=home_in(tmp_path))
    with pytest.raises(PiscesError) as caught:
        asyncio.run(helper_headers(plan, {"PATH": "/usr/bin:/bin"}))
    assert caught.value.diagnostic.code == "mcp-headers-helper"


def test_the_program_for_headers_does_not_get_our_keys(tmp_path: Path) -> None:
    line = f"env > {tmp_path}/env; echo '{{}}'"
    with web(speaks) as seen:
        places = home_in(tmp_path, PATH="/usr/bin:/bin", OPENAI_API_KEY="model-key")
        used(remote(seen.url, headers_helper=line, cwd=str(tmp_path), places=places))
    assert "model-key" not in (tmp_path / "env").read_text()


@pytest.mark.parametrize(
    ("url", "env", "proxy"),
    [
        ("https://a.example/x", {"HTTPS_PROXY": "http://p:1"}, "http://p:1"),
        ("https://a.example/x", {"HTTPS_PROXY": "p:1"}, "http://p:1"),
        ("https://a.example/x", {"HTTP_PROXY": "http://p:1"}, ""),
        ("http://a.example/x", {"http_proxy": "http://q:1", "HTTP_PROXY": "http://p:1"}, "http://q:1"),
        ("https://a.example/x", {"ALL_PROXY": "http://p:1", "NO_PROXY": "b.example, .a.example"}, ""),
        ("https://a.example/x", {"ALL_PROXY": "http://p:1", "NO_PROXY": "*"}, ""),
        ("https://nota.example/x", {"ALL_PROXY": "http://p:1", "NO_PROXY": "a.example"}, "http://p:1"),
        ("http://127.0.0.1:1/x", {"HTTP_PROXY": "http://p:1"}, ""),
        ("http://localhost/x", {"HTTP_PROXY": "http://p:1"}, ""),
        ("http://[::1]/x", {"ALL_PROXY": "http://p:1"}, ""),
        ("http://a.example/x", {"HTTP_PROXY": "http://p:1", "REQUEST_METHOD": "GET"}, ""),
    ],
)
def test_proxies_are_those_of_the_environment_and_never_for_this_machine(
    url: str, env: dict[str, str], proxy: str
) -> None:
    assert proxy_for(url, env) == proxy


def test_what_is_asked_for_by_proxy_goes_there(tmp_path: Path) -> None:
    with web(speaks) as seen:
        places = home_in(tmp_path, HTTP_PROXY=seen.url)
        assert used(remote("http://mcp.example/mcp", places=places)) == (UP, "", ["only"])
    assert seen.requests[0][1] == "http://mcp.example/mcp"


@pytest.mark.parametrize(
    ("url", "is_fine"),
    [
        ("https://as.example/token", True),
        ("http://as.example/token", False),
        ("http://127.0.0.1/token", False),
        ("https://localhost/token", False),
        ("https://user@as.example/token", False),
        ("https://as.example/a b", False),
        ('https://as.example/"$(x)', False),
        ("https://as.example/`x`", False),
        ("javascript:alert(1)", False),
        ("file:///etc/passwd", False),
        ("", False),
    ],
)
def test_endpoints_that_a_remote_server_may_name(url: str, is_fine: bool) -> None:
    server = origin_of("https://mcp.example/mcp")
    assert server
    assert (endpoint_flaw(url, server) == "") is is_fine


def test_an_address_is_shown_without_what_may_be_secret() -> None:
    assert shown_address("https://me:pw@A.example:443/p?key=1#f") == "https://a.example/p"


def test_a_server_whose_certificate_nobody_vouches_for_gets_nothing(
    certificate: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with web(speaks, certificate) as seen:
        plan = remote(seen.url, headers={"X-Key": "k3y"}, places=home_in(tmp_path))
        state, reason, _ = used(plan)
        assert state == FAILED
        assert "certificate" in reason.lower()
        assert seen.requests == []
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert used(plan) == (UP, "", ["only"])
