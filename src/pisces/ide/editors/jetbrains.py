"""Any editor of JetBrains; which one, its command line tells."""

from __future__ import annotations

from pisces.ide.detected_ide import DetectedIde, Sign

EDITOR = DetectedIde(
    "jetbrains",
    "JetBrains IDE",
    order=130,
    signs=(Sign("TERMINAL_EMULATOR", part="jetbrains"),),
)
