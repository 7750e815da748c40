"""From a checked policy file to rules: one for each pattern and each tool name, with the priority inside its tier."""

from __future__ import annotations

import re

from pisces.by_name import export_of
from pisces.formats.json import JsonObject
from pisces.harnesses.gemini.known_tools import is_tool_name, nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

SHELL = "run_shell_command"
_SHOWN = 200  # characters of a pattern in a message
_SPECIAL = r'[-\[\]{}()*+?.,\\^$|#\s"]'
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}


def shell_flaw(rule: JsonObject) -> str:
    """The prefix and regex keys belong to the shell tool alone, and exclude each other."""
    keys = [key for key in ("commandPrefix", "commandRegex") if key in rule]
    if not keys:
        return ""
    if rule["toolName"] != SHELL:
        return f'`{keys[0]}` works only with toolName = "{SHELL}"'
    if "argsPattern" in rule:
        return f"`{keys[0]}` and `argsPattern` exclude each other"
    return "`commandPrefix` and `commandRegex` exclude each other" if len(keys) == 2 else ""


def tool_flaw(name: str) -> str:
    """A name that is probably a typing mistake; a name that is far from any is let through."""
    if "__" in name:
        return f"`{name}` uses the old `__` form: set `mcpName`, or write `mcp_server_tool`"
    if is_tool_name(name) or not (near := nearest(name)):
        return ""
    return f"no tool is called `{name}`, did you mean {', '.join(f'`{each}`' for each in near)}?"


def names_of(rule: JsonObject) -> list[str]:
    names = rule["toolName"]
    return names if isinstance(names, list) else [names]


def patterns_of(rule: JsonObject) -> list[str]:
    """Regular expressions on a call's arguments as JSON text; one empty pattern where any call is meant."""
    prefix = rule.get("commandPrefix")
    if prefix or prefix == []:
        prefixes = prefix if isinstance(prefix, list) else [prefix]
        return [_escaped(f'"command":{_unclosed_json_text(each)}') + r'(?:[\s"]|\\")' for each in prefixes]
    if rule.get("commandRegex"):
        return [f'"command":"{rule["commandRegex"]}']
    return [rule.get("argsPattern", "")]


def pattern_flaw(pattern: str) -> str:
    if not pattern:
        return ""  # before anything is loaded for it
    flaw = export_of("pisces.formats", "js_regex", "regex_flaw")(pattern)
    shown = pattern if len(pattern) <= _SHOWN else pattern[:_SHOWN] + "..."
    if flaw:
        return f"the pattern `{shown}` is not a regular expression: {flaw}"
    is_dangerous = export_of("pisces.formats", "js_regex_match", "is_dangerous")
    return f"the pattern `{shown}` could run for ever" if is_dangerous(pattern) else ""


def expanded_names(rule: JsonObject) -> Iterator[str | None]:
    """Tool names with their server: `mcpName` and `toolName` make `mcp_server_tool`."""
    server = rule.get("mcpName")
    for name in names_of(rule):
        yield f"mcp_{server}_{name}" if server and (server, name) != ("*", "*") else ("mcp_*" if server else name)


def _unclosed_json_text(text: str) -> str:
    inside = "".join(_ESCAPES.get(char, char if char >= " " else f"\\u{ord(char):04x}") for char in text)
    return f'"{inside}'


def _escaped(text: str) -> str:
    return re.sub(_SPECIAL, lambda match: "\\" + match[0], text)
