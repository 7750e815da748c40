"""`/mode [MODE]`: what runs without a question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.shapes.session_facts import MODES
from pisces.ui.terminal.listing import print_list, say
from pisces.ui.terminal.modes import MEANINGS, choose_mode
from pisces.ui.terminal.panel import ScreenCommand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.session.session import Session
    from pisces.ui.terminal.panel import ScreenCall


async def _run(call: ScreenCall) -> None:
    wanted = call.args.strip()
    if not wanted:
        rows = [(f"{each}{' *' if each == call.session.host.mode else ''}", MEANINGS[each]) for each in MODES]
        print_list(call, "approval modes", rows, "`/mode NAME` changes it")
    elif wanted not in MODES:
        say(call.screen, f"there is no mode `{wanted}`: {', '.join(MODES)}", "warn")
    else:
        choose_mode(call.session, call.screen, wanted)


def _words(_session: Session) -> Sequence[tuple[str, str]]:
    return [(each, MEANINGS[each]) for each in MODES]


COMMAND = ScreenCommand("mode", "what runs without a question", _run, _words)
