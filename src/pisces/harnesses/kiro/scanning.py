"""Files of Kiro that a scan knows by name, and what switches its approvals off."""

from __future__ import annotations

from pisces.scanning.known_files import Scanning

SCANNING = Scanning(
    credentials=(".aws/sso/cache/kiro-auth-token.json",),
    approval_off=(("--trust-all-tools", r"\bkiro-cli\b[^\n]{0,80}--trust-all-tools\b"),),
)
