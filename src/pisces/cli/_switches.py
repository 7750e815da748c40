"""What is switched off: by options of this call, and by the user's and the project's settings."""

from __future__ import annotations

from pisces.discovery.registry import Switches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from pisces.places import Places


def switches_for(arguments: Namespace, places: Places) -> Switches:  # noqa: ARG001  # settings come next
    only = frozenset(arguments.provider) if arguments.provider else None
    return Switches(frozenset(arguments.no_provider or ()), frozenset(arguments.disable or ()), only)
