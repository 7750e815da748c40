"""Where Gemini CLI reads what belongs to no extension. A user's hooks stand in settings that are not ours to change."""

from __future__ import annotations

from pisces.converting.installing.layout import LooseLayout

_OWN = ("policies", "tmp", "history", "hooks", "memory", "extensions-data", "acknowledgments")
LOOSE = LooseLayout(("skills", "agents", "commands"), "settings.json", "mcpServers", "extensions", _OWN)
