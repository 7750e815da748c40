"""Found items as JSON: the same keys for every kind, plus the kind's own.

`kind` is always the capability. What a subagent or a policy calls its kind is `agent_kind` or `policy_kind`.
Fields as found are not printed: they may hold secrets, such as the environment of a hook or the headers of a request.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pisces.discovery.capability import Capability
    from pisces.discovery.found import Candidate

# An item has more attributes than these; programs rely on the keys that are printed.
_OWN_NAMES = {"agent_kind": "kind", "policy_kind": "kind"}  # printed under another key than the attribute's
_EXPANDED = ("toolName", "commandPrefix")  # of a policy: an item has one of each, as `tool_name` and `args_pattern`
_KEYS = {
    "packages": ("name", "path", "manifest", "format", "version"),
    "modules": ("name", "path", "language", "folder"),
    "commands": ("name", "final_name", "description", "path", "dialect", "argument_hint", "executable"),
    "skills": ("name", "description", "path"),
    "subagents": ("name", "description", "path", "agent_kind", "tools", "model"),
    "mcp-servers": ("name", "config", "path"),
    "hooks": ("event", "matcher", "command", "path", "dialect", "name", "type", "timeout", "sequential"),
    "policies": ("tool_name", "decision", "priority", "path", "args_pattern", "policy_kind"),
    "context-files": ("path", "scope"),
    "settings": ("name", "env_var", "description", "sensitive", "path", "values"),
    "themes": ("name", "path"),
}


def candidate_json(capability: Capability, candidate: Candidate) -> dict[str, Any]:
    found, source = candidate.found, candidate.found.source
    attributes = {key: _OWN_NAMES.get(key, key) for key in _KEYS[capability.id]}
    return {
        "kind": capability.id,
        **{key: getattr(found.item, name) for key, name in attributes.items() if hasattr(found.item, name)},
        **({"fields": _own_fields(found.item.fields)} if capability.id == "policies" else {}),
        "state": candidate.state,
        "reason": candidate.reason or None,
        "winner": candidate.winner.source.path if candidate.winner else None,
        "package": found.package or None,
        "source": {"provider": source.harness, "label": source.label, "path": source.path, "level": source.level},
    }


def _own_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """A rule for a thousand tools is a thousand items: none of them repeats the thousand names."""
    return {key: value for key, value in fields.items() if key not in _EXPANDED or not isinstance(value, list)}
