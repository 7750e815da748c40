"""Files of Codex that a scan knows by name, and what switches its approvals off."""

from __future__ import annotations

from pisces.scanning.known_files import Scanning

SCANNING = Scanning(
    toml_configs=("config.toml",),
    credentials=(".codex/auth.json",),
    approval_off=(
        ("--dangerously-bypass", "--dangerously-bypass-approvals-and-sandbox"),
        ("yolo", r"\bcodex\b[^\n]{0,80}--yolo\b"),
    ),
)
