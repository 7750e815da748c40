"""Found items as JSON: the same keys for every kind, plus the kind's own fields."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.discovery.capability import Capability
    from pisces.discovery.found import Candidate
    from pisces.value import Value


def candidate_json(capability: Capability, candidate: Candidate) -> dict[str, Any]:
    found = candidate.found
    winner = candidate.winner.source.path if candidate.winner else None
    return {
        "kind": capability.id,
        **item_json(found.item),
        "state": candidate.state,
        "reason": candidate.reason or None,
        "winner": winner,
        "package": found.package or None,
        "source": {
            "provider": found.source.harness,
            "label": found.source.label,
            "path": found.source.path,
            "level": found.source.level,
        },
    }


def item_json(item: Value) -> dict[str, Any]:
    fields = {field: getattr(item, field) for field in item.__fields__}
    if "version" not in fields and hasattr(item, "version"):
        fields["version"] = item.version
    return fields
