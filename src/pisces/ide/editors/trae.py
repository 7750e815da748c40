"""Trae, a fork of VS Code."""

from __future__ import annotations

from pisces.ide.detected_ide import CommandLine, DetectedIde, Sign

EDITOR = DetectedIde(
    "trae",
    "Trae",
    order=70,
    signs=(Sign("TERM_PRODUCT", "Trae"),),
    command_line=CommandLine(("trae",), mac=("Trae", "Trae"), linux="trae", windows="Trae"),
)
