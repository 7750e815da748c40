"""Files of Windsurf and Devin that a scan knows by name, and what switches their approvals off."""

from __future__ import annotations

from pisces.scanning.known_files import Scanning

SCANNING = Scanning(
    grants=(".devin/config.json", ".devin/config.local.json"),
    hooks=(".windsurf/hooks.json", ".devin/hooks.v1.json", ".devin/config.json"),
    approval_off=(("--permission-mode", r"\bdevin\b[^\n]{0,80}--permission-mode[= ]dangerous\b"),),
)
