"""Files of OpenHands that a scan knows by name, and what switches its approvals off."""

from __future__ import annotations

from pisces.scanning.known_files import Scanning

SCANNING = Scanning(
    hooks=(".openhands/hooks.json",),
    credentials=(".openhands/agent_settings.json", ".openhands/mcp.json"),
    approval_off=(
        ("--always-approve", r"\bopenhands\b[^\n]{0,80}--always-approve\b"),
        ("never_confirm", r"\bpermission_mode\s{0,9}:\s{0,9}[\"']?never_confirm\b"),
    ),
)
