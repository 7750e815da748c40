"""Found items as JSON: the same keys for every kind, plus the kind's own. docs/reference/list.md describes them.

Possible secrets are not printed: of the environment and the headers of servers and settings only the names are.
"""

from __future__ import annotations

from pisces.discovery.capabilities import PACKAGES
from pisces.formats.no_secrets import without_secrets
from pisces.shapes.rejected import Rejected
from pisces.ui.titles import masked_command, title_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from pisces.cli._views import View
    from pisces.diagnostics import Diagnostic
    from pisces.discovery.capability import Capability
    from pisces.discovery.found import Candidate
    from pisces.discovery.harness import Harness

# An item has more attributes than these; programs rely on the keys that are printed. Where an attribute has the name
# of a common key, the key is another one.
_KEYS: dict[str, tuple[str, ...]] = {
    "packages": ("manifest", "format", "version"),
    "modules": ("language", "folder"),
    "commands": ("final_name", "description", "dialect", "argument_hint", "executable"),
    "skills": ("description",),
    "subagents": ("description", "tools", "model"),
    "mcp-servers": ("config",),
    "hooks": ("event", "matcher", "command", "dialect", "type", "timeout", "sequential"),
    "policies": ("tool_name", "decision", "priority", "args_pattern", "fields"),
    "context-files": ("scope",),
    "settings": ("env_var", "description", "sensitive", "values"),
    "themes": (),
}
_OF_A_PACKAGE = ("kind", "name", "path", *_KEYS["packages"], "state", "reason", "winner", "package", "source")
_EXPANDED = ("toolName", "commandPrefix")  # of a policy: an item has one of each, as `tool_name` and `args_pattern`
_RENAMED = {"subagents": {"subagent_kind": "kind"}, "policies": {"rule_kind": "kind"}}


def listing_json(
    views: Iterable[View], shown: Iterable[tuple[View, Capability, Candidate]], diagnostics: Iterable[Diagnostic]
) -> dict[str, Any]:
    return {
        "harnesses": [_harness_json(view) for view in views],
        "items": [candidate_json(capability, each, view.harness) for view, capability, each in shown],
        "diagnostics": [each.as_json() for each in diagnostics],
    }


def candidate_json(capability: Capability, candidate: Candidate, harness: Harness | None = None) -> dict[str, Any]:
    """An item as it stands in a harness; without one, in the harness that it comes from."""
    found, source, held = candidate.found, candidate.found.source, candidate.held
    return {
        "kind": capability.id,
        "name": _name(capability.id, found.item),
        "path": found.item.path,
        "harness": harness.id if harness else source.harness,
        "state": candidate.state,
        "reason": candidate.reason or None,
        "switch": {"path": held.path, "line": held.line or None} if held and held.path else None,
        "change": held.change or None if held else None,
        "winner": candidate.winner.source.path if candidate.winner else None,
        "level": source.level or None,
        "package": found.package or None,
        "source": {"provider": source.harness, "label": source.label, "path": source.path, "level": source.level},
        **_own_keys(capability.id, found.item),
    }


def package_json(candidate: Candidate) -> dict[str, Any]:
    """A package in the registry's own shape, as seed 000 has it."""
    whole = candidate_json(PACKAGES, candidate)
    return {key: whole[key] for key in _OF_A_PACKAGE}


def _harness_json(view: View) -> dict[str, Any]:
    harness = view.harness
    return {
        "id": harness.id,
        "label": harness.label,
        "set_up": view.is_set_up,
        "is_program": harness.is_program or not harness.looks,
        "verified": harness.verified,
    }


def _name(kind: str, item: Any) -> Any:
    """What the file calls it; what lists call it where it has no name, as most hooks and all policies."""
    name = getattr(item, "name", "") or getattr(item, "event", "")
    return title_of(kind, item) if name == "" else name


def _own_keys(kind: str, item: Any) -> dict[str, Any]:
    if isinstance(item, Rejected):
        return {}
    own = {key: getattr(item, key) for key in _KEYS[kind] if hasattr(item, key)}
    own |= {key: getattr(item, attribute) for key, attribute in _RENAMED.get(kind, {}).items()}
    if kind == "hooks":
        own["command"] = masked_command(own["command"])
    if kind == "policies":
        own["fields"] = _own_fields(own["fields"])
    return own | {key: _safe(own[key]) for key in ("config", "values", "manifest") if key in own}


def _own_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """A rule for a thousand tools is a thousand items: none of them repeats the thousand names."""
    return {key: value for key, value in fields.items() if key not in _EXPANDED or not isinstance(value, list)}


def _safe(value: Any) -> Any:
    try:
        return without_secrets(value)
    except RecursionError:  # nobody nests that deep but to break a reader
        return None
