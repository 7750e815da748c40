"""GitHub Codespaces, where `code` talks to the browser's editor."""

from __future__ import annotations

from pisces.ide.detected_ide import CommandLine, DetectedIde, Sign

EDITOR = DetectedIde(
    "codespaces",
    "GitHub Codespaces",
    order=50,
    signs=(Sign("CODESPACES"),),
    command_line=CommandLine(("code",)),
)
