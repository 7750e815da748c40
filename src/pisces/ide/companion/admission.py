"""Which requests are accepted: those of programs with the token, never those of a web page.

Order: Origin, Host, token. The head alone decides, so nobody without the token can make the companion read a body.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection

from pisces.ide.companion.http_request import Head
from pisces.ide.companion.reply import Reply, json_reply, text_reply

HOSTS = ("127.0.0.1", "localhost")
CONTAINER_HOSTS = ("host.docker.internal", "host.containers.internal")  # Docker, Podman


def refusal(head: Head, token: str, hosts: Collection[str]) -> Reply | None:
    """Why a request is refused. `hosts` are the accepted values of the Host header, with the port."""
    if "origin" in head.headers:
        return json_reply(403, {"error": "Request denied by CORS policy."})
    if head.headers.get("host", "").lower() not in hosts:  # against DNS rebinding
        return json_reply(403, {"error": "Invalid Host header"})
    words = head.headers.get("authorization", "").split(" ")
    given = words[1] if len(words) == 2 and words[0].lower() == "bearer" else ""
    if not secrets.compare_digest(given.encode(), token.encode()):
        return text_reply(401, "Unauthorized").replace(headers=(("WWW-Authenticate", "Bearer"),))
    return None
