"""A resource server and authorization server on loopback of which a test changes one answer at a time."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from tests.mcp.servers.oauth_web import Answered, Seen, speaks, web

ACCESS, REFRESH, CODE = "access-secret-1", "refresh-secret-1", "code-secret-1"
RESOURCE = "/.well-known/oauth-protected-resource"
METADATA = "/.well-known/oauth-authorization-server"


class Authority:
    """`changed` replaces fields of an answer, by path; `whole` replaces an answer, by path."""

    def __init__(self) -> None:
        self.changed: dict[str, dict[str, Any]] = {}
        self.whole: dict[str, Callable[[str, bytes], Answered]] = {}
        self.redirected: dict[str, str] = {}  # added to what the browser comes back with; an empty text removes
        self.accepts = {ACCESS}
        self.seen: Seen
        self.url = self.base = ""

    def sent_to(self, path: str) -> list[dict[str, list[str]]]:
        return [parse_qs(body.decode()) for _, at, _, body in self.seen.requests if urlsplit(at).path == path]

    def answer(self, method: str, target: str, headers: dict[str, str], body: bytes) -> Answered:
        path = urlsplit(target).path
        if path in self.whole:
            return self.whole[path](target, body)
        if path == "/mcp":
            token = headers.get("authorization", "").removeprefix("Bearer ")
            return speaks(method, path, headers, body) if token in self.accepts else self._challenge()
        if path == "/authorize":
            return self._authorized(target)
        pages = {f"{RESOURCE}/mcp": self._resource, METADATA: self._metadata, "/token": self._token}
        made = {**pages, "/register": self._registered}.get(path)
        if made is None:
            return 404, {}, b""
        fields = {key: value for key, value in {**made(), **self.changed.get(path, {})}.items() if value is not None}
        return json_answer(fields, 201 if path == "/register" else 200)

    def _challenge(self) -> Answered:
        return 401, {"WWW-Authenticate": f'Bearer resource_metadata="{self.base}{RESOURCE}/mcp"'}, b""

    def _resource(self) -> dict[str, Any]:
        return {"resource": self.url, "authorization_servers": [self.base]}

    def _metadata(self) -> dict[str, Any]:
        return {
            "issuer": self.base,
            "authorization_endpoint": f"{self.base}/authorize",
            "token_endpoint": f"{self.base}/token",
            "registration_endpoint": f"{self.base}/register",
            "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["S256"],
        }

    def _registered(self) -> dict[str, Any]:
        return {"client_id": "client-1"}

    def _token(self) -> dict[str, Any]:
        return {"access_token": ACCESS, "token_type": "Bearer", "expires_in": 3600, "refresh_token": REFRESH}

    def _authorized(self, target: str) -> Answered:
        asked = {name: values[0] for name, values in parse_qs(urlsplit(target).query).items()}
        back = {"code": CODE, "state": asked["state"], **self.redirected}
        query = urlencode({name: text for name, text in back.items() if text})
        return 302, {"Location": f"{asked['redirect_uri']}?{query}"}, b""


def json_answer(value: Any, status: int = 200) -> Answered:
    return status, {"Content-Type": "application/json"}, json.dumps(value).encode()


@contextmanager
def authority() -> Iterator[Authority]:
    made = Authority()
    with web(made.answer) as seen:
        made.seen, made.base, made.url = seen, seen.url, f"{seen.url}/mcp"
        yield made
