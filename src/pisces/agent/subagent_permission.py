"""`permission` in the header of a subagent: decisions by the name of a tool, or by patterns of what it is called with.

    {"edit": "deny", "bash": {"*": "ask", "git diff*": "allow"}}

The last pattern that fits decides. A file only narrows here: what it allows is judged as everything else is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.discovery.tool_names import every_name
from pisces.formats.wildcard import wildcard_matches
from pisces.gates.tool_effects import RUNS, WRITES, effects_of
from pisces.shapes.verdict import ALLOW, ASK, DENY

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from pisces.shapes.events.tools import ToolCall

_EDIT = "edit"  # stands for all that writes files
_STRICTNESS = (DENY, ASK, ALLOW)


def permission_in(table: Mapping[str, Any], call: ToolCall) -> str:
    """DENY, ASK, ALLOW, or an empty text where nothing is said about the call."""
    effects = effects_of(call)
    names = {name.lower() for name in (*every_name(call.tool), *((_EDIT,) if effects.meaning in WRITES else ()))}
    rule = None
    for key, value in table.items():
        if any(wildcard_matches(str(key).lower(), name) for name in names):
            rule = value
    if rule is None:
        return ""
    if not isinstance(rule, dict):
        return _decision(rule)
    if effects.meaning in RUNS:
        commands = effects.line.commands if effects.line and effects.line.is_plain else ()
        return _strictest([_last(rule, each.text) for each in commands]) or _strictest(map(_decision, rule.values()))
    subjects = (*effects.reads, *effects.writes, *effects.addresses, *filter(None, (effects.name,)))
    return _strictest([_last(rule, each) for each in subjects]) or _last(rule, "")


def _last(rule: Mapping[str, Any], subject: str) -> str:
    found = ""
    for pattern, value in rule.items():
        if wildcard_matches(str(pattern), subject):
            found = _decision(value)
    return found


def _strictest(decisions: Iterable[str]) -> str:
    found = {*decisions}
    return next((each for each in _STRICTNESS if each in found), "")


def _decision(value: object) -> str:
    """A word that nobody knows may have been meant to deny."""
    return value if isinstance(value, str) and value in _STRICTNESS else ASK
