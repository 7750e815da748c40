"""`/model [NAME]`: the model that answers; without a name, those that can be chosen, and what the others miss."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from pisces.by_name import export_of
from pisces.diagnostics import PiscesError
from pisces.models.looking import ENTRY
from pisces.models.providers import PROVIDERS, first_set
from pisces.ui.terminal.choices import Option, choice
from pisces.ui.terminal.listing import print_list, print_problems, say
from pisces.ui.terminal.panel import ScreenCommand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.models.looking import LookedFor
    from pisces.session.session import Session
    from pisces.ui.terminal.panel import ScreenCall


async def _run(call: ScreenCall) -> None:
    session, wanted = call.session, call.args.strip()
    if not wanted:
        wanted = await _picked(call)
        if not wanted:
            return
    try:
        reason = await session.models.switch(wanted)
    except PiscesError as error:
        reason = f"{error}. {error.diagnostic.hint}".rstrip(". ")
    now = session.model.facts.name if session.model is not None else "none"
    say(call.screen, reason or f"the model is {now}", "bad" if reason else "text")


async def _picked(call: ScreenCall) -> str:
    """One of those that can be used; empty where there is none, and where the user leaves."""
    session = call.session
    looked = await asyncio.to_thread(export_of("pisces.models", "looking", "looked"), "", session.places)
    now = session.model.facts.name if session.model is not None else "none"
    usable = [each for each in looked.rows if not each.missing]
    if not usable:
        if looked.problem is not None:
            print_problems(call.screen, [looked.problem], session.places)
        rows = [(each.name, each.missing) for each in looked.rows]
        print_list(call, f"the model is {now}; nothing is there to choose", rows, "`/model provider/name` takes one")
        return ""
    missing = ", ".join(each.name for each in looked.rows if each.missing)
    title = f"The model is {now}. Which one?\nnot there: {missing} (`pisces models` says why)"
    options = [Option(_name(each), each.found) for each in usable]
    chosen = await choice(call.screen, title, options)
    return "" if chosen is None else _name(usable[chosen])


def _name(row: LookedFor) -> str:
    return row.name if row.kind == ENTRY or not row.model else f"{row.name}/{row.model}"


def _words(session: Session) -> Sequence[tuple[str, str]]:
    """What is known without asking a server."""
    return [(f"{each.id}/{each.default}", "") for each in PROVIDERS if first_set(each.keys, session.places)]


COMMAND = ScreenCommand("model", "the model that answers", _run, _words)
