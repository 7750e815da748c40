"""Agents of a project wait until the user acknowledges them: by name, and by the content that was seen."""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.discovery.harness import Where
from pisces.discovery.state import WAITING, State
from pisces.formats.json_file import object_at
from pisces.shapes.subagent import Subagent


def waiting(agent: Subagent, where: Where) -> State | None:
    """None for an agent that was acknowledged as it is now."""
    path = os.path.join(where.places.home, ".gemini", "acknowledgments", "agents.json")
    acknowledged = where.run.once(("gemini-acknowledged",), lambda: object_at(path)).get(where.places.cwd)
    known = acknowledged.get(agent.name) if isinstance(acknowledged, dict) else None
    if known and known == export_of("pisces.harnesses.gemini", "agent_hash", "agent_hash")(agent):
        return None
    reason = "it has changed since it was acknowledged" if known else "nobody has acknowledged it"
    return State(WAITING, f"{reason} in Gemini CLI", path, 0, "start Gemini CLI here and acknowledge it", True)
