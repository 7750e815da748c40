"""Why an object that a hook of Claude Code printed is no answer, in Claude Code's words."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pisces.formats.json import JsonObject

DECISIONS = ("allow", "deny", "ask", "defer")
OLD_DECISIONS = ("approve", "block")
_KINDS: Mapping[str, type | tuple[str, ...]] = {
    "continue": bool,
    "suppressOutput": bool,
    "stopReason": str,
    "decision": OLD_DECISIONS,
    "reason": str,
    "systemMessage": str,
}
_INNER: Mapping[str, type | tuple[str, ...]] = {
    "permissionDecision": DECISIONS,
    "permissionDecisionReason": str,
    "updatedInput": dict,
    "additionalContext": str,
}
_LONGEST = 2000  # characters of the output that are shown
_NOUNS = {bool: "boolean", str: "string", dict: "object", list: "array", int: "number", float: "number"}


def shape_of(fields: JsonObject, name: str) -> str:
    """What the hook printed, and what an answer to the event `name` looks like."""
    return f"The hook's output was: {_output(fields)}\n\nExpected schema:\n{_schema(name)}"


def _output(fields: JsonObject) -> str:
    try:
        text = _pretty(fields)
    except RecursionError:
        return "nested too deep to be shown"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def flaw_in(fields: JsonObject, name: str) -> str:
    """What is wrong in an answer to the event `name`; empty if nothing is."""
    start = "Hook JSON output validation failed — "
    wrong = _misfit(fields, _KINDS, "")
    if wrong:
        return start + wrong
    if "hookSpecificOutput" not in fields:
        return ""
    inner = fields["hookSpecificOutput"]
    if not isinstance(inner, dict):
        return f"{start}hookSpecificOutput: expected object, received {_noun(inner)}"
    if "hookEventName" not in inner:
        return f'{start}hookSpecificOutput is missing required field "hookEventName"'
    if inner["hookEventName"] != name:
        return f"Hook returned incorrect event name: expected '{name}' but got '{inner['hookEventName']}'"
    wrong = _misfit(inner, _INNER, "hookSpecificOutput.")
    return start + wrong if wrong else ""


def _misfit(fields: JsonObject, kinds: Mapping[str, type | tuple[str, ...]], place: str) -> str:
    for key, kind in kinds.items():
        if key not in fields:
            continue
        value = fields[key]
        if isinstance(kind, tuple) and value not in kind:
            return f"{place}{key}: Invalid option: expected one of {_options(kind)}"
        if isinstance(kind, type) and not isinstance(value, kind):
            return f"{place}{key}: expected {'record' if kind is dict else _NOUNS[kind]}, received {_noun(value)}"
    return ""


def _schema(name: str) -> str:
    """Of an answer to this event."""
    inner = {"hookEventName": f'"{name}"', **_described(_INNER)}
    return _pretty({**_described(_KINDS), "hookSpecificOutput": inner})


def _described(kinds: Mapping[str, type | tuple[str, ...]]) -> dict[str, str]:
    shown = {key: _NOUNS[kind] if isinstance(kind, type) else _options(kind, " | ") for key, kind in kinds.items()}
    return {key: f"{text} (optional)" for key, text in shown.items()}


def _options(words: tuple[str, ...], between: str = "|") -> str:
    return between.join(f'"{each}"' for each in words)


def _noun(value: Any) -> str:
    return "null" if value is None else _NOUNS.get(type(value), "object")


def _pretty(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
