"""What is said at the screen of a `/name` that nobody knows: names of the program itself count, too."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from pisces.by_name import names_in
from pisces.commands.names.resolve import UNKNOWN_COMMAND
from pisces.ui.terminal.dispatch import COMMANDS

if TYPE_CHECKING:
    from pisces.diagnostics import Diagnostic

_ALL = "`/help` shows the commands of pisces, `/commands` those of files, extensions and servers"
_SUGGESTED = "did you mean"


def at_screen(problem: Diagnostic, line: str) -> Diagnostic:
    """`line` is what was typed."""
    if problem.code != UNKNOWN_COMMAND.code:
        return problem
    name = line.strip().partition(" ")[0].lstrip("/").lower()
    near = get_close_matches(name, names_in(COMMANDS), n=2)
    if near:
        return problem.replace(hint=f"{_SUGGESTED} {' or '.join(f'`/{each}`' for each in near)}?")
    return problem if problem.hint.startswith(_SUGGESTED) else problem.replace(hint=_ALL)
