"""What a program that opens a host may choose."""

from __future__ import annotations

from pisces.shapes.session_facts import MODE_ASK
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from typing import TypeAlias, TypedDict

    from pisces.gates.hooks.firing import HookRun
    from pisces.gates.hooks.run_callback import CallTool, Complete
    from pisces.gates.judge import Gate
    from pisces.modules.actions import Actions
    from pisces.modules.module_set import ModuleOptions
    from pisces.shapes.events.surroundings import ModuleFailed
    from pisces.shapes.events.tools import ToolExecutionUpdate
    from pisces.shapes.request import Request
    from pisces.shapes.tool import Tool
    from pisces.shapes.verdict import Verdict

    Approve: TypeAlias = Callable[[Request, tuple[Verdict, ...]], bool | Verdict | Awaitable[bool] | Awaitable[Verdict]]

    class OpenOptions(TypedDict, total=False):
        """The keyword arguments of `Host.open`; `HostOptions` says what they mean."""

        packages: Sequence[str]
        modules: Sequence[str]
        discover: bool
        tools: Sequence[Tool]
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
        watch_update: Callable[[ToolExecutionUpdate], object] | None


class HostOptions(Value):
    """`packages` are folders and `modules` files that the program names, which means trust. With `discover=False`
    nothing else is looked for, and rules in settings may deny and ask, but not allow. `tools` are those of the program
    itself: `call` runs them past the same gates. `gates` are asked about every tool call, after handlers, hooks and
    rules.

    `mode` is the approval mode, which only the user may change. `model`, `session_id` and `transcript` are for hooks
    that want to know. `is_interactive` says whether `approve` asks somebody. `trust_workspace` trusts all that the
    workspace brings, for as long as the host is open.

    `complete` asks a model, for hooks that are questions to one: `{"prompt": ..., "model": ...}` to a text.
    `call_server` calls a tool of an MCP server. What needs one that is missing is refused by name. Modules act through
    `actions`. `report` hears of each failure of a module while it runs, `watch_hook` of each run of a hook,
    `watch_update` of how far a tool has come.
    `module_options` is for programs of ours, which own their process: by default modules are run as guests of somebody
    else's. `is_audited=False` writes no log.
    """

    packages: Sequence[str] = ()
    modules: Sequence[str] = ()
    discover: bool = True
    tools: Sequence[Tool] = ()
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
    watch_update: Callable[[ToolExecutionUpdate], object] | None = None
