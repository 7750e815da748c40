"""How one server is reached, with every variable filled in. Nothing is started or asked to know that."""

from __future__ import annotations

from pisces.shapes.mcp_server import STDIO
from pisces.shapes.request import ServerRequest
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pisces.diagnostics import Diagnostic
    from pisces.discovery.found import Found
    from pisces.places import Places
    from pisces.shapes.mcp_server import McpServer

LEGACY, AUTO_ERA = "legacy", "auto"
HELPERS = ("headersHelper", "http_headers_helper")
START_SECONDS, CALL_SECONDS = 30.0, 600.0


class ServerPlan(Value):
    """`env` is the whole environment of the program, `env_names` are those names in it that the entry asks for. Values
    of `env` and `headers` may be secrets: they are never shown.

    `found` says who configured it. `include` are the only tools that it may offer, unless None; `exclude` are never
    offered. `is_unasked` means that the user's own settings let its tools run unasked, `unasked` that they let these
    tools. `floating` says why what is started may change from one start to the next; `pin` is what it is started as
    instead. `oauth` is the entry's own table. `era` is `legacy` or `auto`, as the SDK takes it.

    `shown` is `argv`, or the address, with variables of the user as they are written. `folder` is that of its package.
    `variables` are the names of the user's variables that are filled in anywhere. `diagnostics` do not stop it.
    `places` are where its login is stored and its proxies are named; None for a server without both.
    The files in `pin_folder` have the hash `pin_tree`. A program that `is_sandboxed` runs behind a fence or not at all.
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
    unasked: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    folder: str = ""
    variables: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    places: Places | None = None
    pin_folder: str = ""
    pin_tree: str = ""
    is_sandboxed: bool = False

    @property
    def exact(self) -> str:
        """The command line or address, to the letter and without secrets: what is asked about."""
        return " ".join(self.shown or self.argv) or self.url

    @property
    def request(self) -> ServerRequest:
        """What its start is asked as. Names of variables and headers are in it, their values are not."""
        found = self.found
        return ServerRequest(
            self.exact,
            self.name,
            found.source.path,
            found.source.level,
            self.cwd,
            argv=self.shown if self.argv else (),
            env=tuple(dict.fromkeys((*self.env_names, *self.variables))),
            headers=tuple(self.headers),
            transport=self.transport,
            package=found.package,
            folder=self.folder,
            floating=self.floating,
            pin=self.pin,
            pin_folder=self.pin_folder,
            pin_tree=self.pin_tree,
            written=written_line(found.item),
            helper=written_helper(found.item),
        )

    def offers(self, tool: str) -> bool:
        return tool not in self.exclude and (self.include is None or tool in self.include)


def written_helper(server: McpServer) -> str:
    """The line that makes headers, as the entry has it."""
    lines = (server.fields.get(key) for key in HELPERS)
    return next((line for line in lines if isinstance(line, str) and line), "")


def written_line(server: McpServer) -> str:
    """What the entry says, as trust of a workspace knows it (`discovery/server_acts.py`)."""
    cwd = f", works in {server.cwd}" if server.cwd else ""
    return f"{' '.join(server.argv)}{cwd}" if server.argv else server.launch
