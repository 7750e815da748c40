"""Files of Claude Code that a scan knows by name."""

from __future__ import annotations

from pisces.scanning.known_files import Scanning

_SETTINGS = (".claude/settings.json", ".claude/settings.local.json")

SCANNING = Scanning(grants=_SETTINGS, hooks=_SETTINGS)
