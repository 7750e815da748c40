"""`!command`: the user's own line for the shell. The agent reads it with the next message; `!!command` is private."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pisces.commands.prompts.shell_line import user_shell
from pisces.processes.clean import cleaned
from pisces.processes.launch import Launch, Limits
from pisces.processes.process import run
from pisces.shapes.events.surroundings import UserShell
from pisces.ui.terminal.live import RunningTool

if TYPE_CHECKING:
    from pisces.session.session import Session
    from pisces.ui.terminal.conversation import Conversation
    from pisces.ui.terminal.live import Live

_LIMITS = Limits(output=16 * 1024 * 1024, processes=0)
_MOST_FOR_MODEL = 30_000
_CALL = "!"


async def run_shell_line(line: str, session: Session, live: Live, conversation: Conversation) -> None:
    """Cancelling it ends the program."""
    is_private = line.startswith("!!")
    command = line.lstrip("!").strip()
    if not command:
        return
    event = await session.emit(UserShell(command, session.places.cwd, is_private))
    text = _result_text(event.result) if event.result is not None else await _run(command, session, live)
    conversation.output(text)
    if not is_private:
        shown = text if len(text) <= _MOST_FOR_MODEL else f"[the end of it]\n{text[-_MOST_FOR_MODEL:]}"
        session.add_context(f"The user ran `{command}`:\n{shown}")


async def _run(command: str, session: Session, live: Live) -> str:
    env = session.places.env
    live.tools[_CALL] = RunningTool(f"! {command}")
    chunks: list[bytes] = []

    def heard(_name: str, chunk: bytes) -> None:
        chunks.append(chunk)
        running = live.tools[_CALL]
        live.tools[_CALL] = running.replace(output=(running.output + chunk.decode("utf-8", "replace"))[-4000:])
        live.changed()

    launch = Launch((*user_shell(env).argv, command), session.places.cwd, dict(env), _LIMITS, merged=True)
    try:
        ended = await run(launch, heard)
    finally:
        live.tools.pop(_CALL, None)
    text = cleaned(b"".join(chunks)).rstrip("\n")
    return text if ended.code == 0 else f"{text}\n[{_how(ended)}]".lstrip("\n")


def _how(ended: Any) -> str:
    if ended.reason:
        return f"ended: {ended.reason}"
    return f"exit code {ended.code}" if ended.code is not None else "it did not end well"


def _result_text(result: Any) -> str:
    if isinstance(result, dict):
        result = result.get("output", result.get("text", ""))
    return cleaned(str(result))
