"""What a program that opens a host may choose."""

from __future__ import annotations

from pisces.shapes.session_facts import MODE_ASK
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from typing import Any, TypeAlias, TypedDict

    from pisces.gates.hooks.firing import HookRun
    from pisces.gates.hooks.run_callback import CallTool, Complete
    from pisces.gates.judge import Gate
    from pisces.gates.rulebook import Rulebook
    from pisces.modules.actions import Actions
    from pisces.modules.module_set import ModuleOptions
    from pisces.shapes.events.surroundings import CommandUpdate, ModuleFailed
    from pisces.shapes.events.tools import ToolExecutionEnd, ToolExecutionStart, ToolExecutionUpdate
    from pisces.shapes.mcp_server import McpServer
    from pisces.shapes.request import Request
    from pisces.shapes.tool import Tool
    from pisces.shapes.verdict import Verdict

    ToolExecution: TypeAlias = ToolExecutionStart | ToolExecutionUpdate | ToolExecutionEnd
    Said: TypeAlias = bool | Verdict | Mapping[str, Any]  # data are the answer to a server that asks for some
    Approve: TypeAlias = Callable[
        [Request, tuple[Verdict, ...]], Said | Awaitable[bool] | Awaitable[Verdict] | Awaitable[Said]
    ]

    class OpenOptions(TypedDict, total=False):
        """The keyword arguments of `Host.open`; `HostOptions` says what they mean."""

        packages: Sequence[str]
        modules: Sequence[str]
        hooks: Sequence[str]
        rules: Sequence[Rulebook]
        discover: bool
        tools: Sequence[Tool]
        servers: Sequence[McpServer]
        gates: Sequence[Gate]
        mode: str
        model: str
        session_id: str
        transcript: str
        is_interactive: bool
        trust_workspace: bool
        complete: Complete | None
        call_server: CallTool | None
        actions: Actions | None
        report: Callable[[ModuleFailed], None] | None
        module_options: ModuleOptions | None
        is_audited: bool
        watch_hook: Callable[[HookRun], object] | None
        watch_tools: Callable[[ToolExecution], object] | None
        watch_commands: Callable[[CommandUpdate], object] | None


class HostOptions(Value):
    """`packages` are folders, `modules` and `hooks` are files that the program names, which means trust; the hooks are
    those of any harness. With `discover=False` nothing else is looked for, and rules in settings may deny and ask, but
    not allow. `rules` are those of the program, which may allow. `tools` are those of the program itself: `call` runs
    them past the same gates. `servers` are MCP servers that somebody handed to the program, such as an editor: each
    start is asked about as if the project brought them. `gates` are asked about every tool call, after handlers, hooks
    and rules.

    `mode` is the approval mode, which only the user may change. `model`, `session_id` and `transcript` are for hooks
    that want to know. `is_interactive` says whether `approve` asks somebody. `trust_workspace` trusts all that the
    workspace brings, for as long as the host is open.

    `complete` asks a model, for hooks that are questions to one, and for servers if the user allows it: `{"prompt":
    ..., "model": ...}` to a text. `call_server` calls a tool of an MCP server for hooks, instead of the host's own
    servers. What needs one that is missing is refused by name. Modules act through
    `actions`. `report` hears of each failure of a module while it runs, `watch_hook` of each run of a hook,
    `watch_tools` of each tool that starts, of how far it has come, and of its end, `watch_commands` of what the program
    of a slash command writes, as it comes.
    `module_options` is for programs of ours, which own their process: by default modules are run as guests of somebody
    else's. `is_audited=False` writes no log.
    """

    packages: Sequence[str] = ()
    modules: Sequence[str] = ()
    hooks: Sequence[str] = ()
    rules: Sequence[Rulebook] = ()
    discover: bool = True
    tools: Sequence[Tool] = ()
    servers: Sequence[McpServer] = ()
    gates: Sequence[Gate] = ()
    mode: str = MODE_ASK
    model: str = ""
    session_id: str = ""
    transcript: str = ""
    is_interactive: bool = True
    trust_workspace: bool = False
    complete: Complete | None = None
    call_server: CallTool | None = None
    actions: Actions | None = None
    report: Callable[[ModuleFailed], None] | None = None
    module_options: ModuleOptions | None = None
    is_audited: bool = True
    watch_hook: Callable[[HookRun], object] | None = None
    watch_tools: Callable[[ToolExecution], object] | None = None
    watch_commands: Callable[[CommandUpdate], object] | None = None
