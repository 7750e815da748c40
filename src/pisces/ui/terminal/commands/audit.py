"""`/audit [NUMBER]`: what was loaded, judged, asked and run, newest last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.audit.place import audit_path
from pisces.audit.reading import Logged, records
from pisces.ui.terminal.listing import print_list, say
from pisces.ui.terminal.panel import ScreenCommand

if TYPE_CHECKING:
    from pisces.ui.terminal.panel import ScreenCall


async def _run(call: ScreenCall) -> None:
    wanted = call.args.strip()
    most = int(wanted) if wanted.isascii() and wanted.isdigit() and wanted != "0" else max(call.screen.height - 8, 5)
    path = audit_path(call.session.places)
    if not path:
        say(call.screen, "no log is written here", "warn")
        return
    found = [each for each in records(path, min(most, 1000)) if isinstance(each, Logged)]
    rows = [(f"{each.at[11:19]} {each.what}", _about(each)) for each in found]
    print_list(call, "audit log", rows, "`pisces audit` has all of it")


def _about(each: Logged) -> str:
    names = ("decision", "tool", "name", "exact", "who", "why")
    return " ".join(dict.fromkeys(filter(None, map(each.text, names))))


COMMAND = ScreenCommand("audit", "what was judged, asked and run", _run)
