"""`/cost`: tokens and dollars of this session, and what every prompt pays for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.ui.terminal.listing import print_facts
from pisces.ui.terminal.panel import ScreenCommand

if TYPE_CHECKING:
    from pisces.ui.terminal.panel import ScreenCall


async def _run(call: ScreenCall) -> None:
    session, usage = call.session, call.session.usage
    cost = "a price is not known" if session.cost is None else f"${session.cost:.4f}"
    each = [
        (
            one.model,
            f"{one.usage.input:,} in, {one.usage.output:,} out{'' if one.cost is None else f', ${one.cost:.4f}'}",
        )
        for one in session.usage_by_model
    ]
    facts = [
        ("cost", cost),
        ("tokens", f"{usage.input:,} in, {usage.output:,} out"),
        *(each if len(each) > 1 else ()),
        ("all of it", f"{session.transcript.totals.messages:,} messages, also before this start"),
        ("in every prompt", f"~{sum(part.tokens for part in session.host.instructions):,} tokens of instructions"),
        ("tools", f"{len(session.host.tools)}"),
    ]
    print_facts(call.screen, "this session", facts)


COMMAND = ScreenCommand("cost", "tokens and dollars of this session", _run)
