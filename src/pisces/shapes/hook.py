"""A hook: what runs when an event of the agent happens, with every field that its file has."""

from __future__ import annotations

from pisces.shapes.field import Flag, Keys, Number, Table, Text, Texts
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class Hook(Value):
    """`fields` is the handler as found, `group` its parent (empty in flat files), `keys` lead to the handler.

    `command` is what stands for the hook in lists: a command line, an address, a prompt, a tool. It and `matcher` have
    the path variables of a package filled in; `fields` has not. `timeout` is as found, `seconds` the same in seconds.
    """

    event: str
    matcher: Any
    command: str
    path: str
    dialect: str
    fields: Mapping[str, Any]
    group: Mapping[str, Any]
    keys: Keys
    name: str = ""
    type: str = "command"
    timeout: Any = None
    seconds: float | None = None
    sequential: Any = None

    description = Text("description", "comment")
    condition = Text("if")
    is_async = Flag("async")
    async_rewake = Flag("asyncRewake")
    rewake_message = Text("rewakeMessage")
    once = Flag("once")
    status_message = Text("statusMessage")
    on_failure = Text("onFailure")
    fail_mode = Text("failMode")
    fail_closed = Flag("failClosed")
    loop_limit = Number("loop_limit")
    # a program
    args = Texts("args")
    env = Table("env")
    cwd = Text("cwd")
    shell = Text("shell")
    bash = Text("bash")
    powershell = Text("powershell")
    command_windows = Text("commandWindows", "command_windows")
    additional_context_limit = Number("additionalContextLimit")
    # an address
    url = Text("url")
    headers = Table("headers")
    allowed_env_vars = Texts("allowedEnvVars")
    # a tool of an MCP server
    server = Text("server")
    tool = Text("tool")
    input = Table("input")
    # a question to a model
    prompt = Text("prompt")
    model = Text("model")
    continue_on_block = Flag("continueOnBlock")

    @property
    def index(self) -> int:
        """Its position in its group, or in its event where there are no groups."""
        return self._position(-1)

    @property
    def group_index(self) -> int:
        """The position of its group in the event; its own where there are no groups."""
        return self._position(-3 if self.group else -1)

    def _position(self, at: int) -> int:
        key = self.keys[at] if len(self.keys) >= -at else 0
        return key if isinstance(key, int) else 0


def in_seconds(timeout: object, unit: float = 1) -> float | None:
    """A number of `unit` seconds each; None where it is no number."""
    return timeout * unit if isinstance(timeout, int | float) and not isinstance(timeout, bool) else None
