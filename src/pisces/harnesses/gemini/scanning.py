"""Files of Gemini CLI that a scan knows by name, and what switches its approvals off."""

from __future__ import annotations

from pisces.scanning.known_files import Scanning

SCANNING = Scanning(
    grants=(".gemini/settings.json",),
    hooks=(".gemini/settings.json",),
    context_manifests=("gemini-extension.json",),
    credentials=(".gemini/oauth_creds.json",),
    approval_off=(
        ("yolo", r"\bgemini\b[^\n]{0,80}(?:--yolo\b|--approval-mode[= ]yolo)"),
        ("yolo", r"\"(?:defaultMode|approvalMode)\"\s{0,9}:\s{0,9}\"yolo\""),
        ('"trust"', r"\"trust\"\s{0,9}:\s{0,9}true"),
    ),
)
