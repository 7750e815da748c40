"""Files of Cline that a scan knows by name, and what switches its approvals off."""

from __future__ import annotations

from pisces.scanning.known_files import Scanning

SCANNING = Scanning(
    credentials=(".cline/data/settings/providers.json",),
    approval_off=(
        ("yolo", r"\bcline\b[^\n]{0,80}--yolo\b"),
        ("--auto-approve", r"\bcline\b[^\n]{0,80}--auto-approve[= ]true\b"),
        ("toolautoapprove", r"\"toolAutoApprove\"\s{0,9}:\s{0,9}true"),
    ),
)
