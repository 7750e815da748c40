"""The slash commands of the program itself, found by the names of their files."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from pisces.by_name import export_of, names_in

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.ui.terminal.panel import ScreenCommand

HOME = "pisces.ui.terminal.commands"


@cache  # files of ours never change while we run
def own_commands() -> Mapping[str, ScreenCommand]:
    """By name, in the order of the names."""
    found = [export_of(HOME, name, "COMMAND") for name in names_in(HOME)]
    return {each.name: each for each in found}
