"""VS Code."""

from __future__ import annotations

from pisces.ide.detected_ide import CommandLine, DetectedIde, Sign

EDITOR = DetectedIde(
    "vscode",
    "VS Code",
    order=140,
    signs=(Sign("TERM_PROGRAM", "vscode"),),
    command_line=CommandLine(
        ("code",),
        mac=("Visual Studio Code", "Code"),
        linux="code",
        windows="Microsoft VS Code",
        help="https://code.visualstudio.com/docs/configure/command-line",
    ),
)
