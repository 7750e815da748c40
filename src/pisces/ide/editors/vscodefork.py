"""A fork of VS Code that says no more about itself than `TERM_PROGRAM=vscode`."""

from __future__ import annotations

from pisces.ide.detected_ide import DetectedIde

EDITOR = DetectedIde(
    "vscodefork",
    "IDE",
    family="vscode",
)
