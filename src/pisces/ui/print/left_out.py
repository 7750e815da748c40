"""What a workspace brings that was left out of a run, because nobody has trusted it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from pisces.discovery.capabilities import CONTEXT_FILES, HOOKS, MCP_SERVERS, SKILLS, SUBAGENTS
from pisces.discovery.found import PROJECT
from pisces.formats.visible import visible
from pisces.gates.trust import WORKSPACE_NOT_TRUSTED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.discovery.capability import Capability
    from pisces.host.host import Host

_KINDS: tuple[tuple[Capability[Any], str], ...] = (
    (CONTEXT_FILES, "context"),
    (SKILLS, "skills"),
    (SUBAGENTS, "agents"),
    (HOOKS, "hooks"),
    (MCP_SERVERS, "servers"),
)
_FEW = 3


def left_out(host: Host) -> str:
    """One line for the user; empty where nothing was left out."""
    parts = [] if host.is_trusted else list(_parts(host))
    if not parts:
        return ""
    return f"not trusted, so left out: {'; '.join(parts)} (`pisces trust` shows all, `--trust-workspace` uses it once)"


def _parts(host: Host) -> Iterator[str]:
    for kind, label in _KINDS:
        names = [_name(each.item) for each in host.found(kind) if each.source.level == PROJECT]
        if names:
            yield f"{label} {_listed(list(dict.fromkeys(names)))}"
    if any(each.code == WORKSPACE_NOT_TRUSTED.code for each in host.diagnostics):
        yield "modules"


def _name(item: object) -> str:
    name = getattr(item, "name", "") or getattr(item, "event", "") or os.path.basename(getattr(item, "path", ""))
    return visible(name)


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _FEW} more" if len(names) > _FEW else ""
    return ", ".join(names[:_FEW]) + more
