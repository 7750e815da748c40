"""A tool call as lines: what is called, with what, what became of it, and some lines of what it said."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pisces.formats.visible import visible
from pisces.processes.clean import cleaned
from pisces.ui.terminal.cells import clipped

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pisces.shapes.events.tools import ToolResult
    from pisces.ui.terminal.themes import Palette

FEW_LINES = 5
MOST_DIFF_LINES = 40
_MAIN = ("command", "path", "file_path", "pattern", "query", "url", "name", "question", "task", "prompt")
_LONGEST_ARGUMENT = 2000
_AT_THE_END = ("shell",)  # what matters of these is at the end
_QUIET = ("read", "list", "glob", "grep", "todos")  # what these return is for the model; a count says enough


def call_title(tool: str, arguments: Mapping[str, Any]) -> str:
    """`read src/app.py`: the name and the argument that says most, on one line."""
    return " ".join(filter(None, (visible(tool), visible(_main_argument(arguments)))))


def _main_argument(arguments: Mapping[str, Any]) -> str:
    main = next((arguments[name] for name in _MAIN if isinstance(arguments.get(name), str)), None)
    if main is None:
        main = json.dumps(arguments, ensure_ascii=False, default=str) if arguments else ""
    first, _, more = main[:_LONGEST_ARGUMENT].strip().partition("\n")
    return f"{first} …" if more or len(main) > _LONGEST_ARGUMENT else first


def running_lines(title: str, output: str, width: int, palette: Palette) -> list[str]:
    """While it runs: the last lines of what it said."""
    tail = cleaned(output[-4000:]).rstrip("\n").split("\n")[-FEW_LINES:] if output else []
    rows = [palette.paint(clipped(f"  {_tabless(line)}", width), "dim") for line in tail]
    return [palette.paint("● ", "warn") + clipped(title, max(1, width - 2), "…"), *rows]


def result_lines(result: ToolResult, palette: Palette) -> Iterator[str]:
    """Short, when it has ended. `full_lines` has the rest."""
    yield _head(result, palette)
    body = _body(result, palette)
    if result.tool in _QUIET and not result.is_error:
        count = len(body)
        yield palette.paint(f"  {count} line{'' if count == 1 else 's'}", "dim")
        return
    most = MOST_DIFF_LINES if result.diff else FEW_LINES
    most += len(body) == most + 1  # a line about one line takes as much room
    more = palette.paint(f"  … {len(body) - most} more lines, ctrl+o shows all", "dim") if len(body) > most else ""
    if more and result.tool in _AT_THE_END:
        yield more
        yield from (f"  {line}" for line in body[-most:])
        return
    yield from (f"  {line}" for line in body[:most])
    if more:
        yield more


def full_lines(result: ToolResult, palette: Palette) -> Iterator[str]:
    yield _head(result, palette)
    arguments = json.dumps(result.input, ensure_ascii=False, indent=2, default=str)
    yield from (palette.paint(f"  {line}", "dim") for line in cleaned(arguments).split("\n"))
    yield from (f"  {line}" for line in _body(result, palette))


def _head(result: ToolResult, palette: Palette) -> str:
    title = call_title(result.tool, result.input)
    if result.denied_by:
        return palette.paint("● ", "bad") + title + palette.paint(f"  denied by {visible(result.denied_by)}", "bad")
    seconds = f"  {result.duration_ms / 1000:.1f} s" if result.duration_ms >= 1000 else ""
    failed = palette.paint("  failed", "bad") if result.is_error else ""
    return palette.paint("● ", "bad" if result.is_error else "good") + title + failed + palette.paint(seconds, "dim")


def _body(result: ToolResult, palette: Palette) -> Sequence[str]:
    if result.diff:
        return [palette.paint(line, diff_meaning(line)) for line in cleaned(result.diff).rstrip("\n").split("\n")]
    text = cleaned(result.text).strip("\n")
    return [_tabless(line) for line in text.split("\n")] if text else []


def diff_meaning(line: str) -> str:
    if line.startswith(("+++", "---", "@@")):
        return "dim"
    return {"+": "added", "-": "removed"}.get(line[:1], "text")


def _tabless(line: str) -> str:
    return line.expandtabs(4) if "\t" in line else line
