"""What MCP servers that run have at which address, as they listed it last. Asking never waits, and starts no server."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any

from pisces.mcp.client import UP
from pisces.mcp.connection import ServerError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from pisces.mcp.servers import ReviewedServer
    from pisces.session.session import Session

_FRESH = 10.0  # seconds for which a list is good
_SECONDS = 10.0  # that a server has for it
_MOST = 500  # addresses of one server
_ADDRESS = re.compile(r"\S{1,2000}")
_SERVER = re.compile(r"[\w.-]{1,100}")


class ResourceNames:
    def __init__(self, session: Session, clock: Callable[[], float]) -> None:
        self._session, self._clock = session, clock
        self._listed: dict[str, Mapping[str, str]] = {}
        self._asked_at: dict[str, float] = {}

    @property
    def names(self) -> dict[str, str]:
        """`server:address` and what is there. Lists that are old are asked for meanwhile."""
        running = {name: each for name, each in self._session.host.servers.items() if each.state == UP}
        for name, server in running.items():
            if self._clock() - self._asked_at.get(name, -_FRESH) >= _FRESH and _SERVER.fullmatch(name):
                self._asked_at[name] = self._clock()
                self._session.start_beside(self._renewed(server))
        return {each: about for name in running for each, about in self._listed.get(name, {}).items()}

    async def _renewed(self, server: ReviewedServer) -> None:
        found: dict[str, str] = {}
        for listed, key in ((server.resources, "uri"), (server.templates, "uriTemplate")):
            if server.state != UP:  # asking would start it
                return
            try:
                async with asyncio.timeout(_SECONDS):
                    found.update(_addresses(server.name, key, await listed()))
            except (ServerError, TimeoutError):
                continue  # it has no such list, or gives none
        self._listed[server.name] = found


def _addresses(server: str, key: str, items: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """Of a template what stands before its first variable. An address that nobody can type is left out."""
    for _, item in zip(range(_MOST), items, strict=False):
        address = str(item.get(key) or "")
        if not _ADDRESS.fullmatch(address) or not address.isprintable():
            continue
        name = str(item.get("title") or item.get("name") or "")
        is_template = key == "uriTemplate"
        yield (
            f"{server}:{address.partition('{')[0] if is_template else address}",
            f"{address} {name}" if is_template else name,
        )
