"""Servers and authorization servers that misbehave: nobody gets a token, a code or a browser that should not."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from pisces.diagnostics import PiscesError
from pisces.mcp.client import FAILED, McpClient
from pisces.mcp.connection import ServerAsks, ServerGone
from pisces.mcp.login import log_in
from pisces.mcp.login_callback import LOOPBACK, callback_at
from pisces.mcp.tokens import Grant, TokenStore
from tests.mcp.oauth_plans import allow, home_in, remote, somebody
from tests.mcp.servers.oauth_misbehaving import (
    ACCESS,
    CODE,
    METADATA,
    REFRESH,
    RESOURCE,
    Authority,
    authority,
    json_answer,
)
from tests.mcp.servers.oauth_web import speaks, web

SECRETS = (ACCESS, CODE, REFRESH)


@pytest.fixture
def server() -> Iterator[Authority]:
    with authority() as made:
        yield made


def logged_in(server: Authority, home: Path, config: dict[str, Any] | None = None, **person: Any) -> Grant:
    places = home_in(home)
    plan = remote(server.url, config=config or {})
    return asyncio.run(log_in(plan, TokenStore(places), places.env, somebody(**person)))


def failure(server: Authority, home: Path, config: dict[str, Any] | None = None, **person: Any) -> str:
    with pytest.raises(PiscesError) as error:
        logged_in(server, home, config, **person)
    diagnostic = error.value.diagnostic
    assert diagnostic.code == "mcp-login-failed"
    assert not [each for each in SECRETS if each in f"{diagnostic}{error.value}"]
    assert TokenStore(home_in(home)).logins() == ()
    return diagnostic.message


def test_the_well_behaved_one_logs_in(server: Authority, tmp_path: Path) -> None:
    grant = logged_in(server, tmp_path)
    assert (grant.access, grant.refresh, grant.issuer) == (ACCESS, REFRESH, server.base)
    [sent] = server.sent_to("/token")
    assert sent["resource"] == [server.url]
    assert len(sent["code_verifier"][0]) >= 43


@pytest.mark.parametrize(
    ("path", "fields", "message"),
    [
        (METADATA, {"issuer": "https://other.example"}, "another authorization server"),
        (METADATA, {"issuer": None}, "another authorization server"),
        (METADATA, {"code_challenge_methods_supported": None}, "PKCE"),
        (METADATA, {"code_challenge_methods_supported": ["plain"]}, "PKCE"),
        (METADATA, {"response_types_supported": ["token"]}, "no authorization codes"),
        (METADATA, {"authorization_endpoint": "file:///etc/passwd"}, "is no http or https address"),
        (METADATA, {"authorization_endpoint": "javascript:alert(1)"}, "is no http or https address"),
        (METADATA, {"authorization_endpoint": 'https://a.example/"$(calc)"'}, "is no http or https address"),
        (METADATA, {"authorization_endpoint": "-new-window"}, "is no http or https address"),
        (METADATA, {"authorization_endpoint": "http://a.example/authorize"}, "is plain http"),
        (METADATA, {"token_endpoint": "http://a.example/token"}, "is plain http"),
        (METADATA, {"token_endpoint": ["x"]}, "is no http or https address"),
        (METADATA, {"registration_endpoint": None}, "registers no clients"),
        (METADATA, {"registration_endpoint": "http://a.example/register"}, "registers no clients"),
        (f"{RESOURCE}/mcp", {"resource": "https://bank.example/mcp"}, "about another resource"),
        (f"{RESOURCE}/mcp", {"resource": None}, "about another resource"),
        (f"{RESOURCE}/mcp", {"authorization_servers": ["file:///etc"]}, "is no http or https address"),
        (f"{RESOURCE}/mcp", {"authorization_servers": ["http://a.example"]}, "is plain http"),
        ("/register", {"client_id": None}, "no identity"),
        ("/register", {"token_endpoint_auth_method": "private_key_jwt"}, "in a way that we cannot"),
        ("/register", {"token_endpoint_auth_method": "client_secret_post"}, "in a way that we cannot"),
        ("/register", {"redirect_uris": ["https://evil.example/"]}, "another redirect address"),
        ("/token", {"access_token": None}, "without a token"),
        ("/token", {"access_token": "line\r\nX-Evil: 1"}, "without a token"),
        ("/token", {"access_token": "x" * 100_000}, "without a token"),
        ("/token", {"token_type": "mac"}, "no bearer token"),
    ],
)
def test_a_lie_ends_the_login(
    server: Authority, tmp_path: Path, path: str, fields: dict[str, Any], message: str
) -> None:
    server.changed[path] = fields
    assert message in failure(server, tmp_path)


@pytest.mark.parametrize(
    ("redirected", "message"),
    [
        ({"iss": "https://other.example"}, "another authorization server"),
        (
            {"code": "", "error": "access_denied", "error_description": "no \x1b[31mway"},
            r"access_denied no \x1b[31mway",
        ),
        ({"code": ""}, "it sent no code"),
    ],
)
def test_what_comes_back_with_the_browser_is_checked(
    server: Authority, tmp_path: Path, redirected: dict[str, str], message: str
) -> None:
    server.redirected = redirected
    assert message in failure(server, tmp_path)
    assert server.sent_to("/token") == []


def test_a_server_that_promised_its_name_with_the_code_must_send_it(server: Authority, tmp_path: Path) -> None:
    server.changed[METADATA] = {"authorization_response_iss_parameter_supported": True}
    assert "does not say which" in failure(server, tmp_path)
    server.redirected = {"iss": server.base}
    assert logged_in(server, tmp_path)


def test_a_wrong_state_is_no_answer_and_its_code_is_not_used(server: Authority, tmp_path: Path) -> None:
    server.redirected = {"state": "guessed"}
    assert "wrong state" in failure(server, tmp_path, seconds=0.3)
    assert server.sent_to("/token") == []


def test_a_pasted_address_with_a_wrong_state_is_refused(server: Authority, tmp_path: Path) -> None:
    async def nothing(_url: str) -> None: ...

    async def pasted() -> str:
        return f"http://127.0.0.1:1/callback?code={CODE}&state=guessed"

    assert "wrong state" in failure(server, tmp_path, show=nothing, paste=pasted)


def _huge(_target: str, _body: bytes) -> Any:
    return 200, {"Content-Type": "application/json"}, b'{"a": "' + b"x" * 3_000_000 + b'"}'


def _deep(_target: str, _body: bytes) -> Any:
    return 200, {"Content-Type": "application/json"}, b"[" * 200_000


def _text(_target: str, _body: bytes) -> Any:
    return 200, {"Content-Type": "text/html"}, b"<script>"


@pytest.mark.parametrize("path", [f"{RESOURCE}/mcp", METADATA, "/register", "/token"])
@pytest.mark.parametrize("whole", [_huge, _deep, _text])
def test_an_answer_that_is_none_ends_the_login(
    server: Authority, tmp_path: Path, path: str, whole: Callable[[str, bytes], Any]
) -> None:
    server.whole[path] = whole
    if path == f"{RESOURCE}/mcp" and whole is not _huge:
        assert logged_in(server, tmp_path)  # a server without metadata of its own: its origin gives the tokens
    else:
        assert failure(server, tmp_path)


@pytest.mark.parametrize("path", [f"{RESOURCE}/mcp", METADATA, "/register", "/token"])
def test_a_redirect_of_the_login_to_another_origin_is_not_followed(
    server: Authority, tmp_path: Path, path: str
) -> None:
    with web(speaks) as other:
        server.whole[path] = lambda target, _body: (307, {"Location": f"{other.url}{target}"}, b"")
        if path == f"{RESOURCE}/mcp":
            logged_in(server, tmp_path)
        else:
            failure(server, tmp_path)
    assert other.requests == []


def test_metadata_elsewhere_are_not_read(server: Authority, tmp_path: Path) -> None:
    """The header of a refusal may name any address; only the server's own is asked."""
    with web(speaks) as other:
        header = {"WWW-Authenticate": f'Bearer resource_metadata="{other.url}/x"'}
        server.whole["/mcp"] = lambda *_: (401, header, b"")
        assert logged_in(server, tmp_path)
    assert other.requests == []


