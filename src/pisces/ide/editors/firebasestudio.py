"""Firebase Studio, which has VS Code's command line."""

from __future__ import annotations

from pisces.ide.detected_ide import CommandLine, DetectedIde, Sign

EDITOR = DetectedIde(
    "firebasestudio",
    "Firebase Studio",
    order=80,
    signs=(Sign("MONOSPACE_ENV"),),
    command_line=CommandLine(("code",)),
)
