"""Replit's machine."""

from __future__ import annotations

from pisces.ide.detected_ide import DetectedIde, Sign

EDITOR = DetectedIde(
    "replit",
    "Replit",
    order=30,
    signs=(Sign("REPLIT_USER"),),
)
