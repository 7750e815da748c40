"""What servers want of the user or of the model: it goes to `approve`, and what nobody allows is declined.

Hooks and handlers that answer questions about tools do not answer these. Where nobody can be asked, servers do not even
hear that they could ask. Each server may ask a few times a minute.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping
from time import monotonic
from typing import TYPE_CHECKING, Any

from pisces.formats.json_copy import NotJson, json_copy
from pisces.formats.json_schema import Checker
from pisces.formats.visible import visible
from pisces.gates.hooks.run_callback import ModelQuestion
from pisces.gates.judge import USER, judge
from pisces.gates.safe import safe_gate
from pisces.mcp.connection import ServerAsks, ServerError
from pisces.shapes.events.mcp import Elicitation, ElicitationResult
from pisces.shapes.server_requests import ElicitationRequest, SamplingRequest, ToolsRequest
from pisces.shapes.verdict import ALLOW, DENY, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from pisces.host.options import Approve, HostOptions
    from pisces.host.wiring import Wired
    from pisces.shapes.request import Request, ServerRequest

MOST_A_MINUTE = 10
MOST_TEXT = 64 << 10  # characters of one question
ACCEPT, DECLINE, CANCEL = "accept", "decline", "cancel"
_MINUTE = 60.0
_NOT_ALLOWED = "the user did not allow it"


class ServerQuestions:
    """`asks_of` is what one server may ask; `reviewed` whether the user agrees to what a server offers now."""

    def __init__(self, wired: Wired, approve: Approve, options: HostOptions) -> None:
        self._wired, self._approve, self._options = wired, approve, options
        self._times: dict[str, deque[float]] = {}

    @property
    def can_ask(self) -> bool:
        return self._options.is_interactive

    def asks_of(self, server: str, notified: Callable[[str, Mapping[str, Any]], object]) -> ServerAsks:
        async def elicit(params: Mapping[str, Any]) -> Mapping[str, Any]:
            return await self._elicited(server, params)

        async def sample(params: Mapping[str, Any]) -> Mapping[str, Any]:
            return await self._sampled(server, params)

        made = ServerAsks(lambda: (self._wired.places.cwd,), notified=notified)
        if not self.can_ask:
            return made
        return made.replace(elicit=elicit, sample=None if self._options.complete is None else sample)

    async def started(self, request: ServerRequest, questions: tuple[Verdict, ...]) -> Verdict:
        """The answer to the question whether a server may start. Hooks that answer for tools do not answer it."""
        answer: Any = self._approve(request, questions)
        if hasattr(answer, "__await__"):
            answer = await answer
        if isinstance(answer, Verdict):
            return answer
        return Verdict(ALLOW, USER) if answer is True else Verdict(DENY, USER, questions[0].why or _NOT_ALLOWED)

    async def reviewed(self, request: ToolsRequest) -> bool:
        return (await self._judged(request, "what it says to the model is not what was reviewed"))[0]

    async def _judged(self, request: Request, why: str) -> tuple[bool, Any]:
        """Whether the user allows it, and what `approve` returned."""
        wired, answers = self._wired, []

        async def confirm(request: Request, _questions: tuple[Verdict, ...]) -> Verdict:
            answer: Any = self._approve(request, (Verdict.ask(why).replace(who=request.KIND),))
            if hasattr(answer, "__await__"):
                answer = await answer
            answers.append(answer)
            if isinstance(answer, Verdict):
                return answer
            is_yes = answer is True or (isinstance(request, ElicitationRequest) and isinstance(answer, Mapping))
            return Verdict(ALLOW if is_yes else DENY, USER, "" if is_yes else _NOT_ALLOWED)

        gates, limit = (safe_gate(wired.places),), wired.modules.runner.limit
        asked = confirm if self.can_ask else None
        judged = await judge(request, gates, asked, limit, wired.story.log.judged)
        return judged.verdict.is_allowed, answers[0] if answers else None

    def _is_too_often(self, server: str) -> bool:
        times = self._times.setdefault(server, deque())
        while times and monotonic() - times[0] > _MINUTE:
            times.popleft()
        times.append(monotonic())
        return len(times) > MOST_A_MINUTE

    async def _elicited(self, server: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """Handlers and hooks may fill in an answer or decline; what is handed over, the user has seen."""
        message, url = str(params.get("message", ""))[:MOST_TEXT], str(params.get("url", ""))
        schema = params.get("requestedSchema")
        schema = schema if isinstance(schema, dict) else {}
        is_odd = bool(url) and not url.startswith(("https://", "http://"))
        if is_odd or self._is_too_often(server):
            return {"action": DECLINE}
        event = await self._wired.emit(Elicitation(server, message, schema))
        if event.action in (DECLINE, CANCEL):
            return await self._finished(server, event.action, {})
        exact = f"{message}\n{url}".strip()
        content = event.content if event.action == ACCEPT else {}
        request = ElicitationRequest(visible(exact), server, schema, visible(url), content)
        is_allowed, answer = await self._judged(request, f"the server `{visible(server)}` asks for data")
        given = answer if isinstance(answer, Mapping) else content
        if not is_allowed or (not url and not _fits(given, schema)):
            return await self._finished(server, DECLINE, {})
        return await self._finished(server, ACCEPT, {} if url else given)

    async def _finished(self, server: str, action: str, content: Mapping[str, Any]) -> Mapping[str, Any]:
        """Handlers may take the answer back. They cannot put another one in its place: nobody has seen that."""
        event = await self._wired.emit(ElicitationResult(server, action, content))
        if action != ACCEPT or event.action != ACCEPT:
            return {"action": event.action if event.action in (DECLINE, CANCEL) else DECLINE}
        return {"action": ACCEPT, **({"content": json_copy(content)} if content else {})}

    async def _sampled(self, server: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        complete = self._options.complete
        if complete is None or self._is_too_often(server):
            raise ServerError("the model cannot be asked now")
        text = _question(params)
        if len(text) > MOST_TEXT:
            raise ServerError(f"the question has more than {MOST_TEXT} characters")
        why = f"the server `{visible(server)}` wants an answer of the model"
        if not (await self._judged(SamplingRequest(text, server), why))[0]:
            raise ServerError(_NOT_ALLOWED)
        answer = await complete(ModelQuestion(text))
        content = {"type": "text", "text": str(answer)}
        return {"role": "assistant", "content": content, "model": self._options.model or "unknown"}


def _question(params: Mapping[str, Any]) -> str:
    """All that the model would read: the server's own system prompt, then each message."""
    lines = [f"system: {params['systemPrompt']}"] if params.get("systemPrompt") else []
    for each in params.get("messages") or ():
        content = each.get("content") if isinstance(each, dict) else None
        parts = content if isinstance(content, list | tuple) else [content]
        for part in parts:
            text = json.dumps(part, ensure_ascii=False, default=str)
            if isinstance(part, dict) and part.get("type") == "text":
                text = str(part.get("text", ""))
            lines.append(f"{each.get('role', 'user') if isinstance(each, dict) else 'user'}: {text}")
    return "\n".join(lines)


def _fits(content: Mapping[str, Any], schema: Mapping[str, Any]) -> bool:
    try:
        return not Checker(json_copy(schema) or True).misfits(json_copy(content))
    except (NotJson, RecursionError):
        return False
