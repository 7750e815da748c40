"""Files of Gemini CLI that a scan knows by name."""

from __future__ import annotations

from pisces.scanning.known_files import Scanning

SCANNING = Scanning(
    grants=(".gemini/settings.json",),
    hooks=(".gemini/settings.json",),
    context_manifests=("gemini-extension.json",),
)
