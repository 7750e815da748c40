"""A session with hooks in the dialect of Claude Code, in a folder of its own, and a count of what it leaves behind."""

from __future__ import annotations

import asyncio
import os
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pisces.diagnostics import Diagnostic
from pisces.discovery.found import Source
from pisces.gates.hooks.dialect import LoadedHook
from pisces.gates.hooks.engine import HookSet
from pisces.gates.hooks.firing import HookCallbacks, HookRun
from pisces.shapes.events import ToolCall
from pisces.shapes.hook import Hook, in_seconds
from pisces.shapes.note import Note
from pisces.shapes.request import ToolRequest
from pisces.shapes.session_facts import SessionFacts
from pisces.shapes.verdict import Judged, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping

    from pisces.shapes.event import Event

GONE_WITHIN = 5.0  # seconds until what was ended is gone from the system's lists


def hook(command: str, event: str = "PreToolUse", matcher: Any = None, **fields: Any) -> LoadedHook:
    """`number` tells hooks apart that are otherwise alike; `narrowing`, `rule` and the like are of the loaded hook."""
    loaded = {key: fields.pop(key) for key in ("is_narrowing", "difference", "flaw", "package") if key in fields}
    number = fields.pop("number", 0)
    path = fields.pop("path", "/home/settings.json")
    fields = {"type": "command", "command": command, **fields}
    keys = ("hooks", event, number, "hooks", 0)
    made = Hook(
        event,
        matcher,
        command,
        path,
        "claude",
        fields,
        {"hooks": [fields]},
        keys,
        type=fields["type"],
        timeout=fields.get("timeout"),
        seconds=in_seconds(fields.get("timeout")),
    )
    return LoadedHook(made, Source("claude", "Claude Code", path, "user"), line=number + 1, **loaded)


def printed(answer: str) -> str:
    return f"printf '%s' '{answer}'"


DENY = printed('{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}')
ALLOW = printed('{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}}')
ASK = printed('{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "ask"}}')


class Session:
    def __init__(
        self, folder: Path, *hooks: LoadedHook, env: Mapping[str, str] | None = None, **callbacks: Any
    ) -> None:
        self.folder = folder
        self.cwd = str(folder)
        self.reported: list[Diagnostic] = []
        self.runs: list[HookRun] = []
        self.notes: list[Note] = []
        made = HookCallbacks(**{"report": self.reported.append, "record": self.runs.append, **callbacks})
        own = {"PATH": os.environ["PATH"], "HOME": str(folder), **(env or {})}
        self.hooks = HookSet(hooks, self.facts, own, made)

    def facts(self) -> SessionFacts:
        return SessionFacts(self.cwd, str(self.folder), str(self.folder), id="s1", effort="medium")

    async def judge(self, command: str = "echo hi", tool: str = "Bash", **more: Any) -> Any:
        request = ToolRequest(ToolCall(tool, "c1", {"command": command}), self.cwd, **more)
        return await self.hooks.judged(request, self.notes)


async def verdict_of(session: Session, command: str = "echo hi") -> Verdict | None:
    answer = await session.judge(command)
    found = answer.verdict if isinstance(answer, Judged) else answer
    return found if isinstance(found, Verdict) else None


def judged(folder: Path, *hooks: LoadedHook, command: str = "echo hi", **callbacks: Any) -> str:
    """The decision about one call; empty where the hooks have none."""

    async def run() -> str:
        session = Session(folder, *hooks, **callbacks)
        try:
            verdict = await verdict_of(session, command)
            return verdict.decision if verdict else ""
        finally:
            await session.hooks.close()

    return asyncio.run(run())


def emitted(folder: Path, event: Event, *hooks: LoadedHook, **callbacks: Any) -> Any:
    async def run() -> Event:
        session = Session(folder, *hooks, **callbacks)
        try:
            return await session.hooks.emit(event)
        finally:
            await session.hooks.close()

    return asyncio.run(run())


def without_leaks(play: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """Runs it, and checks that no process, task, thread, descriptor or temporary file is left."""

    async def counted() -> Any:
        await asyncio.sleep(0)  # a loop opens its own descriptors first
        before = _counts()
        result = await play()
        deadline = time.monotonic() + GONE_WITHIN
        while _counts() != before and time.monotonic() < deadline:
            await asyncio.sleep(0.02)
        after = _counts()
        assert after == before, {name: (before[name], after[name]) for name in before if before[name] != after[name]}
        return result

    return asyncio.run(counted())


def _counts() -> dict[str, Any]:
    return {
        "children": sorted(_children()),
        "tasks": len(asyncio.all_tasks()),
        "threads": sorted(each.name for each in threading.enumerate() if each.name.startswith("pisces")),
        "descriptors": len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0,
        "files": sorted(
            name for name in os.listdir(tempfile.gettempdir()) if name.startswith(f"pisces-hooks-{os.getpid()}-")
        ),
    }


def _children() -> list[int]:
    """Processes whose parent is this one."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc") if os.path.isdir("/proc") else ()):
        try:
            stat = Path(f"/proc/{name}/stat").read_text()
        except OSError:
            continue
        if int(stat.rpartition(")")[2].split()[1]) == os.getpid():
            found.append(int(name))
    return found
