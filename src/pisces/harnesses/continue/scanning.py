"""Files of Continue that a scan knows by name, and what switches its approvals off."""

from __future__ import annotations

from pisces.scanning.known_files import Scanning

_SETTINGS = (".continue/settings.json", ".continue/settings.local.json")

SCANNING = Scanning(
    hooks=_SETTINGS,
    credentials=(".continue/auth.json", ".continue/.env"),
    approval_off=(("--auto", r"\bcn\b[^\n]{0,80}\s--auto\b"),),
)
