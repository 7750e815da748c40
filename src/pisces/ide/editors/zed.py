"""Zed."""

from __future__ import annotations

from pisces.ide.detected_ide import DetectedIde, Sign

EDITOR = DetectedIde(
    "zed",
    "Zed",
    order=110,
    signs=(
        Sign("ZED_SESSION_ID"),
        Sign("TERM_PROGRAM", "Zed"),
    ),
)
