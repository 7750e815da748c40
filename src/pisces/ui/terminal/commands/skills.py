"""`/skills [NAME]`: the skills that a model may activate, and those for the user alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.ui.terminal.listing import first_line, print_facts, print_list, say
from pisces.ui.terminal.panel import ScreenCommand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.session.session import Session
    from pisces.ui.terminal.panel import ScreenCall


async def _run(call: ScreenCall) -> None:
    index, name = call.session.host.skills, call.args.strip()
    every = {**{key: each.found for key, each in index.skills.items()}, **index.for_user}
    if name and name not in every:
        say(call.screen, f"there is no skill `{name}` in force here", "warn")
    elif name:
        item, source = every[name].item, every[name].source
        who = "you alone" if name in index.for_user else "the model, or you"
        path = call.session.places.shown(item.path)
        print_facts(
            call.screen,
            name,
            [("", item.description or ""), ("started by", who), ("from", source.label), ("file", path)],
        )
    else:
        rows = [(key, first_line(each.item.description)) for key, each in every.items()]
        print_list(call, "skills", rows, "`/skills NAME` says more")


def _words(session: Session) -> Sequence[tuple[str, str]]:
    index = session.host.skills
    return [(name, "") for name in (*index.skills, *index.for_user)]


COMMAND = ScreenCommand("skills", "skills that are in force here", _run, _words)
