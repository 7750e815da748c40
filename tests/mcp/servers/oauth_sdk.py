"""A resource server and its authorization server by the official SDK, in a thread, on loopback. All are approved."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import mcp_types as types
import uvicorn
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    ProviderTokenVerifier,
    RefreshToken,
    construct_redirect_uri,
)
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions, RevocationOptions
from mcp.server.lowlevel import Server
from mcp.server.mcpserver import MCPServer
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from pydantic import AnyHttpUrl

from tests.mcp.servers.oauth_ports import free_port


class Approving:
    """Codes and tokens in memory. `log` has what was asked for; `life` is that of an access token in seconds."""

    def __init__(self, life: int = 3600) -> None:
        self.life = life
        self.log: list[str] = []
        self.clients: dict[str, OAuthClientInformationFull] = {}
        self.codes: dict[str, AuthorizationCode] = {}
        self.access: dict[str, AccessToken] = {}
        self.refresh: dict[str, RefreshToken] = {}
        self.every_token: set[str] = set()
        self.resources: list[str | None] = []

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        return self.clients.get(client_id)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        self.log.append("register")
        assert client_info.client_id
        self.clients[client_info.client_id] = client_info

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        self.log.append("authorize")
        self.resources.append(params.resource)
        code = secrets.token_hex(16)
        assert client.client_id
        self.codes[code] = AuthorizationCode(
            code=code,
            scopes=params.scopes or [],
            expires_at=time.time() + 60,
            client_id=client.client_id,
            code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly,
            resource=params.resource,
        )
        return construct_redirect_uri(str(params.redirect_uri), code=code, state=params.state)

    async def load_authorization_code(self, _client: Any, authorization_code: str) -> AuthorizationCode | None:
        return self.codes.get(authorization_code)

    async def exchange_authorization_code(self, client: Any, authorization_code: AuthorizationCode) -> OAuthToken:
        self.log.append("code")
        del self.codes[authorization_code.code]
        return self._issued(client.client_id, authorization_code.scopes, authorization_code.resource)

    async def load_refresh_token(self, _client: Any, refresh_token: str) -> RefreshToken | None:
        return self.refresh.get(refresh_token)

    async def exchange_refresh_token(self, client: Any, refresh_token: RefreshToken, scopes: list[str]) -> OAuthToken:
        self.log.append("refresh")
        del self.refresh[refresh_token.token]  # each refresh token works once
        return self._issued(client.client_id, scopes, self.resources[-1])

    async def load_access_token(self, token: str) -> AccessToken | None:
        found = self.access.get(token)
        return found if found and (found.expires_at or 0) > time.time() else None

    async def revoke_token(self, token: Any) -> None:
        self.log.append("revoke")
        self.access.pop(token.token, None)
        self.refresh.pop(token.token, None)

    def _issued(self, client_id: str, scopes: list[str], resource: str | None) -> OAuthToken:
        access, refresh = secrets.token_hex(16), secrets.token_hex(16)
        self.every_token |= {access, refresh}
        until = int(time.time()) + self.life
        self.access[access] = AccessToken(
            token=access, client_id=client_id, scopes=scopes, expires_at=until, resource=resource
        )
        self.refresh[refresh] = RefreshToken(token=refresh, client_id=client_id, scopes=scopes)
        return OAuthToken(access_token=access, expires_in=self.life, refresh_token=refresh, scope=" ".join(scopes))


class Running:
    def __init__(self, provider: Approving, base: str, path: str) -> None:
        self.provider, self.base, self.url = provider, base, f"{base}{path}"


async def _tools(_context: Any, _params: Any) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[types.Tool(name="only", input_schema={"type": "object"})])


async def _call(_context: Any, _params: Any) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text="done")])


@contextmanager
def authorizing_server(life: int = 3600) -> Iterator[Running]:
    """Over streamable HTTP."""
    provider, port = Approving(life), free_port()
    server: Any = Server("authorized", on_list_tools=_tools, on_call_tool=_call)
    verifier = ProviderTokenVerifier(provider)  # type: ignore[arg-type]  # without the newest grant
    settings = _settings(port, "/mcp")
    with serving(
        server.streamable_http_app(auth=settings, auth_server_provider=provider, token_verifier=verifier), port
    ):
        yield Running(provider, f"http://127.0.0.1:{port}", "/mcp")


@contextmanager
def authorizing_sse_server() -> Iterator[Running]:
    """Over the older transport."""
    provider, port = Approving(3600), free_port()
    server: Any = MCPServer("authorized", auth=_settings(port, "/sse"), auth_server_provider=provider)  # type: ignore[arg-type]
    server.tool(name="only")(lambda: "done")
    server.tool(name="large")(lambda: "x" * 3_000_000)
    with serving(server.sse_app(), port):
        yield Running(provider, f"http://127.0.0.1:{port}", "/sse")


def _settings(port: int, path: str) -> AuthSettings:
    base = f"http://127.0.0.1:{port}"
    registration = ClientRegistrationOptions(enabled=True, valid_scopes=["use", "more"], default_scopes=["use"])
    return AuthSettings(
        issuer_url=AnyHttpUrl(base),
        resource_server_url=AnyHttpUrl(f"{base}{path}"),
        required_scopes=["use"],
        validate_token_resource=True,
        client_registration_options=registration,
        revocation_options=RevocationOptions(enabled=True),
    )


@contextmanager
def serving(app: Any, port: int) -> Iterator[None]:
    """An ASGI application in a thread of its own until the block ends."""
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_level="error", lifespan="on"))
    started = threading.Event()
    run = server.startup

    async def startup(*args: Any, **named: Any) -> None:
        await run(*args, **named)
        started.set()

    server.startup = startup  # type: ignore[method-assign]
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    assert started.wait(20)
    try:
        yield
    finally:
        server.should_exit = server.force_exit = True
        thread.join(10)
