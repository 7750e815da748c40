"""What only commands of modules may do to a session: another conversation takes its place, or modules are reloaded.

What cannot be done is said in the answer, under `reason`, and to the user.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pisces.agent.transcript import new_transcript, open_transcript
from pisces.diagnostics import PiscesError
from pisces.shapes.events.session import (
    SessionBeforeFork,
    SessionBeforeSwitch,
    SessionBeforeTree,
    SessionFork,
    SessionShutdown,
    SessionSwitch,
    SessionTree,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from typing import TypeAlias

    from pisces.agent.transcript import Transcript
    from pisces.session.session import Session

    Act: TypeAlias = Callable[[Session, Mapping[str, Any]], Awaitable[str]]


_BEFORE = "before"


async def controlled(session: Session, action: str, options: Mapping[str, Any]) -> Mapping[str, Any]:
    act = _ACTS.get(action)
    reason = f"`{action}` is nothing that a session can do" if act is None else await act(session, options)
    return {"cancelled": True, "reason": reason} if reason else {"cancelled": False}


async def replaced(session: Session, transcript: Transcript, cause: str) -> str:
    """Another conversation from now on; why not, or an empty text. `cause` is new, resume or fork."""
    await session.stop_agent()
    switch = await session.emit(SessionBeforeSwitch(cause, transcript.path))
    if switch.cancelled:
        return switch.reason or "an extension keeps this session"
    previous = session.transcript.path
    await session.emit(SessionShutdown(cause, transcript.path))
    session.take(transcript)
    await session.emit(SessionSwitch(cause, previous))
    await session.start(cause, previous)
    return ""


async def _wait(session: Session, _options: Mapping[str, Any]) -> str:
    await session.wait_for_idle()
    return ""


async def _new(session: Session, _options: Mapping[str, Any]) -> str:
    return await replaced(session, new_transcript(session.places), "new")


async def _switch(session: Session, options: Mapping[str, Any]) -> str:
    try:
        found = open_transcript(str(options.get("path", "")), session.places)
    except PiscesError as error:
        return str(error)
    return await replaced(session, found, "resume")


async def _fork(session: Session, options: Mapping[str, Any]) -> str:
    """At a message of the user, which is asked again in another way, or behind any entry."""
    entry, position = str(options.get("entry_id", "")), str(options.get("position") or _BEFORE)
    fork = await session.emit(SessionBeforeFork(entry, position))
    if fork.cancelled:
        return fork.reason or "an extension keeps this session"
    old = session.transcript
    try:
        made = old.fork(_parent_of(old, entry) if position == _BEFORE else entry)
    except PiscesError as error:
        return str(error)
    reason = await replaced(session, made, "fork")
    if not reason:
        await session.emit(SessionFork(old.path))
    return reason


def _parent_of(transcript: Transcript, entry_id: str) -> str:
    found = next((each.parent for each in transcript.newest() if each.id == entry_id), entry_id)
    return found or entry_id


async def walk_to(session: Session, options: Mapping[str, Any]) -> str:
    target, old = str(options.get("target_id", "")), session.transcript.leaf
    wants_summary = bool(options.get("summarize"))
    event = await session.emit(
        SessionBeforeTree({"targetId": target, "oldLeafId": old, "userWantsSummary": wants_summary})
    )
    if event.cancelled:
        return event.reason or "an extension keeps the session where it is"
    try:
        session.transcript.walk(target)
    except PiscesError as error:
        return str(error)
    summary = event.summary.get("summary") if isinstance(event.summary, dict) else event.summary
    if summary:
        session.add_context(str(summary))
    session.editor.restart()
    await session.emit(SessionTree(target, old, event.summary, from_module=bool(summary)))
    return "the branch that was left is not summarised: no extension did" if wants_summary and not summary else ""


async def _reload(session: Session, _options: Mapping[str, Any]) -> str:
    """Reloads all modules, one by one: the old version of a module that does not load stays."""
    problems = [str(each) for path in session.host.module_paths for each in await session.host.reload(path)]
    if not problems:
        await session.start("reload")
    return "; ".join(problems)


_ACTS: Mapping[str, Act] = {
    "wait_for_idle": _wait,
    "new_session": _new,
    "switch_session": _switch,
    "fork": _fork,
    "navigate_tree": walk_to,
    "reload": _reload,
}
