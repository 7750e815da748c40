"""The agent's side of the protocol: sessions are opened, prompted, cancelled, loaded and closed."""

from __future__ import annotations

import asyncio
import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from acp import PROTOCOL_VERSION, InitializeResponse, NewSessionResponse, PromptResponse, RequestError, run_agent
from acp.helpers import update_current_mode
from acp.schema import (
    AgentCapabilities,
    CloseSessionResponse,
    Implementation,
    ListSessionsResponse,
    LoadSessionResponse,
    McpCapabilities,
    PromptCapabilities,
    SessionCapabilities,
    SessionCloseCapabilities,
    SessionInfo,
    SessionListCapabilities,
    SessionMode,
    SessionModeState,
    SetSessionModeResponse,
)

from pisces import __version__
from pisces.acp.editor_servers import servers_of
from pisces.acp.editor_session import EditorSession
from pisces.acp.prompts import line_of
from pisces.acp.stdio import stdio_messages
from pisces.agent.transcript import read_transcript
from pisces.agent.transcript_places import all_sessions, found_session, sessions_here
from pisces.diagnostics import PiscesError
from pisces.models.wire import ModelFailed
from pisces.session.model_here import model_here
from pisces.shapes.session_facts import MODE_ALL, MODE_ASK, MODE_EDITS, MODE_PLAN, MODES

if TYPE_CHECKING:
    from collections.abc import Callable

    from pisces.agent.transcript import Transcript
    from pisces.agent.transcript_places import StoredSession
    from pisces.models.model import Model
    from pisces.places import Places

_MOST_LISTED = 200
_MODES = {
    MODE_ASK: ("Ask", "what changes something is asked about"),
    MODE_EDITS: ("Accept edits", "files of the workspace are edited without a question"),
    MODE_PLAN: ("Plan", "nothing is changed"),
    MODE_ALL: ("All", "everything runs that nobody denies or wants to be asked about"),
}


