"""May this tool be called, with this input? Handlers of `ToolCall` in modules are gates, each under its module's path.

A handler blocks the call, changes its input, or has nothing to say. It cannot allow: another gate or the user does. An
input that a handler changes is converted to the tool's schema before others are asked about it; if it does not fit, the
call is denied.
"""

from __future__ import annotations

from contextvars import ContextVar

from pisces.by_name import export_of
from pisces.gates.judge import Gate, judge
from pisces.shapes.events.tools import BLOCKED, ToolCall
from pisces.shapes.request import Request, ToolRequest
from pisces.shapes.tool import ToolFailed
from pisces.shapes.verdict import ALLOW, DENY, Judged, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Sequence

    from pisces.events.emit import Walk
    from pisces.gates.judge import Answer, Confirm, Record
    from pisces.modules.runner import Runner
    from pisces.shapes.listener import Listener


_walk: ContextVar[Walk] = ContextVar("pisces_tool_walk")  # of the call whose gates are asked now


class ToolGates:
    """`await gates(call)`: the call as it may run, or blocked with the reason. `gates` are asked after the handlers."""

    def __init__(
        self, runner: Runner, gates: Sequence[Gate] = (), confirm: Confirm | None = None, record: Record | None = None
    ) -> None:
        self._runner = runner
        self._others = tuple(gates)
        self._confirm = confirm
        self._record = record
        self._listeners: tuple[Listener, ...] = ()
        self._gates: tuple[Gate, ...] = self._others

    async def __call__(self, call: ToolCall) -> ToolCall:
        return self.outcome(await self.judged(ToolRequest(call, self._runner.cwd)))

    async def judged(self, request: ToolRequest, later: Sequence[Gate] = ()) -> Judged:
        """`later` are gates for this call alone, asked after all others."""
        gates = (*self._current(), *later) if later else self._current()
        token = _walk.set(self._runner.walk(ToolCall))
        try:
            return await judge(request, gates, self._confirm, self._runner.limit, self._record)
        finally:
            _walk.reset(token)

    @staticmethod
    def outcome(judged: Judged) -> ToolCall:
        """The call as it may run, or blocked."""
        assert isinstance(judged.request, ToolRequest)
        allowed = judged.request.call
        if judged.verdict.is_allowed:
            return allowed
        return allowed.replace(blocked=True, reason=judged.verdict.why or BLOCKED)  # by no handler: see `Event.noted`

    def _current(self) -> tuple[Gate, ...]:
        """Modules may register handlers at any time."""
        listeners = self._runner.listeners(ToolCall)
        if listeners is not self._listeners:
            self._listeners = listeners
            self._gates = (*(_handler(each, self._runner) for each in listeners), *self._others)
        return self._gates


def _handler(listener: Listener, runner: Runner) -> Gate:
    def judged(request: Request) -> Answer | Awaitable[Answer]:
        if not isinstance(request, ToolRequest):
            return None
        after = _walk.get().past(listener, request.call)
        if after is request.call:
            return None
        return answer(request, after) if isinstance(after, ToolCall) else later(request, after)

    async def later(request: ToolRequest, after: Awaitable[ToolCall]) -> Answer:
        return answer(request, await after)

    def answer(request: ToolRequest, after: ToolCall) -> Answer:
        if after.blocked:
            return Verdict(DENY, why=after.reason)
        if after is request.call:
            return None
        try:
            changed = request.replace(call=_fitted(after, runner))
        except ToolFailed as error:
            return Verdict(DENY, why=f"{listener.module} changed the call: {error}")
        return None if changed.is_same(request) else changed

    return Gate(listener.module, judged, None)  # the runner keeps the time limit of its handlers


def _fitted(call: ToolCall, runner: Runner) -> ToolCall:
    tool = runner.tools.get(call.tool)
    if tool is None:
        return call
    fitted = export_of("pisces.modules", "tool_arguments", "fitted")  # slow to import
    return call.replace(input=fitted(tool, call.input))


def allows_tools(who: str, why: str) -> Gate:
    """For programs in which the user has already decided that tools may run, such as a test."""

    def judged(request: Request) -> Verdict | None:
        return Verdict(ALLOW, who, why) if isinstance(request, ToolRequest) else None

    return Gate(who, judged, None)
