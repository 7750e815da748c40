"""The shell line of a tool call, whatever its harness calls the tool: run, started as words, or typed into a shell."""

from __future__ import annotations

from functools import lru_cache

from pisces.discovery.tool_names import COMMAND, SHELL, TEXT, TYPE, meaning_of, words_of
from pisces.gates.shell import argv_line, shell_line, typed_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pisces.shapes.events.tools import ToolCall
    from pisces.shapes.shell_line import ShellLine

_OTHER_NAMES = ("command", "cmd", "chars", "input", "script")


def called_line(call: ToolCall) -> ShellLine | None:
    """None for a call that runs no shell line. Several rulebooks ask about one call, so the last lines are kept."""
    meaning, argument = line_argument(call.tool)
    if not meaning:
        return None
    given = _given(call.input, argument)
    if isinstance(given, list | tuple):
        return _started(tuple(map(str, given)))
    return (_typed if meaning == TYPE else _run)("" if given is None else str(given))


def _given(arguments: Mapping[str, Any], argument: str) -> Any:
    """A model may use the name of another harness for the argument."""
    return next((arguments[name] for name in (argument, *_OTHER_NAMES) if name in arguments), None)


@lru_cache(maxsize=512)
def line_argument(tool: str) -> tuple[str, str]:
    """What a tool does with a line, run or type it, and the argument that has the line; empty for other tools."""
    meaning = meaning_of(tool)
    if meaning not in (SHELL, TYPE):
        return "", ""
    return meaning, words_of(tool).get(COMMAND if meaning == SHELL else TEXT, "command")


_run = lru_cache(maxsize=64)(shell_line)
_typed = lru_cache(maxsize=64)(typed_line)
_started = lru_cache(maxsize=64)(argv_line)
