"""A hook: a command that runs when an event of the agent happens, in one of the dialects."""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Hook(Value):
    """`matcher` is kept as found (None where absent); `timeout` in the dialect's own unit."""

    event: str
    matcher: Any
    command: str
    path: str
    dialect: str
    name: str = ""
    type: str = "command"
    timeout: Any = None
    sequential: Any = None
