"""A Model Context Protocol server as somebody configured it. `config` keeps every field as found."""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class McpServer(Value):
    name: str
    config: Any
    path: str

    @property
    def launch(self) -> str:
        """The command line or address, as one readable text."""
        config = self.config if isinstance(self.config, dict) else {}
        command = config.get("command")
        if command:
            words = command if isinstance(command, list) else [command, *_list(config.get("args"))]
            return " ".join(str(word) for word in words)
        return str(config.get("httpUrl") or config.get("url") or config.get("serverUrl") or "")


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
