"""Which editor's terminal this is: what the companion says of itself, else the environment, else its command line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pisces.ide.detected_ide import DetectedIde, Sign
from pisces.ide.editors import EDITORS, KNOWN_TO_GEMINI, UNKNOWN_TO_GEMINI, VSCODE

# Without one of these Gemini CLI takes the terminal for none of an editor's, whatever else is set.
_DOORS = (
    Sign("TERM_PROGRAM", "vscode"),
    Sign("TERM_PROGRAM", "sublime"),
    Sign("TERM_PROGRAM", "Zed"),
    Sign("ZED_SESSION_ID"),
    Sign("XCODE_VERSION_ACTUAL"),
    Sign("TERMINAL_EMULATOR", part="jetbrains"),
)


def editor_named(name: str) -> DetectedIde | None:
    """By its name, or by the name that people read."""
    wanted = name.lower().replace(" ", "")
    return {alias: editor for editor in EDITORS for alias in _aliases(editor)}.get(wanted)


def detected(env: Mapping[str, str], command: str = "", reported: tuple[str, str] = ("", "")) -> DetectedIde | None:
    """`command` is the command line of the process that runs the editor, `reported` the names in the discovery file."""
    if all(reported):
        return DetectedIde(*reported)
    if any(door.is_in(env) for door in _DOORS):
        return _refined(_first(KNOWN_TO_GEMINI, env) or VSCODE, command)
    return _first(UNKNOWN_TO_GEMINI, env)


def _first(editors: Iterable[DetectedIde], env: Mapping[str, str]) -> DetectedIde | None:
    return next((editor for editor in editors if any(sign.is_in(env) for sign in editor.signs)), None)


def _refined(found: DetectedIde, command: str) -> DetectedIde:
    line = command.lower()
    family = [editor for editor in EDITORS if editor.family == found.name]
    if found is VSCODE and line and "code" not in line:
        return family[0]
    return next((editor for editor in family if any(word in line for word in editor.words)), found)


def _aliases(editor: DetectedIde) -> set[str]:
    line = editor.command_line.names if editor.command_line else ()
    return {editor.name, editor.display_name.lower().replace(" ", ""), *line}
