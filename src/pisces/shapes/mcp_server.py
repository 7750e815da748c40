"""A Model Context Protocol server as somebody configured it. `config` keeps every field as found."""

from __future__ import annotations

from pisces.shapes.field import Flag, Keys, Number, Table, Text, Texts
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


STDIO = "stdio"
HTTP = "http"
SSE = "sse"
WEBSOCKET = "ws"
AUTO = "auto"  # an address that does not say: the client tries HTTP, then SSE

_TRANSPORTS = {
    **dict.fromkeys(("stdio", "local"), STDIO),
    **dict.fromkeys(("http", "streamable-http", "streamable_http", "streamablehttp"), HTTP),
    "sse": SSE,
    **dict.fromkeys(("ws", "websocket"), WEBSOCKET),
}


class McpServer(Value):
    """`keys` lead to the configuration in its file. `timeout` is in the harness's own unit."""

    name: str
    config: Any
    path: str
    keys: Keys

    args = Texts("args")
    env = Table("env", "environment")
    cwd = Text("cwd")
    url = Text("httpUrl", "url", "serverUrl", "http_url")
    headers = Table("headers", "http_headers")
    timeout = Number("timeout")
    trust = Flag("trust")
    include_tools = Texts("includeTools", "include_tools", "enabled_tools")
    exclude_tools = Texts("excludeTools", "exclude_tools", "disabled_tools")
    description = Text("description")
    oauth = Table("oauth")

    @property
    def fields(self) -> Mapping[str, Any]:
        return self.config if isinstance(self.config, dict) else {}

    @property
    def argv(self) -> tuple[str, ...]:
        """The program and its arguments; empty for a server that is reached by address."""
        command = self.fields.get("command")
        words = command if isinstance(command, list) else [command, *(self.args or ())] if command else ()
        return tuple(map(str, words))

    @property
    def command(self) -> str:
        return self.argv[0] if self.argv else ""

    @property
    def transport(self) -> str:
        """How a client talks to the server; empty where neither a program nor an address is given."""
        kind = self.fields.get("type")
        known = _TRANSPORTS.get(kind.lower()) if isinstance(kind, str) else None
        if known or self.argv:
            return known or STDIO
        return HTTP if self.fields.get("httpUrl") else AUTO if self.url else ""

    @property
    def launch(self) -> str:
        """The command line or address, as one readable text."""
        address = (self.fields.get(key) for key in ("httpUrl", "url", "serverUrl"))
        return " ".join(self.argv) or str(next(filter(None, address), ""))
