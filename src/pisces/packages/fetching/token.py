"""The user's GitHub token: which hosts get it, and how it is removed from messages."""

from __future__ import annotations

import base64
import re
from urllib.parse import urlsplit

from pisces.packages.fetching.source_urls import GITHUB, github_server

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

API_VARIABLE = "GITHUB_API_URL"
GITHUB_API = "https://api.github.com"
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


def token_in(env: Mapping[str, str]) -> str:
    return (env.get("GITHUB_TOKEN") or env.get("GH_TOKEN") or "").strip()


def api_of(location: str, env: Mapping[str, str]) -> str:
    """The API of a repository. github.com has its own, also for users of a GitHub Enterprise server."""
    server = github_server(env)
    elsewhere = origin_of(server) != origin_of(location) and origin_of(location) == origin_of(GITHUB)
    return GITHUB_API if elsewhere else env.get(API_VARIABLE, "").rstrip("/") or GITHUB_API


def token_for(url: str, env: Mapping[str, str]) -> str:
    """The token, if the URL is on the GitHub server or its API. Never over plain http."""
    token = token_in(env)
    if not token or re.search(r"[\s\x00-\x1f\x7f]", token) or not _is_private(url):
        return ""
    api = env.get(API_VARIABLE, "").rstrip("/") or GITHUB_API
    return token if origin_of(url) in (origin_of(github_server(env)), origin_of(api)) else ""


def origin_of(url: str) -> tuple[str, str, int]:
    """Scheme, host and port. An invalid URL gives a value that equals no other origin."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return "", url, 0
    scheme = parts.scheme.lower()
    return scheme, (parts.hostname or "").lower(), port or (443 if scheme == "https" else 80)


def basic(token: str) -> str:
    """The value of basic authentication. GitHub accepts any user name with a token."""
    return base64.b64encode(f"x-access-token:{token}".encode()).decode()


def without_secrets(text: str, env: Mapping[str, str]) -> str:
    """A foreign text, safe to show: without tokens, passwords in URLs and control characters."""
    for token in (env.get("GITHUB_TOKEN", "").strip(), env.get("GH_TOKEN", "").strip()):
        for secret in (token, basic(token)) if token else ():
            text = text.replace(secret, "***")
    text = re.sub(r"://[^/\s@]+@", "://", text)
    return "".join(char if char.isprintable() else " " for char in text).strip()


def _is_private(url: str) -> bool:
    scheme, host, _port = origin_of(url)
    return scheme == "https" or (scheme == "http" and host in _LOOPBACK)
