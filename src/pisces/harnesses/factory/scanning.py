"""Files of Factory's Droid that a scan knows by name, and what switches its approvals off."""

from __future__ import annotations

from pisces.scanning.known_files import Scanning

_SETTINGS = (".factory/settings.json", ".factory/settings.local.json")

SCANNING = Scanning(
    grants=_SETTINGS,
    hooks=(".factory/hooks.json", ".factory/hooks/hooks.json", *_SETTINGS),
    approval_off=(
        ("--skip-permissions-unsafe", "--skip-permissions-unsafe"),
        ("autonomylevel", r"\"autonomyLevel\"\s{0,9}:\s{0,9}\"high\""),
        ("autonomymode", r"\"autonomyMode\"\s{0,9}:\s{0,9}\"auto-high\""),
    ),
)
