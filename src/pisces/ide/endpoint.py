"""An endpoint of a companion: a port with its token, or a program that speaks MCP on stdin and stdout.

The companion sets the variables in the editor's terminals, and the client reads them.
"""

from __future__ import annotations

import re

from pisces.value import Value

PORT_VARIABLE = "GEMINI_CLI_IDE_SERVER_PORT"
WORKSPACE_VARIABLE = "GEMINI_CLI_IDE_WORKSPACE_PATH"
TOKEN_VARIABLE = "GEMINI_CLI_IDE_AUTH_TOKEN"
COMPANION_NAME = "pisces-ide-companion"  # our own server: it answers every client
_TOKEN = re.compile(r"[\x21-\x7e]*")


def port_of(value: object) -> int:
    """A port, as a number or as text, because Gemini CLI accepts both. 0 for anything else."""
    digits = str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""
    number = int(digits) if re.fullmatch(r"0{0,9}[0-9]{1,5}", digits) else 0
    return number if number < 65536 else 0


class Endpoint(Value):
    """`source` is the discovery file, or `environment`. Exactly one of `port` and `command` is set."""

    source: str
    port: int = 0
    token: str = ""
    command: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"port {self.port}" if self.port else f"program `{self.command[0]}`"

    @property
    def is_usable(self) -> bool:
        """Whether the port and the token are valid. Other characters in the token would inject HTTP headers."""
        return bool(self.command) or bool(0 < self.port < 65536 and _TOKEN.fullmatch(self.token))