def test_a_refused_registration_says_why_and_what_to_do(server: Authority, tmp_path: Path) -> None:
    said = {"error": "invalid_client_metadata", "error_description": "only for \x07partners"}
    server.whole["/register"] = lambda *_: json_answer(said, 400)
    with pytest.raises(PiscesError) as error:
        logged_in(server, tmp_path)
    assert r"only for \x07partners" in error.value.diagnostic.message
    assert "clientId" in error.value.diagnostic.hint


def test_a_token_endpoint_that_repeats_our_secrets_is_not_repeated(server: Authority, tmp_path: Path) -> None:
    def echo(_target: str, body: bytes) -> Any:
        return json_answer({"error": body.decode(), "error_description": body.decode()}, 400)

    server.whole["/token"] = echo
    assert failure(server, tmp_path) == f"{server.base}/token gives no token: HTTP 400"


def test_a_server_that_refuses_every_token_is_asked_twice_and_no_more(server: Authority, tmp_path: Path) -> None:
    logged_in(server, tmp_path)
    server.accepts = set()
    before = len(server.seen.requests)
    state, reason = _used(server, tmp_path)
    assert state == FAILED
    assert reason.startswith("needs login")
    asked = [path for _, path, _, _ in server.seen.requests[before:]]
    assert asked.count("/token") == 1
    assert asked.count("/mcp") == 2


