"""What is here of one kind, with the user's switches applied."""

from __future__ import annotations

from pisces.discovery.capability import Capability
from pisces.discovery.found import Kind
from pisces.discovery.registry import Discovered, Switches, discover as registry_discover
from pisces.discovery.switches import configured_switches
from pisces.places import Places


def discover(kind: Capability[Kind], places: Places, switches: Switches | None = None) -> Discovered[Kind]:
    """Everything of one kind that a harness loads here: `items` are the winners, `all` has the losers with reasons.

    Without `switches`, what the user's and the project's settings switch off is off, as in `pisces list`. Reads files
    and nothing else. A broken file raises nothing: it is one of the `diagnostics`.
    """
    if switches is not None:
        return registry_discover(kind, places, switches)
    configured, problems = configured_switches(places)
    found = registry_discover(kind, places, configured)
    return found.replace(diagnostics=(*problems, *found.diagnostics))
