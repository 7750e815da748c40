"""Files of Codex that a scan knows by name."""

from __future__ import annotations

from pisces.scanning.known_files import Scanning

SCANNING = Scanning(toml_configs=("config.toml",))
