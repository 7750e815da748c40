"""CLion, told from other editors of JetBrains by the command line that runs it."""

from __future__ import annotations

from pisces.ide.detected_ide import DetectedIde

EDITOR = DetectedIde(
    "clion",
    "CLion",
    order=136,
    family="jetbrains",
    words=("clion",),
)
