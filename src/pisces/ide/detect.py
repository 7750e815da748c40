"""Which editor's terminal this is: what the companion says of itself, else the environment, else its command line.

Names and order are those of Gemini CLI 0.61.0. Editors that it does not know are asked for last, so that what it does
know is called the same on both sides.
"""

from __future__ import annotations

from pisces.by_name import export_of, names_in
from pisces.ide.detected_ide import DetectedIde, Sign

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_EDITORS = "pisces.ide.editors"
_UNKNOWN_TO_GEMINI = 150  # the first place in the row that Gemini CLI has no editor for

# Without one of these Gemini CLI takes the terminal for none of an editor's, whatever else is set.
_DOORS = (
    Sign("TERM_PROGRAM", "vscode"),
    Sign("TERM_PROGRAM", "sublime"),
    Sign("TERM_PROGRAM", "Zed"),
    Sign("ZED_SESSION_ID"),
    Sign("XCODE_VERSION_ACTUAL"),
    Sign("TERMINAL_EMULATOR", part="jetbrains"),
)


def editors() -> list[DetectedIde]:
    """All there are, in the order in which they are asked for."""
    found: list[DetectedIde] = [export_of(_EDITORS, name, "EDITOR") for name in names_in(_EDITORS)]
    return sorted(found, key=lambda editor: (editor.order, editor.name))


def editor_named(name: str) -> DetectedIde | None:
    """By its name, or by the name that people read."""
    wanted = name.lower().replace(" ", "")
    names = {alias: editor for editor in editors() for alias in _aliases(editor)}
    return names.get(wanted)


def detected(env: Mapping[str, str], command: str = "", told: tuple[str, str] = ("", "")) -> DetectedIde | None:
    """`command` is the command line of the process that runs the editor, `told` the names in the discovery file."""
    if all(told):
        return DetectedIde(*told)
    known = editors()
    if any(door.is_in(env) for door in _DOORS):
        return _refined(_by_environment(known, env), command, known)
    others = [editor for editor in known if editor.order >= _UNKNOWN_TO_GEMINI]
    return next((editor for editor in others if _shows(editor, env)), None)


def _by_environment(known: list[DetectedIde], env: Mapping[str, str]) -> DetectedIde:
    """VS Code is the answer where nothing more precise is."""
    fallback = next(editor for editor in known if editor.name == "vscode")
    asked = (editor for editor in known if 0 < editor.order < fallback.order)
    return next((editor for editor in asked if _shows(editor, env)), fallback)


def _refined(found: DetectedIde, command: str, known: list[DetectedIde]) -> DetectedIde:
    line = command.lower()
    family = [editor for editor in known if editor.family == found.name]
    if found.name == "vscode" and line and "code" not in line:
        return family[0]
    return next((editor for editor in family if any(word in line for word in editor.words)), found)


def _shows(editor: DetectedIde, env: Mapping[str, str]) -> bool:
    return any(sign.is_in(env) for sign in editor.signs)


def _aliases(editor: DetectedIde) -> set[str]:
    line = editor.command_line.names if editor.command_line else ()
    return {editor.name, editor.display_name.lower().replace(" ", ""), *line}
