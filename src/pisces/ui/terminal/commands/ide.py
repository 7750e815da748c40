"""`/ide`: which editor is connected, or why none is."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from pisces.ide.choosing import choice_here
from pisces.ide.client.reach import reached
from pisces.ide.detect import detected
from pisces.ide.process_tree import process_tree
from pisces.ui.terminal.listing import print_facts, print_problems
from pisces.ui.terminal.panel import ScreenCommand

if TYPE_CHECKING:
    from pisces.ui.terminal.panel import ScreenCall


async def _run(call: ScreenCall) -> None:
    places = call.session.places
    tree = await asyncio.to_thread(process_tree, places.env)
    found = await asyncio.to_thread(choice_here, places, tree)
    file = found.file
    editor = detected(places.env, tree.ide.command, (file.ide_name, file.ide_display_name) if file else ("", ""))
    endpoint, failed = await reached(found, places.env)
    facts = [
        ("terminal of", editor.display_name if editor else "no editor that is known"),
        ("companion", "answers" if endpoint is not None else found.problem or "; ".join(map(str, failed)) or "none"),
        ("diffs", "yes" if endpoint is not None and endpoint.can_diff else ""),
    ]
    print_facts(call.screen, "editor", facts)
    print_problems(call.screen, found.diagnostics, places)


COMMAND = ScreenCommand("ide", "the editor, and whether it answers", _run)
