"""Files of Qwen Code that a scan knows by name."""

from __future__ import annotations

from pisces.scanning.known_files import Scanning

SCANNING = Scanning(
    grants=(".qwen/settings.json",),
    context_manifests=("qwen-extension.json",),
    credentials=(".qwen/oauth_creds.json",),
    approval_off=(("yolo", r"\bqwen\b[^\n]{0,80}(?:--yolo\b|--approval-mode[= ]yolo)"),),
)
