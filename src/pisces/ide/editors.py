"""Every editor that is known, in the order in which a terminal's environment is asked for it: the first sign wins.

Names, signs and order are those of Gemini CLI 0.61.0; VS Code is its answer where nothing more precise is. Editors that
it does not know come behind, so that what it does know is called the same on both sides.
"""

from __future__ import annotations

from pisces.ide.detected_ide import CommandLine, Copied, DetectedIde, Sign

_EMACS_NEXT = """add these two lines to your init file, and restart Emacs:
(add-to-list 'load-path "{target}")
(when (require 'pisces-ide nil t) (pisces-ide-mode 1))"""


def _jetbrains(name: str, display_name: str, word: str) -> DetectedIde:
    """A product of JetBrains: they set the same variable, so the word is looked for in the editor's command line."""
    return DetectedIde(name, display_name, family="jetbrains", words=(word,))


VSCODE = DetectedIde(
    "vscode",
    "VS Code",
    (Sign("TERM_PROGRAM", "vscode"),),
    command_line=CommandLine(
        ("code",),
        mac=("Visual Studio Code", "Code"),
        linux="code",
        windows="Microsoft VS Code",
        help="https://code.visualstudio.com/docs/configure/command-line",
    ),
)

KNOWN_TO_GEMINI = (
    # A fork that says no more about itself than `TERM_PROGRAM=vscode`.
    DetectedIde("vscodefork", "IDE", family="vscode"),
    DetectedIde(
        "antigravity",
        "Antigravity",
        (Sign("ANTIGRAVITY_CLI_ALIAS"),),
        command_line=CommandLine(("agy", "antigravity"), variable="ANTIGRAVITY_CLI_ALIAS"),
    ),
    DetectedIde("devin", "Devin", (Sign("__COG_BASHRC_SOURCED"),)),
    DetectedIde("replit", "Replit", (Sign("REPLIT_USER"),)),
    DetectedIde(
        "cursor",
        "Cursor",
        (Sign("CURSOR_TRACE_ID"),),
        command_line=CommandLine(("cursor",), mac=("Cursor", "Cursor"), linux="cursor", windows="cursor"),
    ),
    # Here `code` talks to the editor in the browser.
    DetectedIde("codespaces", "GitHub Codespaces", (Sign("CODESPACES"),), command_line=CommandLine(("code",))),
    # It manages its extensions itself.
    DetectedIde("cloudshell", "Cloud Shell", (Sign("EDITOR_IN_CLOUD_SHELL"), Sign("CLOUD_SHELL"))),
    DetectedIde(
        "trae",
        "Trae",
        (Sign("TERM_PRODUCT", "Trae"),),
        command_line=CommandLine(("trae",), mac=("Trae", "Trae"), linux="trae", windows="Trae"),
    ),
    DetectedIde("firebasestudio", "Firebase Studio", (Sign("MONOSPACE_ENV"),), command_line=CommandLine(("code",))),
    DetectedIde(
        "positron",
        "Positron",
        (Sign("POSITRON", "1"),),
        command_line=CommandLine(
            ("positron",),
            mac=("Positron", "Positron"),
            linux="positron",
            windows="Positron",
            help="https://positron.posit.co/add-to-path.html",
        ),
    ),
    DetectedIde("sublimetext", "Sublime Text", (Sign("TERM_PROGRAM", "sublime"),)),
    DetectedIde("zed", "Zed", (Sign("ZED_SESSION_ID"), Sign("TERM_PROGRAM", "Zed"))),
    DetectedIde("xcode", "XCode", (Sign("XCODE_VERSION_ACTUAL"),)),
    DetectedIde("jetbrains", "JetBrains IDE", (Sign("TERMINAL_EMULATOR", part="jetbrains"),)),
    _jetbrains("intellijidea", "IntelliJ IDEA", "idea"),
    _jetbrains("webstorm", "WebStorm", "webstorm"),
    _jetbrains("pycharm", "PyCharm", "pycharm"),
    _jetbrains("goland", "GoLand", "goland"),
    _jetbrains("androidstudio", "Android Studio", "studio"),
    _jetbrains("clion", "CLion", "clion"),
    _jetbrains("rustrover", "RustRover", "rustrover"),
    _jetbrains("datagrip", "DataGrip", "datagrip"),
    _jetbrains("phpstorm", "PhpStorm", "phpstorm"),
    VSCODE,
)

# Their companions name them in the discovery file.
UNKNOWN_TO_GEMINI = (
    DetectedIde(
        "neovim",
        "Neovim",
        (Sign("NVIM"),),
        copied=Copied(
            "neovim",
            ("nvim", "site", "pack", "pisces", "start", "pisces"),
            then="restart Neovim; `:help pisces` tells the rest",
        ),
    ),
    DetectedIde(
        "emacs", "Emacs", (Sign("INSIDE_EMACS"),), copied=Copied("emacs", ("emacs", "pisces"), "config", _EMACS_NEXT)
    ),
)

EDITORS = KNOWN_TO_GEMINI + UNKNOWN_TO_GEMINI