def _used(server: Authority, home: Path, config: dict[str, Any] | None = None) -> tuple[str, str]:
    async def reason() -> tuple[str, str]:
        plan = remote(server.url, config=config or {}, places=home_in(home))
        client = McpClient(plan, ServerAsks(), allow)
        try:
            await client.tools()
        except ServerGone:
            return client.state, client.reason
        finally:
            await client.close()
        return "up", ""

    return asyncio.run(reason())


def test_a_refresh_token_goes_to_where_the_token_came_from_whatever_the_server_says_now(
    server: Authority, tmp_path: Path
) -> None:
    logged_in(server, tmp_path)
    server.accepts = {"access-secret-2"}
    server.changed["/token"] = {"access_token": "access-secret-2", "refresh_token": "refresh-secret-2"}
    with web(speaks) as thief:
        server.changed[f"{RESOURCE}/mcp"] = {"authorization_servers": [thief.url]}
        server.changed[METADATA] = {"token_endpoint": f"{thief.url}/token"}
        assert _used(server, tmp_path) == ("up", "")
    assert thief.requests == []
    assert server.sent_to("/token")[-1]["refresh_token"] == [REFRESH]


def test_two_servers_of_one_issuer_do_not_get_each_others_tokens(server: Authority, tmp_path: Path) -> None:
    """The second server names the issuer of the first, and even its resource."""
    logged_in(server, tmp_path)
    with authority() as other:
        other.changed[f"{RESOURCE}/mcp"] = {"authorization_servers": [server.base]}
        assert _used(other, tmp_path)[1] == "needs login: `pisces mcp login remote`"
        other.changed[f"{RESOURCE}/mcp"]["resource"] = server.url
        places = home_in(tmp_path)
        with pytest.raises(PiscesError, match="about another resource"):
            asyncio.run(log_in(remote(other.url), TokenStore(places), places.env, somebody()))
        sent = json.dumps([headers for _, _, headers, _ in other.seen.requests])
    assert ACCESS not in sent


def test_nobody_logs_in_over_plain_http(server: Authority, tmp_path: Path) -> None:
    """A proxy would see the request, if there were one."""
    places = home_in(tmp_path, HTTP_PROXY=server.base)
    with pytest.raises(PiscesError, match="plain http"):
        asyncio.run(log_in(remote("http://mcp.example/mcp"), TokenStore(places), places.env, somebody()))
    assert server.seen.requests == []


def test_a_client_of_the_entry_identifies_itself_and_its_secret_is_not_stored(
    server: Authority, tmp_path: Path
) -> None:
    config = {"oauth": {"clientId": "mine", "clientSecret": "client-secret-1", "scopes": ["a", "b"]}}
    logged_in(server, tmp_path, config)
    assert server.sent_to("/register") == []
    basic = [headers.get("authorization") for _, path, headers, _ in server.seen.requests if path == "/token"]
    assert basic == ["Basic bWluZTpjbGllbnQtc2VjcmV0LTE="]
    stored = TokenStore(home_in(tmp_path)).find(server.url, "mine")
    assert stored
    assert stored.client_secret == ""
    assert _used(server, tmp_path, config) == ("up", "")


def test_client_credentials_need_nobody(server: Authority, tmp_path: Path) -> None:
    oauth = {"clientId": "mine", "clientSecret": "client-secret-1", "grantType": "client_credentials", "scope": "a"}
    assert _used(server, tmp_path, {"oauth": oauth}) == ("up", "")
    [sent] = server.sent_to("/token")
    assert (sent["grant_type"], sent["scope"], sent["resource"]) == (["client_credentials"], ["a"], [server.url])


def test_an_entry_may_say_where_one_logs_in(server: Authority, tmp_path: Path) -> None:
    server.whole[METADATA] = server.whole[f"{RESOURCE}/mcp"] = lambda *_: (404, {}, b"")
    oauth = {
        "enabled": True,
        "clientId": "mine",
        "authorizationUrl": f"{server.base}/authorize",
        "tokenUrl": f"{server.base}/token",
    }
    assert logged_in(server, tmp_path, {"oauth": oauth}).access == ACCESS


