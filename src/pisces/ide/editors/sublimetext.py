"""Sublime Text."""

from __future__ import annotations

from pisces.ide.detected_ide import DetectedIde, Sign

EDITOR = DetectedIde(
    "sublimetext",
    "Sublime Text",
    order=100,
    signs=(Sign("TERM_PROGRAM", "sublime"),),
)
