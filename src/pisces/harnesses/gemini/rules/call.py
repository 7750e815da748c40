"""A tool call in the words of Gemini CLI's policies: names, server, arguments as JSON text, mode."""

from __future__ import annotations

import json
import os
import re
from functools import lru_cache

from pisces.discovery.tool_names import PATCH, mcp_parts, meanings, own_call, words_of
from pisces.gates.tool_effects import READS, WRITES
from pisces.shapes.session_facts import MODE_ALL, MODE_ASK, MODE_EDITS, MODE_PLAN
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from pisces.gates.rulebook import ToolUse
    from pisces.shapes.session_facts import SessionFacts

DEFAULT, AUTO_EDIT, YOLO, PLAN = "default", "autoEdit", "yolo", "plan"
MODES = {MODE_ASK: DEFAULT, MODE_EDITS: AUTO_EDIT, MODE_ALL: YOLO, MODE_PLAN: PLAN}
_ALIASES = {"search_file_content": "grep_search", "grep_search": "search_file_content"}
_AGENT = "invoke_agent"
_SHORT = 1000  # characters; a file's content is matched once
_QUALIFIED = re.compile(r"mcp_(?!_)([^_]+)_(.+)|mcp__(.+?)__(.+)")
_LONE = re.compile("[\ud800-\udfff]")
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


class ToolView(Value):
    """A tool as Gemini CLI would call it. `renamed` are its arguments that have another name there.

    `names` are those that Gemini CLI compares; `every_name` also has what other harnesses call the tool.
    """

    names: tuple[str, ...]
    every_name: frozenset[str]
    meaning: str
    server: str
    renamed: Mapping[str, str] = EMPTY


class PolicyCall(Value):
    """`names` has the subagent's name too, where the call starts one."""

    tool: ToolView
    names: tuple[str, ...]
    arguments: Mapping[str, Any]
    facts: SessionFacts
    annotations: Mapping[str, Any] = EMPTY

    @property
    def mode(self) -> str:
        return MODES.get(self.facts.mode, DEFAULT)

    def texts(self, touched: Sequence[str]) -> list[str]:
        """The arguments as JSON text, then as they would be if the same file were written in another way.

        Rules that allow look at the first one only. A patch is as if each of its files were written.
        """
        others: list[Mapping[str, Any]] = []
        short = {
            name: value for name, value in self.arguments.items() if isinstance(value, str) and len(value) < _SHORT
        }
        for path in touched if self.tool.meaning in READS | WRITES else ():
            given = {"file_path": path} if self.tool.meaning == PATCH else short
            key = next((name for name, value in given.items() if value == path), None)
            others += [{**given, key: other} for other in self._spellings(path)] if key and path else []
        return list(dict.fromkeys(map(stable_text, (self.arguments, *others))))

    def _spellings(self, path: str) -> tuple[str, ...]:
        absolute = os.path.normpath(os.path.join(self.facts.cwd, path))
        return path, absolute, os.path.relpath(absolute, self.facts.workspace or "."), os.path.realpath(absolute)


@lru_cache(maxsize=512)
def tool_view(tool: str, server: str) -> ToolView:
    everything = meanings()
    meaning = "" if server else everything.get(tool, "")
    found = _QUALIFIED.fullmatch(tool)
    bare = (mcp_parts(tool, server) or ("", tool))[1]
    if not server and found:
        server, bare = found[1] or found[3], found[2] or found[4]
    words = words_of(tool)
    name, own = own_call("gemini", tool, {argument: argument for argument in words.values()})
    if server:
        name, meaning, own = f"mcp_{server}_{bare}", "", {}
    # A tool of a server is known by its full name only: it may call itself as a built-in tool is called.
    # Gemini CLI also puts the server before a name that has it: `mcpName = "s"` beside `toolName = "mcp_s_tool"` fits.
    names = dict.fromkeys((name, f"mcp_{server}_{name}") if server else (name, tool, _ALIASES.get(name, name)))
    alike = (each for each, known in everything.items() if meaning and known == meaning)
    renamed = {old: new for new, old in own.items() if new != old}
    return ToolView(tuple(names), frozenset((*names, tool, *alike)), meaning, server, renamed)


def policy_call(use: ToolUse) -> PolicyCall:
    view, arguments = tool_view(use.call.tool, use.server), use.call.input
    if view.renamed:
        arguments = {view.renamed.get(name, name): value for name, value in arguments.items()}
    names = view.names
    if names[0] == _AGENT and isinstance(arguments.get("agent_name"), str):
        names = (*names, arguments["agent_name"])
    return PolicyCall(view, names, arguments, use.facts, use.annotations)


def stable_text(arguments: Mapping[str, Any]) -> str:
    """Keys in order, and a NUL around each pair of the outermost object: so a pattern can ask for a whole value."""
    pairs = [f"\0{json_text(key)}:{json_text(arguments[key])}\0" for key in sorted(arguments)]
    return "{" + ",".join(pairs) + "}"


def json_text(value: Any) -> str:
    """As `JSON.stringify` writes it, with keys in order."""
    if type(value) is str:
        text = _ENCODER.encode(value)
        return _LONE.sub(lambda found: f"\\u{ord(found[0]):04x}", text) if not text.isascii() else text
    if isinstance(value, dict):
        return "{" + ",".join(f"{json_text(str(key))}:{json_text(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(json_text, value)) + "]"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e21 else repr(value)
    return _ENCODER.encode(value)


def written_path(arguments: Mapping[str, Any]) -> str:
    """The file that an editing tool writes, under the names that Gemini CLI looks for."""
    for key in ("file_path", "path", "filePath", "file"):
        if arguments.get(key) is not None:
            return arguments[key] if isinstance(arguments[key], str) else ""
    return ""