class AcpAgent:
    """`choose` gives the model of a session in a workspace; None where there is none."""

    def __init__(self, places: Places, choose: Callable[[Places], Model | None]) -> None:
        self._places, self._choose = places, choose
        self._sessions: dict[str, EditorSession] = {}
        self._connection: Any = None

    def on_connect(self, conn: Any) -> None:
        self._connection = conn

    async def initialize(
        self,
        protocol_version: int,
        client_capabilities: Any = None,  # noqa: ARG002
        client_info: Any = None,  # noqa: ARG002
        **_rest: Any,
    ) -> InitializeResponse:
        return InitializeResponse(
            protocol_version=min(protocol_version, PROTOCOL_VERSION),
            agent_capabilities=AgentCapabilities(
                load_session=True,
                prompt_capabilities=PromptCapabilities(image=True, embedded_context=True),
                mcp_capabilities=McpCapabilities(http=True, sse=True),
                session_capabilities=SessionCapabilities(
                    close=SessionCloseCapabilities(), list=SessionListCapabilities()
                ),
            ),
            agent_info=Implementation(name="pisces", title="pisces", version=__version__),
            auth_methods=[],
        )

    async def new_session(
        self,
        cwd: str,
        additional_directories: Any = None,  # noqa: ARG002
        mcp_servers: Any = None,
        **_rest: Any,
    ) -> NewSessionResponse:
        made = await self._started(cwd, mcp_servers, None)
        return NewSessionResponse(session_id=made.id, modes=_modes(made))

    async def load_session(
        self,
        cwd: str,
        session_id: str,
        mcp_servers: Any = None,
        additional_directories: Any = None,  # noqa: ARG002
        **_rest: Any,
    ) -> LoadSessionResponse:
        await self.close_session(session_id)
        try:
            found = found_session(session_id, self._places.replace(cwd=cwd))
            transcript = read_transcript(found)
        except (PiscesError, OSError) as error:
            raise RequestError.resource_not_found(session_id) from error
        if transcript.id != session_id:
            raise RequestError.resource_not_found(session_id)
        if not transcript.resume():
            raise RequestError.invalid_request({"message": f"session `{session_id}` is open in another program"})
        made = await self._started(cwd, mcp_servers, transcript)
        await made.sent()
        return LoadSessionResponse(modes=_modes(made))

    async def _started(self, cwd: str, servers: Any, transcript: Transcript | None) -> EditorSession:
        if not os.path.isabs(cwd):
            raise RequestError.invalid_params({"cwd": cwd, "message": "the workspace's folder has to be absolute"})
        places = self._places.replace(cwd=cwd)
        try:
            made = EditorSession(self._connection, places, self._choose(places))
            await made.start(servers_of(servers), transcript)
        except PiscesError as error:
            raise _error(error) from error
        self._sessions[made.id] = made
        return made

    async def list_sessions(
        self,
        cwd: str | None = None,
        cursor: str | None = None,  # noqa: ARG002
        **_rest: Any,
    ) -> ListSessionsResponse:
        stored = sessions_here(self._places.replace(cwd=cwd)) if cwd else all_sessions(self._places)
        listed = (_listed(each) for each in stored[:_MOST_LISTED])
        return ListSessionsResponse(sessions=[each for each in listed if each is not None])

    async def set_session_mode(self, session_id: str, mode_id: str, **_rest: Any) -> SetSessionModeResponse:
        session = self._named(session_id)
        if mode_id not in MODES:
            raise RequestError.invalid_params({"modeId": mode_id})
        session.session.host.mode = mode_id
        await self._connection.session_update(session_id, update_current_mode(mode_id))
        return SetSessionModeResponse()

    async def prompt(self, session_id: str, prompt: list[Any], **_rest: Any) -> PromptResponse:
        line, more = line_of(prompt)
        try:
            stop = await self._named(session_id).prompt(line, more)
        except PiscesError as error:
            raise _error(error) from error
        except ModelFailed as error:
            raise RequestError.internal_error({"message": str(error)}) from error
        return PromptResponse(stop_reason=stop)  # type: ignore[arg-type]  # one of the words of the protocol

    async def cancel(self, session_id: str, **_rest: Any) -> None:
        if session_id in self._sessions:
            self._sessions[session_id].cancel()

    async def close_session(self, session_id: str, **_rest: Any) -> CloseSessionResponse:
        session = self._sessions.pop(session_id, None)
        if session is not None:
            await session.close()
        return CloseSessionResponse()

    async def close(self) -> None:
        await asyncio.gather(*(self.close_session(each) for each in list(self._sessions)))

    def _named(self, session_id: str) -> EditorSession:
        try:
            return self._sessions[session_id]
        except KeyError:
            raise RequestError.resource_not_found(session_id) from None


def _listed(session: StoredSession) -> SessionInfo | None:
    """None for one that cannot be read."""
    try:
        totals = session.totals
    except OSError:
        return None
    changed = datetime.fromtimestamp(session.changed, UTC).isoformat()
    return SessionInfo(
        session_id=session.id, cwd=totals.cwd, title=totals.name or totals.first or None, updated_at=changed
    )


def _modes(session: EditorSession) -> SessionModeState:
    modes = [SessionMode(id=each, name=name, description=about) for each, (name, about) in _MODES.items()]
    return SessionModeState(current_mode_id=session.session.host.mode, available_modes=modes)


def _error(error: PiscesError) -> RequestError:
    found = error.diagnostic
    text = ". ".join(filter(None, (str(error), found.hint)))
    return RequestError.internal_error({"message": text, "code": found.code})


async def serve_acp(places: Places, wanted: str) -> None:
    """Speaks on stdin and stdout until the editor closes them. `wanted` names the model, if any."""
    agent = AcpAgent(places, lambda here: model_here(wanted, here))
    try:
        await run_agent(agent, await stdio_messages(), use_unstable_protocol=True)  # type: ignore[arg-type]  # the rest is not offered
    finally:
        await agent.close()
