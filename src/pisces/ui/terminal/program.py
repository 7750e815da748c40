"""`pisces` in a terminal. The first frame is drawn before anything heavy is loaded; keys typed meanwhile wait."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from pisces.by_name import export_of
from pisces.ui.terminal.live import Live
from pisces.ui.terminal.main_screen import MainScreen
from pisces.ui.terminal.rendering import Rendering
from pisces.ui.terminal.themes import chosen_palette
from pisces.ui.terminal.tty import Tty

if TYPE_CHECKING:
    from pisces.places import Places
    from pisces.ui.screen import Screen

HOME = "pisces.ui.terminal"


def run_terminal(arguments: Any, places: Places, screen: Screen) -> int:
    """Until the user leaves; the exit code. The terminal is given back whatever happens."""
    if getattr(arguments, "plain", False) or places.env.get("TERM", "") in ("", "dumb"):
        plain: int = export_of(HOME, "plain_program", "run_plain")(arguments, places, screen)
        return plain
    tty = Tty(sys.stdout, places.env)
    rendering = Rendering(chosen_palette(places), places.env)
    tty.take()
    try:
        main = MainScreen(tty, Live(rendering.lines), rendering.palette)
        main.facts = lambda: ("starting",)
        main.palette_changed = rendering.use
        main.draw()
        typed = tty.typed_ahead()
        status: int = export_of(HOME, "running", "TerminalProgram")(arguments, places, main, rendering).run_with(typed)
        return status
    finally:
        tty.give_back()
