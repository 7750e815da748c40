"""What the administrator leaves to plugins alone: `strictPluginOnlyCustomization` in the managed settings."""

from __future__ import annotations

from pisces.discovery.harness import Where
from pisces.discovery.state import OFF, State
from pisces.harnesses.claude import WithSettings
from pisces.harnesses.claude.settings import setting

ASK = "ask the administrator of this machine"


def locked(surface: str, where: Where[WithSettings]) -> State | None:
    """Why what the user and the project have for a surface does not load: `skills`, `agents`, `hooks` or `mcp`."""
    found = setting(where, "strictPluginOnlyCustomization", managed=True)
    if found and (found.value is True or (isinstance(found.value, list) and surface in found.value)):
        return found.state(OFF, "{key} leaves this to plugins", ASK)
    return None