@pytest.mark.parametrize("status", [500, 503, 429])
def test_a_server_in_trouble_is_not_taken_for_one_without_metadata(
    server: Authority, tmp_path: Path, status: int
) -> None:
    server.whole[f"{RESOURCE}/mcp"] = lambda *_: (status, {}, b"")
    assert f"HTTP {status}" in failure(server, tmp_path)


def test_an_entry_that_wants_no_oauth_gets_none(server: Authority, tmp_path: Path) -> None:
    assert "no OAuth login" in failure(server, tmp_path, {"oauth": False})


def test_the_callback_answers_only_its_own_host_and_path_and_runs_no_script() -> None:
    async def answers() -> list[tuple[int, str]]:
        found = []
        async with callback_at(0, "/callback", "s3cret") as callback, httpx2.AsyncClient(trust_env=False) as client:
            base = f"http://{LOOPBACK}:{callback.port}"
            for target, headers in (
                ("/callback?state=s3cret&code=x", {"Host": "evil.example"}),
                ("/callback?state=s3cret&code=x", {"Host": f"evil.example:{callback.port}"}),
                ("/other?state=s3cret&code=x", {}),
                ("/callback?state=wrong&code=x", {}),
                ("/callback?state=s3cret&state=s3cret&code=x", {}),
                ("/callback?state=s3cret&code=<script>", {}),
                ("/callback?state=s3cret&code=second", {}),
            ):
                response = await client.get(f"{base}{target}", headers=headers)
                assert response.headers["content-security-policy"].startswith("default-src 'none'")
                assert "script" not in response.text
                found.append((response.status_code, target))
            assert (await callback.answer(1)).code == "<script>"
            assert (await client.post(f"{base}/callback?state=s3cret")).status_code == 404
        return found

    assert [status for status, _ in asyncio.run(answers())] == [421, 421, 404, 400, 400, 200, 410]


def test_a_connection_that_says_nothing_does_not_hold_up_the_login(server: Authority, tmp_path: Path) -> None:
    """Browsers open connections that they never use."""
    opened: list[asyncio.StreamWriter] = []

    async def show(url: str) -> None:
        port = int(httpx2.URL(httpx2.URL(url).params["redirect_uri"]).port or 0)
        _, idle = await asyncio.open_connection(LOOPBACK, port)
        await somebody().show(url)
        opened.append(idle)

    async def login() -> str:
        places = home_in(tmp_path)
        grant = await log_in(remote(server.url), TokenStore(places), places.env, somebody(show=show))
        opened[0].close()
        await opened[0].wait_closed()
        return grant.access

    assert asyncio.run(login()) == ACCESS


@pytest.mark.parametrize("path", ["/mcp", f"{RESOURCE}/mcp", METADATA, "/register", "/token"])
def test_an_answer_that_does_not_come_ends_the_login_in_time(server: Authority, tmp_path: Path, path: str) -> None:
    is_over = threading.Event()

    def silent(_target: str, _body: bytes) -> Any:
        is_over.wait(20)
        return 200, {}, b"{}"

    server.whole[path] = silent
    try:
        message = failure(server, tmp_path, seconds=0.5)
    finally:
        is_over.set()
    assert "did not answer in 0.5 seconds" in message or "does not answer" in message


def test_a_server_that_wants_more_rights_says_how(server: Authority, tmp_path: Path) -> None:
    logged_in(server, tmp_path)
    header = {"WWW-Authenticate": 'Bearer error="insufficient_scope", scope="files:write `x`"'}
    server.whole["/mcp"] = lambda *_: (403, header, b"")
    state, reason = _used(server, tmp_path)
    assert (state, reason) == (FAILED, "needs login for more: `pisces mcp login remote --scope 'files:write `x`'`")


def test_a_token_does_not_go_over_plain_http_even_if_somebody_stored_one(server: Authority, tmp_path: Path) -> None:
    grant = logged_in(server, tmp_path)
    places = home_in(tmp_path, HTTP_PROXY=server.base)
    TokenStore(places).put(grant.replace(url="http://mcp.example/mcp"), "remote")

    async def used() -> None:
        client = McpClient(remote("http://mcp.example/mcp", places=places), ServerAsks(), allow)
        with pytest.raises(ServerGone):
            await client.tools()
        await client.close()

    before = len(server.seen.requests)
    asyncio.run(used())
    sent = [headers for _, path, headers, _ in server.seen.requests[before:] if path.startswith("http://mcp.example")]
    assert sent
    assert not [headers for headers in sent if "authorization" in headers]
