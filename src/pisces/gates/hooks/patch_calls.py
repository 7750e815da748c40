"""A patch of several files as one call for each file: hooks of a harness without patches see one file in a call."""

from __future__ import annotations

import re

from pisces.discovery.tool_names import CONTENT, PATCH, meaning_of, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.shapes.events.tools import ToolCall

_FILE = re.compile(r"^[ \t]*\*\*\* (?:Add|Update|Delete) File: ", re.MULTILINE)
_MOVE = re.compile(r"^[ \t]*\*\*\* Move to: (.*)\n?", re.MULTILINE)
_END = re.compile(r"^[ \t]*\*\*\* End Patch.*", re.MULTILINE | re.DOTALL)


def calls_of(call: ToolCall) -> tuple[ToolCall, ...]:
    """The call itself, if it is no patch or one of a single file that stays where it is."""
    if meaning_of(call.tool) != PATCH:
        return (call,)
    argument = words_of(call.tool, call.input).get(CONTENT, "")
    text = call.input.get(argument)
    parts = list(_parts(text)) if isinstance(text, str) else []
    if len(parts) < 2:
        return (call,)
    return tuple(call.replace(input={**call.input, argument: _patch(each)}) for each in parts)


def _parts(text: str) -> Iterator[str]:
    """What is said about each file. One that moves is said once more, under its new name."""
    starts = [found.start() for found in _FILE.finditer(text)]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        part = _END.sub("", text[start:end])
        yield part
        for moved in _MOVE.finditer(part):
            body = _MOVE.sub("", part).partition("\n")[2]
            yield f"*** Update File: {moved[1].strip()}\n{body}"


def _patch(part: str) -> str:
    return f"*** Begin Patch\n{part.rstrip()}\n*** End Patch\n"
