"""The editor that this terminal belongs to: as its companion says, else by the environment and its command line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pisces.ide.editors import EDITORS, KNOWN_TO_GEMINI, UNKNOWN_TO_GEMINI, VSCODE, DetectedIde, Sign

# Without one of these, Gemini CLI detects no editor, whatever else is set.
_REQUIRED = (
    *(Sign("TERM_PROGRAM", name) for name in ("vscode", "sublime", "Zed")),
    *(Sign("ZED_SESSION_ID"), Sign("XCODE_VERSION_ACTUAL"), Sign("TERMINAL_EMULATOR", part="jetbrains")),
)


def editor_named(name: str) -> DetectedIde | None:
    """By its name, its display name or its command, regardless of case and spaces."""
    wanted = name.lower().replace(" ", "")
    return {alias: editor for editor in EDITORS for alias in _aliases(editor)}.get(wanted)


def detected(env: Mapping[str, str], command: str = "", reported: tuple[str, str] = ("", "")) -> DetectedIde | None:
    """`command` is the command line of the process that runs the editor, `reported` the names in the discovery file."""
    if all(reported):
        return DetectedIde(*reported)
    if any(sign.is_in(env) for sign in _REQUIRED):
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
