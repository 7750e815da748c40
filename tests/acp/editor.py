"""An editor for tests: a real client of the protocol, on the other end of a socket pair, that notes all it is sent."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from acp import RequestPermissionResponse
from acp.core import AgentSideConnection, ClientSideConnection
from acp.schema import AllowedOutcome, DeniedOutcome

from pisces.acp.agent import AcpAgent
from pisces.models.scripted import ScriptedModel
from pisces.places import Places


class Editor:
    """`answer` chooses an option of a permission request by its id; empty dismisses the question."""

    def __init__(self, answer: Callable[[Any], str] = lambda _call: "no") -> None:
        self.updates: list[Any] = []
        self.asked: list[Any] = []
        self.answer = answer

    def on_connect(self, conn: Any) -> None: ...

    async def session_update(self, session_id: str, update: Any, **_rest: Any) -> None:  # noqa: ARG002
        self.updates.append(update)

    async def request_permission(
        self,
        session_id: str,  # noqa: ARG002
        tool_call: Any,
        options: Any,  # noqa: ARG002
        **_rest: Any,
    ) -> RequestPermissionResponse:
        known = {each.tool_call_id for each in self.kind("tool_call")}
        self.asked.append((tool_call, tool_call.tool_call_id in known))
        chosen = self.answer(tool_call)
        if not chosen:
            return RequestPermissionResponse(outcome=DeniedOutcome(outcome="cancelled"))
        return RequestPermissionResponse(outcome=AllowedOutcome(outcome="selected", option_id=chosen))

    def kind(self, name: str) -> list[Any]:
        return [each for each in self.updates if each.session_update == name]

    @property
    def said(self) -> str:
        return "".join(each.content.text for each in self.kind("agent_message_chunk"))


def places_in(folder: Path) -> Places:
    (folder / "work").mkdir(exist_ok=True)
    return Places(str(folder), str(folder / "work"), {})


@asynccontextmanager
async def connected(editor: Editor, places: Places, model: ScriptedModel | None) -> AsyncIterator[Any]:
    """The agent as the editor calls it."""
    ours, theirs = socket.socketpair()
    agent = AcpAgent(places, lambda _here: model)
    agent_reader, agent_writer = await asyncio.open_connection(sock=ours)
    reader, writer = await asyncio.open_connection(sock=theirs)
    serving = AgentSideConnection(agent, agent_writer, agent_reader, use_unstable_protocol=True)  # type: ignore[arg-type]
    client = ClientSideConnection(editor, writer, reader, use_unstable_protocol=True)  # type: ignore[arg-type]  # it offers no more
    try:
        await client.initialize(protocol_version=1)
        yield client
    finally:
        await agent.close()
        await client.close()
        await serving.close()
        writer.close()
        agent_writer.close()
