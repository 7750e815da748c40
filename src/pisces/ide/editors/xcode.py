"""Xcode, spelled as Gemini CLI spells it."""

from __future__ import annotations

from pisces.ide.detected_ide import DetectedIde, Sign

EDITOR = DetectedIde(
    "xcode",
    "XCode",
    order=120,
    signs=(Sign("XCODE_VERSION_ACTUAL"),),
)
