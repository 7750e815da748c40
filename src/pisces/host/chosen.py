"""What the user and the project have chosen for pisces: who is trusted, which modules run, and which have to."""

from __future__ import annotations

from pisces.discovery.safe_mode import WHO, safe_mode_notes
from pisces.gates.trust import admitted
from pisces.gates.trusted import Trust, trust_in
from pisces.modules.entries import module_entries, named_entries
from pisces.modules.entry import ModuleEntries
from pisces.modules.required import is_listed_to_run, required_in, unmet
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.host.options import HostOptions
    from pisces.modules.required import RequiredModule
    from pisces.places import Places


class Chosen(Value):
    """`required` are the modules without which no tool is called. `off_by` says who switched everything off."""

    trust: Trust = Trust()
    entries: ModuleEntries = ModuleEntries(())
    required: tuple[RequiredModule, ...] = ()
    off_by: str = ""


def chosen_in(places: Places, options: HostOptions) -> Chosen:
    trust = trust_in(places)
    if options.trust_workspace:
        trust = trust.including_for_this_run(places.cwd)
    required = required_in(places)
    entries = _listed(places, options, trust, required)
    if not places.is_safe:
        return Chosen(trust, entries, required)
    return Chosen(trust, ModuleEntries((), (*entries.diagnostics, *safe_mode_notes(places))), required, WHO)


def _listed(places: Places, options: HostOptions, trust: Trust, required: tuple[RequiredModule, ...]) -> ModuleEntries:
    if not options.discover:
        return named_entries(places, options.modules)
    found = admitted(module_entries(places, options.modules), trust, places)
    missing = unmet(required, found.entries, is_listed_to_run)
    return found.replace(diagnostics=(*found.diagnostics, *missing))
