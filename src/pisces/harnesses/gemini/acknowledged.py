"""Agents of a project wait until the user acknowledges them: by name, and by the content that was seen."""

from __future__ import annotations

import hashlib
import os

from pisces.discovery.harness import Where
from pisces.discovery.state import WAITING, State
from pisces.files import Unreadable, read_bytes
from pisces.formats.json_file import object_at
from pisces.shapes.subagent import Subagent


def waiting(agent: Subagent, where: Where) -> State | None:
    """None for an agent that was acknowledged as it is now."""
    path = os.path.join(where.places.home, ".gemini", "acknowledgments", "agents.json")
    acknowledged = where.run.once(("gemini-acknowledged",), lambda: object_at(path)).get(where.places.cwd)
    known = acknowledged.get(agent.name) if isinstance(acknowledged, dict) else None
    if known == _seen_as(agent):
        return None
    reason = "it has changed since it was acknowledged" if known else "nobody has acknowledged it"
    return State(WAITING, f"{reason} in Gemini CLI", path, 0, "start Gemini CLI here and acknowledge it", True)


def _seen_as(agent: Subagent) -> str:
    address, card = agent.fields.get("agent_card_url"), agent.fields.get("agent_card_json")
    if agent.kind == "remote" and address:
        return str(address)
    if agent.kind == "remote" and card:
        return hashlib.sha256(str(card).encode()).hexdigest()
    try:
        content = read_bytes(agent.path).decode("utf-8", "replace")
    except Unreadable:
        return ""
    return hashlib.sha256(content.encode()).hexdigest()
