"""Antigravity, whose terminals name its command line."""

from __future__ import annotations

from pisces.ide.detected_ide import CommandLine, DetectedIde, Sign

EDITOR = DetectedIde(
    "antigravity",
    "Antigravity",
    order=10,
    signs=(Sign("ANTIGRAVITY_CLI_ALIAS"),),
    command_line=CommandLine(("agy", "antigravity"), variable="ANTIGRAVITY_CLI_ALIAS"),
)
