"""Questions of the gates, put to the user by the editor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from acp import text_block, tool_content
from acp.schema import PermissionOption, ToolCallUpdate

from pisces.acp.updates import diff_of, title_of
from pisces.formats.visible import visible
from pisces.gates.judge import USER
from pisces.shapes.message import CallPart
from pisces.shapes.request import ToolRequest
from pisces.shapes.server_requests import ElicitationRequest
from pisces.shapes.verdict import ALLOW, DENY, Verdict

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import TypeAlias

    from pisces.shapes.request import Request

    Sent: TypeAlias = Callable[[], Awaitable[None]]

_LONGEST = 20_000  # characters: what cannot be shown in full is not asked about
_ONCE, _SESSION, _NO = "once", "session", "no"
_OPTIONS = ((_ONCE, "Allow once", "allow_once"), (_SESSION, "Allow for this session", "allow_always"))


class EditorConsent:
    """The `approve` of a session. What is allowed for the session is remembered here, for exactly the same request.

    `sent` waits until the editor has every update so far: it must know the call that it is asked about.
    """

    def __init__(self, connection: Any, folder: str, session_id: Callable[[], str], sent: Sent) -> None:
        self._connection, self._session_id, self._folder, self._sent = connection, session_id, folder, sent
        self._allowed: list[Request] = []

    async def __call__(self, request: Request, questions: tuple[Verdict, ...]) -> Verdict:
        exact = visible(request.exact)
        if isinstance(request, ElicitationRequest) or len(exact) > _LONGEST:
            return Verdict(DENY, "the editor", "this cannot be asked in an editor")
        same = _without_caller(request)
        if same in self._allowed:
            return Verdict(ALLOW, USER, "you allowed exactly this for the session")
        await self._sent()
        answer = await self._connection.request_permission(
            session_id=self._session_id(), tool_call=self._shown(request, exact, questions), options=_options()
        )
        chosen = getattr(answer.outcome, "option_id", _NO) if answer.outcome.outcome == "selected" else _NO
        if chosen == _SESSION:
            self._allowed.append(same)
        if chosen in (_ONCE, _SESSION):
            return Verdict(ALLOW, USER)
        return Verdict(DENY, USER, questions[0].why or "you said no")

    def _shown(self, request: Request, exact: str, questions: tuple[Verdict, ...]) -> ToolCallUpdate:
        """With the exact text of what would run, and who asked."""
        who = ", ".join(dict.fromkeys(visible(each.who) for each in questions if each.who))
        why = "; ".join(dict.fromkeys(visible(each.why) for each in questions if each.why))
        folder = getattr(request, "cwd", "")
        where = f"In: {visible(folder)}" if folder and folder != self._folder else ""
        text = "\n".join(filter(None, (exact, where, why, f"Asked by: {who}" if who else "")))
        content: list[Any] = [tool_content(text_block(text))]
        if not isinstance(request, ToolRequest):
            title = f"{request.KIND}: {exact}"
            return ToolCallUpdate(tool_call_id=f"pisces-{request.KIND}", title=title[:200], content=content)
        call = request.call
        diff = diff_of(CallPart(call.call_id, call.tool, call.input), self._folder) or []
        title = visible(title_of(call.tool, call.input))
        return ToolCallUpdate(
            tool_call_id=call.call_id, title=title, content=[*diff, *content], raw_input=dict(call.input)
        )


def _without_caller(request: Request) -> Request:
    """With all that makes a difference to what runs: the folder, the server, hashes of what is started."""
    if not isinstance(request, ToolRequest):
        return request
    return request.replace(call=request.call.replace(call_id=""), agent="", agent_id="")


def _options() -> list[PermissionOption]:
    made = [PermissionOption(option_id=each, name=name, kind=kind) for each, name, kind in _OPTIONS]  # type: ignore[arg-type]
    return [*made, PermissionOption(option_id=_NO, name="Reject", kind="reject_once")]
