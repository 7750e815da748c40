"""Which model servers run on this machine, and which models they have: one request each to loopback."""

from __future__ import annotations

import http.client
import json
import threading
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pisces.models.addresses import is_loopback
from pisces.models.providers import LOCAL, LocalServer
from pisces.value import EMPTY, Value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pisces.places import Places

SECONDS = 0.3
_MOST_BYTES = 1_000_000
_MOST_MODELS = 500
_LONGEST_NAME = 200
_WINDOWS = ("max_model_len", "loaded_context_length", "context_length", "context_window")  # of vLLM, LM Studio, others
_NO_CHAT = ("embed", "rerank", "whisper")


class RunningServer(Value):
    """`windows` are tokens, for the models whose window the server tells."""

    id: str
    url: str
    models: tuple[str, ...]
    windows: Mapping[str, int] = EMPTY


def address_of(server: LocalServer, places: Places) -> str:
    """`OLLAMA_HOST` may be a host, a port behind a colon, or an address; 0.0.0.0 is what a server listens on."""
    given = places.env.get(server.variable, "").strip() if server.variable else ""
    if not given:
        return server.url
    port = urlsplit(server.url).port
    scheme, mark, rest = given.partition("://")
    scheme, rest = (scheme.lower(), rest) if mark else ("http", given)
    host = rest.split("/")[0].rstrip(":")
    host = f"127.0.0.1{host}" if host.startswith(":") else host.replace("0.0.0.0", "127.0.0.1")
    has_port = host.rpartition(":")[2].isdecimal() and not host.endswith("]")
    if not has_port:
        host = f"{host}:{port if scheme == 'http' else 443}"
    return f"{scheme}://{host}/v1"


def running_servers(
    places: Places, servers: Sequence[LocalServer] = LOCAL, seconds: float = SECONDS
) -> list[RunningServer]:
    """Those that answer in time, in the order of the table. All are asked at once, and none but those on loopback."""
    addresses = [(server.id, address_of(server, places)) for server in servers]
    asked = [_Asked(name, url) for name, url in addresses if is_loopback(url)]
    end = time.monotonic() + seconds
    for each in asked:
        each.start()
    for each in asked:
        each.join(max(0.0, end - time.monotonic()))
    return [each.found for each in asked if each.found is not None]


class _Asked(threading.Thread):
    """A daemon: a server that never ends its answer holds nobody up."""

    def __init__(self, name: str, url: str) -> None:
        super().__init__(daemon=True)
        self._server, self._url = name, url
        self.found: RunningServer | None = None

    def run(self) -> None:
        try:
            models = _models_at(self._url)
        except (OSError, http.client.HTTPException, ValueError, RecursionError):
            return  # nobody is there, or somebody else
        if models:
            windows = {name: window for name, window in models.items() if window}
            self.found = RunningServer(self._server, self._url, tuple(models), windows)


def _models_at(url: str) -> dict[str, int]:
    """Names with their windows, 0 where the server does not tell."""
    parts = urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=SECONDS)
    try:
        connection.request("GET", f"{parts.path}/models", headers={"accept": "application/json"})
        response = connection.getresponse()
        given: Any = json.loads(response.read(_MOST_BYTES)) if response.status == 200 else {}
    finally:
        connection.close()
    listed = given.get("data") if isinstance(given, dict) else None
    models = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    return {each["id"]: _window(each) for each in models[:_MOST_MODELS] if _talks(each.get("id"))}


def _window(model: Mapping[str, Any]) -> int:
    """What a server says that it reads, not what the model could: that may be more than it was started with."""
    meta = model.get("meta")
    given = [model.get(name) for name in _WINDOWS] + [meta.get("n_ctx") if isinstance(meta, dict) else None]
    return next((each for each in given if type(each) is int and each > 0), 0)


def _talks(name: Any) -> bool:
    if not isinstance(name, str) or not name.isprintable() or not 0 < len(name) < _LONGEST_NAME:
        return False
    return not any(word in name.lower() for word in _NO_CHAT)
