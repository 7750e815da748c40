"""IntelliJ IDEA, told from other editors of JetBrains by the command line that runs it."""

from __future__ import annotations

from pisces.ide.detected_ide import DetectedIde

EDITOR = DetectedIde(
    "intellijidea",
    "IntelliJ IDEA",
    order=131,
    family="jetbrains",
    words=("idea",),
)
