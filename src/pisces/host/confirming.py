"""The last gate: what somebody wants to be asked about, or nobody has decided.

The approval mode decides where no gate spoke. Then handlers and hooks of `PermissionAsked` may answer, and at last the
program that opened the host.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from pisces.diagnostics import NOTE, PiscesError, Rule
from pisces.formats.json_copy import same_json
from pisces.gates.judge import DEFAULT, USER
from pisces.host.taken_name import has_taken_name, spelled_for_hooks
from pisces.shapes.events.permissions import PermissionAsked
from pisces.shapes.request import Request, ToolRequest
from pisces.shapes.verdict import ALLOW, ASK, DENY, Verdict

if TYPE_CHECKING:
    from pisces.host.options import Approve

INPUT_CHANGED = Rule("input-changed", NOTE, "A hook that answered a question changed the input of the call")

HOOKS = "permission hooks"


class InputChanged(PiscesError):
    """The answer to the question has another input: every gate has to judge that first."""

    def __init__(self, request: ToolRequest) -> None:
        super().__init__(INPUT_CHANGED.at("", "a hook changed the input, so it is judged again"))
        self.request = request


class Confirming:
    """`permission` asks everything that may answer for the user. `mode` is the verdict where no gate has one."""

    def __init__(
        self,
        approve: Approve,
        permission: Callable[..., Awaitable[PermissionAsked]],
        mode: Callable[[ToolRequest], Verdict],
    ) -> None:
        self._approve = approve
        self._permission = permission
        self._mode = mode

    async def __call__(self, request: Request, questions: tuple[Verdict, ...]) -> Verdict:
        if isinstance(request, ToolRequest) and all(each.who == DEFAULT for each in questions):
            verdict = self._mode(request)
            if verdict.decision != ASK:
                return verdict
            questions = (verdict,)
        caller = (request.agent, request.agent_id) if isinstance(request, ToolRequest) else ()
        for question in _questions(request, questions[0]):
            asked = await self._permission(question, *caller)
            if asked.is_settled or not same_json(asked.input, question.input):
                break
        if isinstance(request, ToolRequest) and not same_json(asked.input, request.call.input):
            raise InputChanged(request.replace(call=request.call.replace(input=asked.input)))
        is_meant = asked.decision == DENY or not (isinstance(request, ToolRequest) and has_taken_name(request))
        if asked.decision in (ALLOW, DENY) and is_meant:
            return Verdict(asked.decision, HOOKS, asked.reason)
        answer: Any = self._approve(request, questions)
        if hasattr(answer, "__await__"):
            answer = await answer
        if answer is True:
            return Verdict(ALLOW, USER)
        return Verdict(DENY, USER, questions[0].why or "it was not allowed") if answer is False else answer


def _questions(request: Request, first: Verdict) -> tuple[PermissionAsked, ...]:
    """Under every name that hooks may know it by."""
    if isinstance(request, ToolRequest):
        asked = PermissionAsked(request.KIND, request.call.tool, request.call.input, first.who, first.why)
        return spelled_for_hooks(asked, request.server)
    return (PermissionAsked(request.KIND, "", {"exact": request.exact}, first.who, first.why),)
