"""The context: on one wrong field, Gemini CLI drops the connection."""

from __future__ import annotations

import os
from typing import Any

from pisces.ide.probe.probe import MUST, SHOULD, Ask, Finding, ProbeRule, broken, judged, passed
from pisces.ide.probe.subject import ProbeSubject, Skip
from pisces.shapes.ide_context import MOST_FILES, MOST_SELECTED, IdeContext, context_from_json

_UPDATE = "ide/contextUpdate"
_NONE_SENT = "no context was sent"


async def _first(subject: ProbeSubject) -> Finding:
    return passed() if await subject.wait_for(_UPDATE, 2.0) is not None else broken("none came within 2 s")


async def _two_clients(subject: ProbeSubject) -> Finding:
    heard: list[tuple[str, Any]] = []
    second = await subject.another(heard)
    if second is None:
        return broken("a second client cannot connect")
    try:
        first = await subject.wait_for(_UPDATE, 0.1)
        await subject.quiet()
        got = any(method == _UPDATE for method, _ in heard)
        return passed() if first is None or got else broken("the second client gets no context")
    finally:
        await second.close()


async def _valid(subject: ProbeSubject) -> Finding:
    updates = [params for method, params in subject.heard if method == _UPDATE]
    if not updates:
        raise Skip(_NONE_SENT)
    return judged(list(dict.fromkeys(filter(None, map(_misfit, updates)))))


def _misfit(params: Any) -> str:
    try:
        context_from_json(params)
    except (ValueError, OverflowError) as error:
        return str(error)
    return ""


def _of_context(ask: Any) -> Ask:
    async def asked(subject: ProbeSubject) -> Finding:
        params = await subject.wait_for(_UPDATE, 0.1)
        if params is None or _misfit(params):
            raise Skip(_NONE_SENT if params is None else "the context cannot be read")
        return judged(list(ask(context_from_json(params))))

    return asked


def _limits(context: IdeContext) -> list[str]:
    problems = [f"{len(context.open_files)} files"] if len(context.open_files) > MOST_FILES else []
    units = [len(file.selected_text.encode("utf-16-le", "surrogatepass")) // 2 for file in context.open_files]
    return problems + [f"{count} characters are selected" for count in units if count > MOST_SELECTED]


def _active(context: IdeContext) -> list[str]:
    active = [file for file in context.open_files if file.is_active]
    if len(active) > 1:
        return [f"{len(active)} files are active"]
    newest = max((file.timestamp for file in context.open_files), default=0)
    late = [file for file in active if file.timestamp < newest]
    return [f"{file.path} is active, but not the newest, so clients take no file for active" for file in late]


def _only_active(context: IdeContext) -> list[str]:
    others = [file for file in context.open_files if not file.is_active and (file.cursor or file.selected_text)]
    return [f"{file.path} is not active, but has a cursor or a selection" for file in others]


def _files(context: IdeContext) -> list[str]:
    paths = [file.path for file in context.open_files]
    return [f"{path} is not an absolute path" for path in paths if not os.path.isabs(path)] + [
        f"{path} does not exist" for path in paths if os.path.isabs(path) and not os.path.exists(path)
    ]


def _counted(context: IdeContext) -> list[str]:
    cursors = [file.cursor for file in context.open_files if file.cursor]
    return [f"line {at.line}, character {at.character}" for at in cursors if at.line < 1 or at.character < 1]


RULES = (
    ProbeRule("context-first", SHOULD, "the context comes as soon as the stream is open", _first),
    ProbeRule("context-every-client", MUST, "a second client gets the context too", _two_clients),
    ProbeRule("context-valid", MUST, "every update has the right fields, and none is null", _valid),
    ProbeRule("context-files", MUST, "open files are absolute paths that exist", _of_context(_files)),
    ProbeRule("context-active", MUST, "at most one file is active, and it is the newest", _of_context(_active)),
    ProbeRule("context-cursor", SHOULD, "only the active file has a cursor and a selection", _of_context(_only_active)),
    ProbeRule("context-from-1", MUST, "lines and characters count from 1", _of_context(_counted)),
    ProbeRule("context-limits", SHOULD, "at most 10 files and 16,384 selected characters", _of_context(_limits)),
)
