"""Which modules of a workspace a host loads, and which it must have."""

from __future__ import annotations

from pisces.gates.trust import admitted
from pisces.modules.entries import module_entries, named_entries
from pisces.modules.required import is_listed_to_run, required_in, unmet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.gates.trusted import Trust
    from pisces.host.options import HostOptions
    from pisces.modules.entry import ModuleEntries
    from pisces.modules.required import RequiredModule
    from pisces.places import Places


def module_list(places: Places, options: HostOptions, trust: Trust) -> tuple[ModuleEntries, tuple[RequiredModule, ...]]:
    required = required_in(places)
    if not options.discover:
        return named_entries(places, options.modules), required
    found = admitted(module_entries(places, options.modules), trust, places)
    missing = unmet(required, found.entries, is_listed_to_run)
    return found.replace(diagnostics=(*found.diagnostics, *missing)), required
