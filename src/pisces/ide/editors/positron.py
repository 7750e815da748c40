"""Positron, a fork of VS Code."""

from __future__ import annotations

from pisces.ide.detected_ide import CommandLine, DetectedIde, Sign

EDITOR = DetectedIde(
    "positron",
    "Positron",
    order=90,
    signs=(Sign("POSITRON", "1"),),
    command_line=CommandLine(
        ("positron",),
        mac=("Positron", "Positron"),
        linux="positron",
        windows="Positron",
        help="https://positron.posit.co/add-to-path.html",
    ),
)
