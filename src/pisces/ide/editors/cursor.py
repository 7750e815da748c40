"""Cursor, a fork of VS Code."""

from __future__ import annotations

from pisces.ide.detected_ide import CommandLine, DetectedIde, Sign

EDITOR = DetectedIde(
    "cursor",
    "Cursor",
    order=40,
    signs=(Sign("CURSOR_TRACE_ID"),),
    command_line=CommandLine(("cursor",), mac=("Cursor", "Cursor"), linux="cursor", windows="cursor"),
)
