"""Every known editor, in the order in which a terminal's environment is searched: the first sign wins.

Names, signs and order are those of Gemini CLI 0.61.0; VS Code is its answer where nothing more precise is. Editors that
it does not know come after them, so that both programs use the same name for every editor that it knows.
"""

from __future__ import annotations

from collections.abc import Mapping

from pisces.value import Value

_EMACS_NEXT = """add these two lines to your init file, and restart Emacs:
(add-to-list 'load-path "{target}")
(when (require 'pisces-ide nil t) (pisces-ide-mode 1))"""


class Sign(Value):
    """A variable that is set: to any value, to exactly `value`, or to one that contains `part` in any case."""

    variable: str
    value: str = ""
    part: str = ""

    def is_in(self, env: Mapping[str, str]) -> bool:
        found = env.get(self.variable, "")
        if self.value:
            return found == self.value
        return self.part in found.lower() if self.part else bool(found)


class CommandLine(Value):
    """Where an editor's own command line is: names on PATH, a variable that names it, then the usual folders.

    `mac` is (application, support folder), `linux` a folder name, `windows` an application folder.
    """

    names: tuple[str, ...]
    variable: str = ""
    mac: tuple[str, str] = ("", "")
    linux: str = ""
    windows: str = ""
    help: str = ""


class Copied(Value):
    """A companion that is copied: `folder` below `companions` goes to `target`. `then` says what the user does next."""

    folder: str
    target: tuple[str, ...]
    root: str = "neovim"  # whose folder it is below: the data of `neovim`, or the settings of `emacs`
    then: str = ""


class DetectedIde(Value):
    """`signs` are in a terminal's environment. `words` in the command line identify the product of a `family`."""

    name: str
    display_name: str
    signs: tuple[Sign, ...] = ()
    family: str = ""
    words: tuple[str, ...] = ()
    command_line: CommandLine | None = None
    copied: Copied | None = None


def _jetbrains(name: str, display_name: str, word: str) -> DetectedIde:
    """A product of JetBrains. All of them set the same variable, so the word is searched in the command line."""
    return DetectedIde(name, display_name, family="jetbrains", words=(word,))


def _with_command(name: str, display_name: str, sign: Sign, application: str = "", help: str = "") -> DetectedIde:
    """An editor whose command has its name. `application` is its folder on Windows, by default the display name."""
    mac = (display_name, display_name)
    line = CommandLine((name,), mac=mac, linux=name, windows=application or display_name, help=help)
    return DetectedIde(name, display_name, (sign,), command_line=line)


_CODE = CommandLine(
    ("code",),
    mac=("Visual Studio Code", "Code"),
    linux="code",
    windows="Microsoft VS Code",
    help="https://code.visualstudio.com/docs/configure/command-line",
)
VSCODE = DetectedIde("vscode", "VS Code", (Sign("TERM_PROGRAM", "vscode"),), command_line=_CODE)
_ANTIGRAVITY = CommandLine(("agy", "antigravity"), variable="ANTIGRAVITY_CLI_ALIAS")
_NEOVIM = Copied(
    "neovim",
    ("site", "pack", "pisces", "start", "pisces"),
    then="restart Neovim; `:help pisces` tells the rest",
)
_EMACS = Copied("emacs", ("pisces",), "emacs", _EMACS_NEXT)

KNOWN_TO_GEMINI = (
    # A fork whose only sign is `TERM_PROGRAM=vscode`.
    DetectedIde("vscodefork", "IDE", family="vscode"),
    DetectedIde("antigravity", "Antigravity", (Sign("ANTIGRAVITY_CLI_ALIAS"),), command_line=_ANTIGRAVITY),
    DetectedIde("devin", "Devin", (Sign("__COG_BASHRC_SOURCED"),)),
    DetectedIde("replit", "Replit", (Sign("REPLIT_USER"),)),
    _with_command("cursor", "Cursor", Sign("CURSOR_TRACE_ID"), "cursor"),
    # Here `code` talks to the editor in the browser.
    DetectedIde("codespaces", "GitHub Codespaces", (Sign("CODESPACES"),), command_line=CommandLine(("code",))),
    # It manages its extensions itself.
    DetectedIde("cloudshell", "Cloud Shell", (Sign("EDITOR_IN_CLOUD_SHELL"), Sign("CLOUD_SHELL"))),
    _with_command("trae", "Trae", Sign("TERM_PRODUCT", "Trae")),
    DetectedIde("firebasestudio", "Firebase Studio", (Sign("MONOSPACE_ENV"),), command_line=CommandLine(("code",))),
    _with_command("positron", "Positron", Sign("POSITRON", "1"), help="https://positron.posit.co/add-to-path.html"),
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
    DetectedIde("neovim", "Neovim", (Sign("NVIM"),), copied=_NEOVIM),
    DetectedIde("emacs", "Emacs", (Sign("INSIDE_EMACS"),), copied=_EMACS),
)

EDITORS = KNOWN_TO_GEMINI + UNKNOWN_TO_GEMINI
