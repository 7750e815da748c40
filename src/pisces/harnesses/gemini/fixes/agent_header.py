"""The header of a subagent that Gemini CLI rejects: tools as one text, tools and keys as other harnesses call them.

A subagent never gets more tools than its author named. What limits it is never removed.
"""

from __future__ import annotations

import re

from pisces.checking.fix import Fix, Spot, TextEdit
from pisces.checking.json_edits import json_text_of
from pisces.checking.key_fix import respelled
from pisces.harnesses.gemini.agent_shape import LOCAL
from pisces.harnesses.gemini.known_tools import is_tool_name
from pisces.harnesses.gemini.tools import own_name

_FIELD = re.compile(r"([A-Za-z_-]+):[ \t]*([^\r\n]*)")
_TOOL = re.compile(r"(-[ \t]+)?([\"']?)([\w.:*-]+)\2(?=[ \t]*(?:[,\]\r\n]|\Z|[ \t]#))")
_NAMES = re.compile(r"[^\s,()]+(?:\([^()]*\))?")
_PLAIN = re.compile(r"[A-Za-z_][\w.:-]*(?:\([^()#]*\))?")
_LIMITS = frozenset(
    "disallowedTools disallowed-tools permissionMode allowed-tools allowedTools hooks isolation".split()
)


def fix(spot: Spot) -> Fix | None:
    message = spot.diagnostic.message
    field = _FIELD.match(spot.text, spot.offset) if spot.offset >= 0 else None
    if message.startswith("`tools.") and spot.offset >= 0:
        return _tool(spot)
    if field and field[1] == "tools" and message.startswith("`tools` must be a list, not text"):
        return _list(spot, field)
    if field and message.startswith("unknown key "):
        return _key(spot, field)
    if field and field[1] == "name" and message.startswith("`name` may only have"):
        return _name(spot, field)
    return None


def _tool(spot: Spot) -> Fix | None:
    found = _TOOL.match(spot.text, spot.offset)
    own = own_name(found[3]) if found else ""
    if not found or not own:
        return None
    return spot.fix(f"write `{own}`", TextEdit(found.start(), found[0], f"{found[1] or ''}{_written(own)}"))


def _list(spot: Spot, field: re.Match[str]) -> Fix | None:
    file = spot.subject.pages.markdown(spot.diagnostic.path)
    tools = file.fields.get("tools") if file and not file.warning else None
    if not isinstance(tools, str) or field[2].strip().strip("\"'") != tools:
        return None  # on several lines, or with a comment
    names = dict.fromkeys(name if is_tool_name(name) else own_name(name) or name for name in _NAMES.findall(tools))
    if not names:
        return None
    end = "\r\n" if spot.text[field.end() : field.end() + 2] == "\r\n" else "\n"
    lines = [f"{field[1]}:", *(f"  - {_written(name)}" for name in names)]
    return spot.fix("write a list", TextEdit(field.start(), field[0], end.join(lines)))


def _key(spot: Spot, field: re.Match[str]) -> Fix | None:
    """Renamed, or else removed, which is no safe fix."""
    file = spot.subject.pages.markdown(spot.diagnostic.path)
    own = respelled(field[1], (*LOCAL.required, *LOCAL.optional))
    if own and file and own not in file.fields:
        return spot.fix(f"write `{own}`", TextEdit(field.start(), field[1], own))
    line = spot.text.rfind("\n", 0, field.start()) + 1
    if field[1] in _LIMITS or own or line != field.start() or not _is_one_line(spot.text, field):
        return None
    end = spot.text.index("\n", field.end()) + 1
    return spot.fix(f"remove `{field[1]}`", TextEdit(line, spot.text[line:end], ""), safe=False)


def _is_one_line(text: str, field: re.Match[str]) -> bool:
    """Whether the value ends on the line of its key."""
    after = text.find("\n", field.end()) + 1
    is_whole = field[2] and field[2][0] not in "|>&!" and field[2].count('"') % 2 == 0
    return bool(after and is_whole) and text[after : after + 1] not in (" ", "\t", "")


def _name(spot: Spot, field: re.Match[str]) -> Fix | None:
    """Letters in lower case only: any other name would be a new one."""
    name = field[2].strip()
    is_case_only = re.fullmatch(r"[A-Za-z0-9_-]+", name) is not None
    return spot.fix(f"write `{name.lower()}`", TextEdit(field.start(2), name, name.lower())) if is_case_only else None


def _written(name: str) -> str:
    return name if _PLAIN.fullmatch(name) else json_text_of(name)
