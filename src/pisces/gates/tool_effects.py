"""What a tool call does, whatever its harness calls the tool: the line that it runs, files that it reads or writes."""

from __future__ import annotations

import re
from functools import lru_cache

from pisces.discovery import tool_names as to
from pisces.gates.shell import argv_line, shell_line, typed_line
from pisces.shapes.shell_line import ShellLine
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pisces.shapes.events.tools import ToolCall

READS = frozenset((to.READ, to.LIST, to.FIND, to.SEARCH))
WRITES = frozenset((to.WRITE, to.EDIT, to.PATCH))
RUNS = frozenset((to.SHELL, to.TYPE))

_PATCHED = re.compile(r"^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\s*$", re.MULTILINE)
_ADDRESS = re.compile(r"https?://[^\s\"'<>`]+", re.IGNORECASE)
_MOST_LINES = 64


class ToolEffects(Value):
    """`meaning` is a word of `discovery.tool_names`; empty for a tool that no harness lists.

    `folder` is where a line runs, if the call says so. `names` are the subagent or skill that is started.
    """

    meaning: str
    line: ShellLine | None = None
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    name: str = ""
    folder: str = ""


def effects_of(call: ToolCall) -> ToolEffects:
    meaning = to.meaning_of(call.tool)
    given = {word: call.input.get(argument) for word, argument in to.words_of(call.tool, call.input).items()}
    if meaning in RUNS:
        return ToolEffects(meaning, line_of(meaning, given), folder=_text(given.get(to.FOLDER)))
    if meaning == to.PATCH:
        return ToolEffects(meaning, writes=_patched(call.input))
    if meaning in WRITES:
        return ToolEffects(meaning, writes=(_text(given.get(to.PATH)),))
    if meaning in READS:
        return ToolEffects(meaning, reads=_read(meaning, given))
    if meaning == to.FETCH:
        text = _text(given.get(to.URL)) or _text(given.get(to.PROMPT))
        return ToolEffects(meaning, addresses=tuple(_ADDRESS.findall(text)) or (text,))
    return ToolEffects(meaning, name=_text(given.get(to.NAME)))


def line_of(meaning: str, given: Mapping[str, Any]) -> ShellLine:
    """The line of a call that reaches a shell. A program may be given with its arguments, as a list."""
    if meaning == to.TYPE:
        return typed_line(_text(given.get(to.TEXT)))
    command = given.get(to.COMMAND)
    if isinstance(command, str):
        return _line(command)
    if isinstance(command, (list, tuple)) and command and all(isinstance(each, str) for each in command):
        return argv_line(command)
    return ShellLine("", (), "no command that can be read", is_compound=True)


@lru_cache(maxsize=_MOST_LINES)  # every rulebook and the approval mode ask about the same line
def _line(text: str) -> ShellLine:
    return shell_line(text)


def _read(meaning: str, given: Mapping[str, Any]) -> tuple[str, ...]:
    path = _text(given.get(to.PATH)) or _text(given.get(to.FOLDER)) or "."
    pattern = _text(given.get(to.PATTERN)) if meaning == to.FIND else ""
    leads_out = pattern[:1] in ("/", "~") or ".." in pattern.replace("\\", "/").split("/")
    return (path, pattern) if leads_out else (path,)


def _patched(given: Mapping[str, Any]) -> tuple[str, ...]:
    texts = [each for each in given.values() if isinstance(each, str)]
    found = tuple(path for text in texts for path in _PATCHED.findall(text))
    return found or ("",)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
