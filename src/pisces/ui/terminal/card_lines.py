"""What a question shows: what would run, to the letter, where, and who wants to be asked. Nothing is left out."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from pisces.discovery import tool_names as to
from pisces.formats.visible import visible
from pisces.gates.judge import DEFAULT
from pisces.shapes.request import (
    HookRequest,
    LineRequest,
    ModuleRequest,
    ProgramRequest,
    ServerRequest,
    ToolRequest,
)
from pisces.shapes.server_requests import ElicitationRequest, SamplingRequest, ToolsRequest
from pisces.shapes.tool import ToolFailed
from pisces.tools.proposed import EDIT, WRITE, proposed_text
from pisces.ui.terminal.diff_lines import diff_counts, diff_rows
from pisces.ui.terminal.drawn import exact_rows, prose_rows
from pisces.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pisces.places import Places
    from pisces.shapes.request import Request
    from pisces.shapes.verdict import Verdict
    from pisces.ui.terminal.themes import Palette


class CardText(Value):
    """`title` asks. `body` makes the rows of what would run. `facts` are lines of label and text."""

    title: str
    body: Callable[[int, Palette], Iterator[str]]
    facts: tuple[tuple[str, str], ...]


def card_text(request: Request, questions: Sequence[Verdict], places: Places) -> CardText:
    title, body, facts = _shown_as(request, places)
    return CardText(title, body, (*facts, *_askers(questions)))


def _askers(questions: Sequence[Verdict]) -> Iterator[tuple[str, str]]:
    """Who wants the question, each with the reason: a hook, a rule with its file and line, the approval mode."""
    for each in questions:
        who = "nobody has decided" if each.who in ("", DEFAULT) else each.who
        yield "asked by", f"{who}: {each.why}" if each.why else who


def card_rows(card: CardText, width: int, palette: Palette) -> list[str]:
    """No text of others begins at the left margin, so that none can look like a line of ours."""
    rows = [palette.paint(row, "bold") for row in _one_line(card.title, width)]
    rows += card.body(width, palette)
    for label, text in card.facts:
        rows += (palette.paint(row, "dim") for row in _one_line(f"{label}: {text}", width))
    return rows


def _one_line(text: str, width: int) -> Iterator[str]:
    """Folded, with line ends as escapes; what follows the first row is indented."""
    for at, row in enumerate(prose_rows(visible(text), max(width - 2, 1))):
        yield f"  {row}"[:width] if at and width > 2 else row


def _shown_as(request: Request, places: Places) -> tuple[str, Any, tuple[tuple[str, str], ...]]:
    where = (("in", places.shown(getattr(request, "cwd", "") or places.cwd)),)
    if isinstance(request, ToolRequest):
        return _of_tool(request, places)
    if isinstance(request, LineRequest):
        file = ("from", places.shown(request.path)), ("typed", request.command)
        return "Run this line of a prompt file?", _code(request.exact), (*where, *file)
    if isinstance(request, ProgramRequest):
        title = f"Run the program of `{request.package or request.name}`?"
        return title, _code(request.exact), _program(request, places)
    if isinstance(request, ServerRequest):
        return f"Start the MCP server `{request.name}`?", _code(request.exact), _server(request, places)
    if isinstance(request, HookRequest):
        origin = ("from", f"{places.shown(request.path)} ({request.level})")
        return f"Let this hook run at `{request.event}`?", _code(request.exact), (*where, origin)
    if isinstance(request, ModuleRequest):
        facts = (("level", request.level), *((("package", request.package),) if request.package else ()))
        return f"Load the extension `{request.name}`?", _code(request.exact), facts
    return _of_server(request, places)


def _of_server(request: Request, places: Places) -> tuple[str, Any, tuple[tuple[str, str], ...]]:
    if isinstance(request, ToolsRequest):
        title = f"The MCP server `{request.name}` says something else to the model than what was reviewed. Accept it?"
        return title, _differences(request.exact), (("from", f"{places.shown(request.path)} ({request.level})"),)
    if isinstance(request, SamplingRequest):
        title = f"The MCP server `{request.name}` wants an answer of your model. Ask it?"
        return title, _code(request.exact), (("cost", "your model, your account"),)
    if isinstance(request, ElicitationRequest):
        url = (("opens", request.url),) if request.url else ()
        return f"The MCP server `{request.name}` asks you:", _code(request.exact), url
    card = getattr(request, "card", None)
    if card is not None:  # the install of a package: everything that it can do
        lines = "\n".join(f"{each.kind}: {visible(each.text)}" for each in card.lines) or "brings nothing that runs"
        facts = (("from", card.source), ("hash", card.hash))
        return f"Install `{card.name}` {card.version}?", _code(lines), facts
    return f"Let this {request.KIND} run?", _code(request.exact), ()


def _of_tool(request: ToolRequest, places: Places) -> tuple[str, Any, tuple[tuple[str, str], ...]]:
    call = request.call
    meaning = "" if request.server else to.meaning_of(call.tool)
    words = to.words_of(call.tool, call.input) if meaning else {}
    given = {word: call.input.get(name) for word, name in words.items()}
    facts = [("in", places.shown(_folder(request, given)))]
    if request.agent or request.agent_id:
        facts.append(("subagent", request.agent or request.agent_id))
    if meaning == to.SHELL and isinstance(given.get(to.COMMAND), str):
        more = _others(call.input, words.get(to.COMMAND, ""), words.get(to.FOLDER, ""))
        facts += [("with", more)] if more else []
        return "Run this command?", _code(str(given[to.COMMAND])), tuple(facts)
    if meaning in (to.WRITE, to.EDIT) and isinstance(given.get(to.PATH), str):
        changed = change_of(request, words)
        if changed is not None:
            return _of_change(str(given[to.PATH]), changed), _diff(changed), tuple(facts)
    if request.server:
        facts.append(("server", request.server))
        facts += [("it says", _hints(request.annotations))] if request.annotations else []
    return f"Let the model call `{call.tool}`?", _code(_arguments(call.input)), tuple(facts)


class ShownChange(Value):
    """`old` is None for a file that is not there. With a `problem` both are only the parts that the call names."""

    old: str | None
    new: str
    problem: str = ""


def change_of(request: ToolRequest, words: Mapping[str, str]) -> ShownChange | None:
    """What a call would make of a file; None where the arguments say nothing that can be shown as a difference."""
    given = request.call.input
    content, pairs = given.get(words.get(to.CONTENT, "")), _pairs(given, words)
    common = {"path": given.get(words.get(to.PATH, "")), "replace_all": given.get("replace_all")}
    is_written = isinstance(content, str)
    if not is_written and not pairs:
        return None
    edits = [{"old": old, "new": new} for old, new in pairs]
    try:
        if is_written:
            made = proposed_text(WRITE, {**common, "content": content}, request.cwd)
        else:
            made = proposed_text(EDIT, {**common, "edits": edits}, request.cwd)
    except (ToolFailed, OSError, ValueError) as error:
        old, new = "\n".join(each for each, _ in pairs), "\n".join(each for _, each in pairs)
        return ShownChange(None if is_written else old, str(content) if is_written else new, str(error))
    return None if made is None else ShownChange(made.before, made.after, "; ".join(made.notes))


def _pairs(given: Mapping[str, Any], words: Mapping[str, str]) -> list[tuple[str, str]]:
    names = words.get(to.OLD, ""), words.get(to.NEW, "")
    several = given.get(words.get(to.EDITS, ""))
    edits = several if isinstance(several, list) and several else [given]
    found = [tuple(each.get(name) for name in names) for each in edits if hasattr(each, "get")]
    return [(old, new) for old, new in found if isinstance(old, str) and isinstance(new, str)]


def _of_change(path: str, changed: ShownChange) -> str:
    added, removed = diff_counts(changed.old or "", changed.new)
    act = "Create" if changed.old is None and not changed.problem else "Change"
    return f"{act} `{path}`? (+{added} -{removed})"


def _diff(changed: ShownChange) -> Callable[[int, Palette], Iterator[str]]:
    def rows(width: int, palette: Palette) -> Iterator[str]:
        if changed.problem:
            yield from (palette.paint(row, "warn") for row in prose_rows(changed.problem, width))
        yield from diff_rows(changed.old or "", changed.new, width, palette)

    return rows


def _code(text: str) -> Callable[[int, Palette], Iterator[str]]:
    def rows(width: int, palette: Palette) -> Iterator[str]:
        return (palette.paint(row, "code") for row in exact_rows(text, width, "  " if width > 10 else ""))

    return rows


def _differences(text: str) -> Callable[[int, Palette], Iterator[str]]:
    """Lines that begin with a sign are added or removed."""
    meanings = {"+": "added", "-": "removed"}

    def rows(width: int, palette: Palette) -> Iterator[str]:
        for line in text.split("\n"):
            meaning = meanings.get(line.lstrip()[:1], "text")
            yield from (palette.paint(row, meaning) for row in exact_rows(line, width))

    return rows


def _program(request: ProgramRequest, places: Places) -> tuple[tuple[str, str], ...]:
    facts = [("in", places.shown(request.cwd)), ("program", places.shown(request.program))]
    facts += [("variables", ", ".join(request.env))] if request.env else []
    facts += [("changed", each) for each in request.changes]
    return (*facts, ("sha256", request.sha256)) if request.sha256 else tuple(facts)


def _server(request: ServerRequest, places: Places) -> tuple[tuple[str, str], ...]:
    facts = [("from", f"{places.shown(request.path)} ({request.level})")]
    facts += [("package", request.package)] if request.package else []
    facts += [("in", places.shown(request.cwd))] if request.cwd else []
    facts += [("variables", ", ".join(request.env))] if request.env else []
    facts += [("headers", ", ".join(request.headers))] if request.headers else []
    facts += [("headers come from", request.helper)] if request.helper else []
    facts += [("starts", request.pin)] if request.pin else []
    facts += [("not pinned", request.floating)] if request.floating and not request.pin else []
    return (*facts, *(("changed", each) for each in request.changes))


def _folder(request: ToolRequest, given: Mapping[str, Any]) -> str:
    folder = given.get(to.FOLDER)
    return os.path.join(request.cwd, folder) if isinstance(folder, str) and folder else request.cwd


def _others(given: Mapping[str, Any], *shown: str) -> str:
    return ", ".join(f"{name}={_short(value)}" for name, value in given.items() if name not in shown)


def _short(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _hints(annotations: Mapping[str, Any]) -> str:
    """What a server says of its own tool: a claim, not a fact."""
    return ", ".join(f"{name}={_short(value)}" for name, value in annotations.items())


def _arguments(given: Mapping[str, Any]) -> str:
    return json.dumps(given, ensure_ascii=False, indent=1, default=str)
