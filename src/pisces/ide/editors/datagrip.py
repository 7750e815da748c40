"""DataGrip, told from other editors of JetBrains by the command line that runs it."""

from __future__ import annotations

from pisces.ide.detected_ide import DetectedIde

EDITOR = DetectedIde(
    "datagrip",
    "DataGrip",
    order=138,
    family="jetbrains",
    words=("datagrip",),
)
