"""Files of Claude Code that a scan knows by name, and what switches its approvals off."""

from __future__ import annotations

from pisces.scanning.known_files import Scanning

_SETTINGS = (".claude/settings.json", ".claude/settings.local.json")

SCANNING = Scanning(
    grants=_SETTINGS,
    hooks=_SETTINGS,
    credentials=(".claude/.credentials.json",),
    approval_off=(
        ("--dangerously-skip", "--dangerously-skip-permissions"),
        ("bypasspermissions", r"\"(?:defaultMode|approvalMode)\"\s{0,9}:\s{0,9}\"bypassPermissions\""),
        ("skipdangerousmodepermissionprompt", "skipDangerousModePermissionPrompt"),
    ),
)
