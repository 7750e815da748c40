"""What the administrator leaves to plugins alone: `strictPluginOnlyCustomization` in the managed settings."""

from __future__ import annotations

from pisces.discovery.harness import Where
from pisces.discovery.state import OFF, State
from pisces.harnesses.claude import WithSettings
from pisces.harnesses.claude.settings import setting

ASK = "ask the administrator of this machine"


def locked(surface: str, where: Where[WithSettings]) -> State | None:
    """Why what the user and the project have for a surface does not load: `skills`, `agents`, `hooks` or `mcp`.

    A plugin in a skills folder (`plugins`) could bring any of them: one that is locked is enough.
    """
    found = setting(where, "strictPluginOnlyCustomization", managed=True)
    surfaces = found.value if found and isinstance(found.value, list) else []
    if found and (found.value is True or surface in surfaces or (surfaces and surface == "plugins")):
        return found.state(OFF, "{key} leaves this to plugins", ASK)
    return None
