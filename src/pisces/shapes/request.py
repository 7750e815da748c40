"""Something wants to run: a command line, a program, a tool call, a module, a hook, a server, an install.

One class a kind. All of them walk one list of gates (`pisces.gates`), and each says to the letter what would run.
"""

from __future__ import annotations

from pisces.by_name import export_of
from pisces.shapes.verdict import ASK
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Self

    from pisces.shapes.events.tools import ToolCall

SHELL = "shell"  # a command line inside a prompt file
PROGRAM = "program"  # a package's own executable, with its arguments
TOOL = "tool"
MODULE = "module"  # code that is loaded into this process or into a sidecar
HOOK = "hook"
SERVER = "server"  # the start of an MCP server
INSTALL = "install"

ONCE = "once"
SESSION = "session"  # and from now on without asking, until the host ends; for a program: until it changes
ALWAYS = "always"  # stored for good: this line of this file, as it is now
NEVER = "never"  # stored for good
NO = "no"


class Request(Value):
    """`DEFAULT` is the decision where no gate has one. `exact` is what would run, to the letter."""

    KIND = ""
    DEFAULT = ASK

    if TYPE_CHECKING:  # a property, because an annotation would be a field

        @property
        def exact(self) -> str: ...

    def detached(self) -> Self:
        """A copy for one gate. What the gate does to it changes nothing for others."""
        return type(self)(*self.as_tuple())

    def is_same(self, other: Self) -> bool:
        """Whether both would run the same."""
        return self == other


class LineRequest(Request):
    """A command line inside a prompt file. `command` is what the user typed; `path` is the file that the line is in."""

    KIND = SHELL

    exact: str
    command: str
    path: str
    cwd: str = ""


class ProgramRequest(Request):
    """`program` is its resolved path, `identity` what the system says of the open file (device, inode, size, times).
    `is_named` is set if the user named the package for this run, `confirm` if its author wants every call confirmed.
    `env` are the names of the variables that the package declares, settings first.

    `name` and `entry` are the command in the manifest at `path`, as it is used; `folder` is the package's. Gates fill
    in `sha256`, the hash of all that consent covers, and `changes`, what differs from what was allowed before.
    """

    KIND = PROGRAM

    exact: str
    command: str
    path: str
    cwd: str
    program: str
    package: str = ""
    identity: tuple[int, ...] = ()
    sha256: str = ""
    is_named: bool = False
    confirm: bool = False
    env: tuple[str, ...] = ()
    name: str = ""
    entry: Mapping[str, Any] = EMPTY
    folder: str = ""
    changes: tuple[str, ...] = ()


class ToolRequest(Request):
    """A tool call. `call` has the tool's name and its input, as they would run.

    `server` is the MCP server of the tool, `annotations` are what it says of the tool. `agent` and `agent_id` are set
    where a subagent makes the call.
    """

    KIND = TOOL

    call: ToolCall
    cwd: str = ""
    server: str = ""
    agent: str = ""
    agent_id: str = ""
    annotations: Mapping[str, Any] = EMPTY

    def detached(self) -> Self:
        return type(self)(self.call.detached(), *self.as_tuple()[1:])

    def is_same(self, other: Self) -> bool:
        return self == other and self.call.runs_as(other.call)

    @property
    def exact(self) -> str:
        encoder = export_of("json", "encoder", "JSONEncoder")(ensure_ascii=False, default=str)
        return f"{self.call.tool} {encoder.encode(self.call.input)}"


class ModuleRequest(Request):
    """`exact` is the path of its entry file; `level` is `project` for what the project brings.

    `covered` has the files that it consists of, where somebody compares them with what was agreed to.
    """

    KIND = MODULE

    exact: str
    name: str
    level: str
    package: str = ""
    covered: object = None


class HookRequest(Request):
    """`exact` is its command line or address; `path` and `level` say where it is configured."""

    KIND = HOOK

    exact: str
    event: str
    path: str
    level: str
    cwd: str = ""


class ServerRequest(Request):
    """The start of a server. `exact` is its command line or address, with variables of the user as they are written;
    `path` and `level` say where it is configured.

    `env` are the names of variables that it is given or that are filled in, `headers` those of headers that are sent.
    `package` brought it from `folder`. `floating` says why another start may start something else, unless `pin` says
    what is started instead: files in `pin_folder` with the hash `pin_tree`. `written` is the line in its file, `helper`
    the line that makes its headers. Gates fill in `sha256`, the hash of all that consent covers, and `changes`, what
    differs from what was allowed before.
    """

    KIND = SERVER

    exact: str
    name: str
    path: str
    level: str
    cwd: str = ""
    argv: tuple[str, ...] = ()
    env: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    transport: str = ""
    package: str = ""
    folder: str = ""
    floating: str = ""
    pin: str = ""
    written: str = ""
    helper: str = ""
    pin_folder: str = ""
    pin_tree: str = ""
    sha256: str = ""
    changes: tuple[str, ...] = ()
