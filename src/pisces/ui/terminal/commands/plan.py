"""`/plan`: nothing is changed but the plan; leaving asks how to go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.shapes.session_facts import MODE_ASK, MODE_EDITS, MODE_PLAN
from pisces.ui.terminal.choices import Option, choice
from pisces.ui.terminal.listing import say
from pisces.ui.terminal.modes import choose_mode
from pisces.ui.terminal.panel import ScreenCommand

if TYPE_CHECKING:
    from pisces.ui.terminal.panel import ScreenCall


_NEXT = (
    Option("carry it out, ask before changes", "mode `ask`", "y"),
    Option("carry it out, edit without asking", "mode `edits`", "e"),
    Option("leave the mode, start nothing", "mode `ask`", "l"),
    Option("go on planning", "", "n"),
)


async def _run(call: ScreenCall) -> None:
    session, screen = call.session, call.screen
    if session.host.mode != MODE_PLAN:
        choose_mode(session, screen, MODE_PLAN)
        plans = session.places.shown(session.host.plan_folder)
        say(screen, f"plans are files in {plans}; `/plan` again leaves", "dim")
        return
    chosen = await choice(screen, "How to go on?", _NEXT)
    if chosen is None or chosen == len(_NEXT) - 1:
        return
    choose_mode(session, screen, MODE_EDITS if chosen == 1 else MODE_ASK)
    if chosen < 2:
        screen.set_text("Carry out the plan.")
        say(screen, "enter sends it", "dim")


COMMAND = ScreenCommand("plan", "make a plan; nothing else is changed", _run)
