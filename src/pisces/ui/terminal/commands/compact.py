"""`/compact [WHAT MATTERS]`: makes the conversation shorter now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.ui.terminal.listing import say
from pisces.ui.terminal.panel import ScreenCommand

if TYPE_CHECKING:
    from pisces.ui.terminal.panel import ScreenCall


async def _run(call: ScreenCall) -> None:
    done = await call.session.compact(call.args.strip())
    if done.problem:
        say(call.screen, f"nothing was changed: {done.problem}", "warn")
    else:
        say(call.screen, f"~{done.before:,} tokens became ~{done.after:,}; `/undo` takes it back")


COMMAND = ScreenCommand("compact", "make the conversation shorter", _run)
