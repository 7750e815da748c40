"""Files of Qwen Code that a scan knows by name."""

from __future__ import annotations

from pisces.scanning.known_files import Scanning

SCANNING = Scanning(grants=(".qwen/settings.json",), context_manifests=("qwen-extension.json",))
