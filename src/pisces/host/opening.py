"""Opens a host: trust is read, modules that may run are loaded, and everything is closed again in the right order."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING

from pisces.discovery.safe_mode import safe_mode_notes
from pisces.gates.trust import Trust, admitted, trust_in
from pisces.host.kinds import Kinds
from pisces.host.options import HostOptions
from pisces.host.wiring import Wired
from pisces.modules.entries import module_entries, named_entries
from pisces.modules.entry import ModuleEntries
from pisces.modules.headless import Headless, open_headless
from pisces.modules.module_set import ModuleOptions, ModuleSet, open_modules
from pisces.modules.required import is_listed_to_run, required_in, unmet
from pisces.places import Places
from pisces.shapes.session_facts import MODE_ASK

if TYPE_CHECKING:
    from pisces.host.host import Host
    from pisces.host.options import Approve


@asynccontextmanager
async def open_host(made: type[Host], places: Places, approve: Approve, options: HostOptions) -> AsyncIterator[Host]:
    kinds = Kinds(places, options)
    trust = trust_in(places)
    if options.trust_workspace:
        trust = trust.including_for_this_run(places.cwd)
    entries = _entries(places, options, trust)
    if places.is_safe:
        entries = ModuleEntries((), (*entries.diagnostics, *safe_mode_notes(places)))
        options = options.replace(mode=MODE_ASK)
    wired = Wired(places, options, approve, kinds)
    async with _modules(entries, wired, options) as modules:
        wired.connect(modules, entries, trust)
        try:
            yield made(wired)
        finally:
            await wired.close()


def _modules(entries: ModuleEntries, wired: Wired, options: HostOptions) -> AbstractAsyncContextManager[ModuleSet]:
    actions = options.actions or Headless(wired.places.cwd)
    given = options.module_options or ModuleOptions(env=wired.places.env, is_embedded=True)
    if isinstance(actions, Headless):
        return open_headless(entries.entries, actions, wired.note_failure, given)
    return open_modules(entries.entries, actions, wired.note_failure, given)


def _entries(places: Places, options: HostOptions, trust: Trust) -> ModuleEntries:
    if not options.discover:
        return named_entries(places, options.modules)
    found = admitted(module_entries(places, options.modules), trust, places)
    missing = unmet(required_in(places), found.entries, is_listed_to_run)
    return found.replace(diagnostics=(*found.diagnostics, *missing))
