"""`/memory [NUMBER]`: what the model reads before every prompt, with its size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.ui.terminal.choices import ReadingPanel
from pisces.ui.terminal.drawn import exact_rows
from pisces.ui.terminal.listing import print_list
from pisces.ui.terminal.panel import ScreenCommand

if TYPE_CHECKING:
    from pisces.ui.terminal.panel import ScreenCall


async def _run(call: ScreenCall) -> None:
    parts, places = call.session.host.instructions, call.session.places
    number = call.args.strip()
    if number.isascii() and number.isdigit() and 0 < int(number) <= len(parts):
        text = parts[int(number) - 1].text
        await call.screen.page(ReadingPanel(lambda width: list(exact_rows(text, width)), call.screen.palette))
        return
    rows = [
        (
            f"{at} {places.shown(each.source) if each.source else each.kind}",
            f"~{each.tokens:,} tokens{f' ({each.harness})' if each.harness else ''}",
        )
        for at, each in enumerate(parts, 1)
    ]
    total = sum(each.tokens for each in parts)
    print_list(call, f"in every prompt: ~{total:,} tokens", rows, "`/memory NUMBER` shows a text")


COMMAND = ScreenCommand("memory", "what the model reads before every prompt", _run)
