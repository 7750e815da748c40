"""`/extensions enable NAME` and `disable`: what the shell commands do, and then everything is read again."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from pisces.audit.package_record import package_record
from pisces.audit.place import audit_log
from pisces.diagnostics import PiscesError
from pisces.disk import disk_fault
from pisces.gates.judge import judge_now
from pisces.packages.enable import USER, WORKSPACE
from pisces.packages.install import Installer
from pisces.packages.store.every_store import stores, switched
from pisces.packages.store.store import own_store
from pisces.ui.terminal.listing import say

if TYPE_CHECKING:
    from pisces.places import Places
    from pisces.ui.terminal.panel import ScreenCall

HERE = "here"


async def switch_package(call: ScreenCall, act: str, words: str) -> None:
    """`words` are a name and, for this folder alone, `here`."""
    name, _, where = words.strip().partition(" ")
    if not name or where.strip() not in ("", HERE):
        say(call.screen, f"`/extensions {act} NAME` everywhere, `/extensions {act} NAME here` in this folder", "warn")
        return
    try:
        done = await asyncio.to_thread(_switched, act, name, WORKSPACE if where else USER, call.session.places)
    except PiscesError as error:
        hint = f": {error.diagnostic.hint}" if error.diagnostic.hint else ""
        say(call.screen, f"{error}{hint}", "bad")
        return
    except OSError as error:
        say(call.screen, disk_fault(error, "").message, "bad")
        return
    await call.session.host.refresh()
    say(call.screen, f"{act}d {done}; all was read again")


def _switched(act: str, name: str, scope: str, places: Places) -> str:
    log = audit_log(places, lambda _problem: None)  # the session says it, which writes to the same log
    installer = Installer(
        own_store(places), places, lambda request: judge_now(request, (), None, log.judged), lambda _line: None
    )
    package, store = switched(act, name, scope, installer)
    log.write(package_record(f"{act}d", package, store))
    return f"{package.name} {'everywhere' if scope == USER else 'in this folder and below'}{store.said}"


def installed_names(places: Places) -> list[str]:
    """All that can be switched, also what is off."""
    try:
        return sorted({name for each in stores("") for name in each.index(places)})
    except (PiscesError, OSError):
        return []
