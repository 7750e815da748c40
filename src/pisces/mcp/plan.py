"""How one server is reached, with every variable filled in. Nothing is started or asked to know that."""

from __future__ import annotations

from pisces.shapes.mcp_server import STDIO
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pisces.discovery.found import Found
    from pisces.shapes.mcp_server import McpServer

LEGACY, AUTO_ERA = "legacy", "auto"
START_SECONDS, CALL_SECONDS = 30.0, 600.0


class ServerPlan(Value):
    """`env` is the whole environment of the program, `env_names` are those names in it that the entry asks for. Values
    of `env` and `headers` may be secrets: they are never shown.

    `found` says who configured it. `include` are the only tools that it may offer, unless None; `exclude` are never
    offered. `is_unasked` means that the user's own settings let its tools run unasked. `floating` says why what is
    started may change from one start to the next; `pin` is what it is started as instead. `oauth` is the entry's own
    table. `era` is `legacy` or `auto`, as the SDK takes it.
    """

    name: str
    found: Found[McpServer]
    transport: str = STDIO
    argv: tuple[str, ...] = ()
    env: Mapping[str, str] = EMPTY
    env_names: tuple[str, ...] = ()
    cwd: str = ""
    url: str = ""
    headers: Mapping[str, str] = EMPTY
    headers_helper: str = ""
    start_seconds: float = START_SECONDS
    call_seconds: float = CALL_SECONDS
    include: tuple[str, ...] | None = None
    exclude: tuple[str, ...] = ()
    is_unasked: bool = False
    floating: str = ""
    pin: str = ""
    oauth: Mapping[str, Any] = EMPTY
    era: str = LEGACY

    @property
    def exact(self) -> str:
        """The command line or address, to the letter and without secrets: what is asked about."""
        return " ".join(self.argv) or self.url

    def offers(self, tool: str) -> bool:
        return tool not in self.exclude and (self.include is None or tool in self.include)
