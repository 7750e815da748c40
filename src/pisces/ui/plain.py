"""Diagnostics for people, one a line, as compilers write them: `path:line:column: severity [code] message`."""

from __future__ import annotations

import os

from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostic
from pisces.ui.screen import Screen, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from pisces.places import Places

_BEFORE_MORE_OF_A_PATH = "_.~/\\-"
_STYLE = {ERROR: "red", WARNING: "yellow", NOTE: "cyan"}


def diagnostic_lines(diagnostic: Diagnostic, places: Places, screen: Screen) -> list[str]:
    severity = screen.styled(diagnostic.severity, _STYLE[diagnostic.severity])
    code = screen.styled(f"[{diagnostic.code}]", "dim")
    lines = [f"{place_text(diagnostic, places)}{severity} {code} {visible(shortened(diagnostic.message, places))}"]
    if diagnostic.hint:
        lines.append(f"  {screen.styled('hint:', 'cyan')} {visible(shortened(diagnostic.hint, places))}")
    return lines


def place_text(diagnostic: Diagnostic, places: Places) -> str:
    if not diagnostic.path:
        return ""
    numbers = [str(number) for number in (diagnostic.line, diagnostic.column) if number]
    return ":".join([visible(places.shown(diagnostic.path)), *numbers]) + ": "


def shortened(message: str, places: Places) -> str:
    """Messages of the seeds hold absolute paths; people read them shortened."""
    for base, short in ((places.cwd, ""), (places.home, "~" + os.sep)):
        top = base.rstrip(os.sep)
        if top:  # the top folder itself is in every path, and in every `/command`
            message = _without(top + os.sep, message, short)
    return message


def _without(top: str, message: str, short: str) -> str:
    """Not in the middle of a longer path; nor between `'`, where a shell does not know what `~` means."""
    longer = _BEFORE_MORE_OF_A_PATH + ("'" if short else "")
    first, *rest = message.split(top)
    for part in rest:
        is_inside = first[-1:].isalnum() or first[-1:] in longer
        first += (top if first and is_inside else short) + part
    return first


def show_diagnostics(diagnostics: Iterable[Diagnostic], places: Places, screen: Screen) -> None:
    """To stderr: they are about the data, not the data."""
    for diagnostic in diagnostics:
        screen.reported(diagnostic)
        for line in diagnostic_lines(diagnostic, places, screen):
            screen.note(line)


def counted(number: int, singular: str, plural: str = "") -> str:
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def summary_of(diagnostics: Iterable[Diagnostic]) -> str:
    """`2 errors, 1 warning`, or nothing to complain about."""
    severities = [diagnostic.severity for diagnostic in diagnostics]
    counts = [counted(severities.count(each), each) for each in (ERROR, WARNING, NOTE) if each in severities]
    return ", ".join(counts) or "no problems"
