"""GoLand, told from other editors of JetBrains by the command line that runs it."""

from __future__ import annotations

from pisces.ide.detected_ide import DetectedIde

EDITOR = DetectedIde(
    "goland",
    "GoLand",
    order=134,
    family="jetbrains",
    words=("goland",),
)
