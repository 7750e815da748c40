"""Files of Antigravity that a scan knows by name, and what switches its approvals off."""

from __future__ import annotations

from pisces.scanning.known_files import Scanning

SCANNING = Scanning(
    hooks=(".agents/hooks.json", ".agent/hooks.json"),
    approval_off=(("--dangerously-skip-permissions", r"\bagy\b[^\n]{0,80}--dangerously-skip-permissions"),),
)
