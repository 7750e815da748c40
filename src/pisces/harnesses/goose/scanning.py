"""Files of Goose that a scan knows by name, and what switches its approvals off."""

from __future__ import annotations

from pisces.scanning.known_files import Scanning

SCANNING = Scanning(
    credentials=(".config/goose/secrets.yaml",),
    approval_off=(("goose_mode", r"\bGOOSE_MODE\b[\"']?\s{0,9}[:=]\s{0,9}[\"']?auto\b"),),
)
