"""PhpStorm, told from other editors of JetBrains by the command line that runs it."""

from __future__ import annotations

from pisces.ide.detected_ide import DetectedIde

EDITOR = DetectedIde(
    "phpstorm",
    "PhpStorm",
    order=139,
    family="jetbrains",
    words=("phpstorm",),
)
