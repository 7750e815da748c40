"""Who answers a question of the host: the client's user where the client shows forms, else nobody, which is a no.

A client has no other say: it cannot change the approval mode, trust a folder, or have an answer remembered.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from pisces.formats.visible import visible
from pisces.serving.connection import ClientGone
from pisces.shapes.request import LineRequest, ProgramRequest, Request, ServerRequest, ToolRequest
from pisces.shapes.server_requests import ElicitationRequest, ToolsRequest
from pisces.shapes.tool import arguments_of
from pisces.shapes.verdict import ALLOW, DENY, Verdict

if TYPE_CHECKING:
    from pisces.serving.choices import ServeChoices
    from pisces.serving.connection import ServedConnection

WHO = "pisces mcp serve"
MODE = "approval mode "  # who asks where nobody else does
_SECONDS = 600.0
_LONGEST = 8_000  # characters: what cannot be shown in full is not asked about
_KINDS = {  # what is allowed once, and remembered nowhere
    ToolRequest: "call the tool",
    ProgramRequest: "run the program",
    LineRequest: "run the command line",
    ServerRequest: "start the server",
}
_MEANS = {
    ToolRequest: "allow the tool by a rule in the settings (see `pisces policy list`)",
    ProgramRequest: "allow the program once with `pisces run`",
    LineRequest: "allow the line with `pisces commands trust`",
    ServerRequest: "allow its start (see `pisces mcp list`)",
    ToolsRequest: "look at the difference with `pisces mcp review`",
}


class ClientAsking:
    """The `approve` of a served host. Questions are put one after the other."""

    def __init__(self, choices: ServeChoices) -> None:
        self.client: ServedConnection | None = None
        self._choices = choices
        self._lock = asyncio.Lock()

    @property
    def is_offered(self) -> bool:
        """Whether the client can ask its user at all."""
        return self._choices.asks_client and self.client is not None and self.client.shows_forms

    @property
    def is_possible(self) -> bool:
        """Whether it can be asked now: outside of a call its user would not know what the question is about."""
        return self.is_offered and self.client is not None and self.client.is_calling

    async def __call__(self, request: Request, questions: tuple[Verdict, ...]) -> Any:
        """A verdict; for a server that wants data of the user, the data."""
        exact = visible(request.exact)
        if isinstance(request, ElicitationRequest):
            return await self._data(request, exact)
        if type(request) not in _KINDS:
            return _refused(request, questions, "a client's user is not asked about this")
        if not self.is_possible:
            return _refused(request, questions, "nobody can be asked here")
        if len(exact) > _LONGEST:
            return _refused(request, questions, f"it is too long to be shown in full, {len(exact)} characters")
        async with self._lock:
            return await self._answer(request, exact, questions)

    async def _data(self, request: ElicitationRequest, exact: str) -> Any:
        """The question of a server is passed on with its name. An address that a user should open is not."""
        if not self.is_possible or request.url or len(exact) > _LONGEST or self.client is None:
            return False
        message = f"The MCP server `{visible(request.name)}` wants to know: {exact}"
        schema = arguments_of(request.schema) or {"type": "object", "properties": {}}
        async with self._lock:
            try:
                params = {"message": message, "requestedSchema": schema}
                answer = await self.client.ask("elicitation/create", params, _SECONDS)
            except ClientGone:
                return False
        content = answer.get("content", {})
        return content if answer.get("action") == "accept" and isinstance(content, dict) else False

    async def _answer(self, request: Request, exact: str, questions: tuple[Verdict, ...]) -> Verdict:
        assert self.client is not None
        asked_by = ", ".join(dict.fromkeys(visible(each.who) for each in questions if each.who))
        reasons = [visible(each.why) for each in questions if each.why]
        lines = [f"May pisces {_KINDS[type(request)]}?", exact, *reasons, f"Asked by: {asked_by}"]
        choice = {"type": "string", "title": "Decision", "description": "this once", "enum": ["deny", "allow"]}
        schema = {"type": "object", "properties": {"decision": choice}, "required": ["decision"]}
        user = f"the user, asked through {visible(self.client.name) or 'the client'}"
        try:
            params = {"message": "\n".join(lines), "requestedSchema": schema}
            answer = await self.client.ask("elicitation/create", params, _SECONDS)
        except ClientGone:
            return _refused(request, questions, "the client did not answer")
        content = answer.get("content")
        if answer.get("action") == "accept" and isinstance(content, dict) and content.get("decision") == "allow":
            return Verdict(ALLOW, user)
        no = (
            "the user did not allow it"
            if answer.get("action") == "accept"
            else "the question was not answered with yes"
        )
        return _refused(request, questions, no).replace(who=user)


def _refused(request: Request, questions: tuple[Verdict, ...], why: str) -> Verdict:
    """With what the user would have to do. None of it can be done by a client."""
    reason = next((each.why for each in questions if each.why), "nobody has allowed it yet")
    asking = [each.who for each in questions if each.who and not each.who.startswith(MODE)]
    means = [_MEANS.get(type(request), "")]
    if asking:
        reason = f"{reason} (asked by {', '.join(dict.fromkeys(asking))})"
    if isinstance(request, ToolRequest):
        mode = "start `pisces mcp serve` with `--approve-mode all`"
        means = [f"change what {asking[0]} says"] if asking else [*means, mode]
    hint = ", or ".join(filter(None, means))
    return Verdict(DENY, WHO, f"{reason}, and {why}" + (f". The user can {hint}" if hint else ""))
