"""Files of Amp that a scan knows by name, and what switches its approvals off."""

from __future__ import annotations

from pisces.scanning.known_files import Scanning

SCANNING = Scanning(
    grants=(".amp/settings.json", ".amp/settings.jsonc"),
    credentials=(".local/share/amp/secrets.json",),
    approval_off=(
        ("--dangerously-allow-all", r"\bamp\b[^\n]{0,80}--dangerously-allow-all\b"),
        ("amp.dangerouslyallowall", r"\"amp\.dangerouslyAllowAll\"\s{0,9}:\s{0,9}true\b"),
    ),
)
