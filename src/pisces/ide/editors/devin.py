"""Devin's machine."""

from __future__ import annotations

from pisces.ide.detected_ide import DetectedIde, Sign

EDITOR = DetectedIde(
    "devin",
    "Devin",
    order=20,
    signs=(Sign("__COG_BASHRC_SOURCED"),),
)
