"""What Gemini CLI remembers of an agent that somebody acknowledged: the hash of its file or card, or its address."""

from __future__ import annotations

import hashlib

from pisces.files import Unreadable, read_bytes
from pisces.shapes.subagent import Subagent


def agent_hash(agent: Subagent) -> str:
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
