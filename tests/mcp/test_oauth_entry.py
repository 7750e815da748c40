"""What entries say about a login, in the spelling of each program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pisces.diagnostics import Diagnostic
from pisces.discovery.found import PROJECT, USER, Found, Source
from pisces.mcp.oauth import CLIENT_CREDENTIALS, oauth_entry
from pisces.mcp.oauth_discovery import challenge_in
from pisces.mcp.plan import ServerPlan
from pisces.mcp.planned import plan_of
from pisces.shapes.mcp_server import McpServer
from tests.mcp.oauth_plans import home_in, remote


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({"oauth": {"clientId": "c", "scopes": ["a", "b"]}}, {"client_id": "c", "scopes": ("a", "b")}),
        ({"oauth": {"clientId": "c", "scopes": "a b"}}, {"client_id": "c", "scopes": ("a", "b")}),
        ({"oauth": {"clientId": "c", "scope": "a b"}}, {"client_id": "c", "scopes": ("a", "b")}),
        ({"oauth": {"client_id": "c"}, "scopes": ["a"]}, {"client_id": "c", "scopes": ("a",)}),
        ({"oauth": {"callbackPort": 81}}, {"callback_port": 81, "callback_host": "localhost"}),
        ({"oauth": {"callback_port": 81}}, {"callback_port": 81, "callback_host": ""}),
        ({"oauth": {"callbackPort": 99999}}, {"callback_port": 0}),
        ({"oauth": {"callbackPort": "81"}}, {"callback_port": 0}),
        ({"oauth": {"authServerMetadataUrl": "https://a/m"}}, {"metadata_url": "https://a/m"}),
        ({"oauth": {"authorizationUrl": "https://a", "tokenUrl": "https://t"}}, {"token_url": "https://t"}),
        ({"oauth": {"redirectUri": "http://localhost:1/x"}}, {"redirect_uri": "http://localhost:1/x"}),
        ({"oauth": {"audiences": ["x"]}}, {"audiences": ("x",)}),
        ({"oauth": {"grant_type": "client_credentials"}}, {"grant": CLIENT_CREDENTIALS}),
        ({"oauth": {"grantType": "password"}}, {"grant": "authorization_code"}),
        ({"oauth_resource": "api://x"}, {"resource": "api://x"}),
        ({"oauth": False}, {"is_off": True}),
        ({"oauth": {"enabled": False}}, {"is_off": True}),
        ({"oauth": {"clientId": ["x"], "scopes": {"a": 1}, "tokenUrl": None}}, {"client_id": "", "scopes": ()}),
    ],
)
def test_every_spelling_is_read(config: dict[str, Any], expected: dict[str, Any]) -> None:
    entry = oauth_entry(remote("https://mcp.example", config=config))
    assert {name: getattr(entry, name) for name in expected} == expected


def planned(home: Path, config: dict[str, Any], level: str = USER, harness: str = "gemini") -> ServerPlan:
    path = str(home / "settings.json")
    server = McpServer("linear", config, path, ("mcpServers", "linear"))
    found = Found(server, Source(harness, harness, path, level))
    plan = plan_of(found, home_in(home, MY_SECRET="s3cret-value"))
    assert not isinstance(plan, Diagnostic)
    return plan


def test_a_secret_of_the_client_is_filled_in_and_never_shown(tmp_path: Path) -> None:
    oauth = {"clientId": "c", "clientSecret": "$MY_SECRET", "tokenUrl": "https://as.example/token?key=$MY_SECRET"}
    plan = planned(tmp_path, {"httpUrl": "https://mcp.example", "oauth": oauth}, PROJECT)
    assert oauth_entry(plan).client_secret == "s3cret-value"
    assert "s3cret-value" not in plan.exact
    assert "s3cret-value" not in f"{plan.request}"


def test_where_the_secret_would_be_sent_is_part_of_what_is_asked_about(tmp_path: Path) -> None:
    config = {"httpUrl": "https://mcp.example", "oauth": {"tokenUrl": "https://evil.example/token"}}
    plain = planned(tmp_path, {"httpUrl": "https://mcp.example"}, PROJECT).request.exact
    assert plain == "https://mcp.example"
    assert planned(tmp_path, config, PROJECT).request.exact == f"{plain} (login: https://evil.example/token)"


def test_the_program_for_headers_is_part_of_what_is_asked_about_without_values(tmp_path: Path) -> None:
    config = {"type": "http", "url": "https://mcp.example", "headersHelper": "make-headers ${MY_SECRET}"}
    plan = planned(tmp_path, config, PROJECT, "claude")
    assert plan.headers_helper == "make-headers s3cret-value"
    assert plan.request.exact == "https://mcp.example (headers: make-headers ${MY_SECRET})"
    assert "s3cret-value" not in f"{plan.request}"


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ([], ("", "", "")),
        (["Bearer"], ("", "", "")),
        (['Bearer resource_metadata="https://a/m", scope="x y"'], ("https://a/m", "x y", "")),
        (["Bearer resource_metadata=https://a/m,error=invalid_token"], ("https://a/m", "", "invalid_token")),
        (['Basic realm="x"', 'Bearer scope="a"'], ("", "a", "")),
        (['Bearer scope="a\\"b"'], ("", 'a"b', "")),
        (['Bearer scope="first", scope="second"'], ("", "first", "")),
        (['Bearer scope="never closed'], ("", "", "")),
        (["x=" * 100_000], ("", "", "")),
    ],
)
def test_what_a_refusal_says_is_read(headers: list[str], expected: tuple[str, str, str]) -> None:
    assert challenge_in(headers).as_tuple() == expected
