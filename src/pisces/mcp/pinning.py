"""Pins a server: fetches one exact version of what its command line would fetch, and starts that from then on.

What was fetched is hashed as a whole and compared before every start, so that nothing else runs, and it runs offline.
"""

from __future__ import annotations

import os
import shutil

from pisces.by_name import export_of
from pisces.discovery.containment import stays_inside
from pisces.discovery.pins import TooManyFiles, digest_of, pins_below
from pisces.mcp.pin_tools import configuration_in, not_pinned
from pisces.mcp.pin_words import LaunchParts, NotPinnable, fetched
from pisces.mcp.pins import PINNED, ServerPin, folder_for, forget_pin, pin_of, remember_pin
from pisces.shapes.launch_words import float_of, program_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.discovery.found import Found
    from pisces.mcp.plan import ServerPlan
    from pisces.places import Places
    from pisces.shapes.mcp_server import McpServer

_CONTAINERS = ("docker", "podman", "nerdctl")


def pinnable(plan: ServerPlan) -> LaunchParts:
    """What would be fetched. Raises `PiscesError` where nothing is, or where no pin can keep to the line."""
    name, argv = plan.name, plan.argv
    if not argv:
        raise not_pinned(f"server `{name}` runs elsewhere, so nobody here can pin it")
    try:
        parts = fetched(argv)
    except NotPinnable as error:
        raise not_pinned(f"server `{name}`: {error}", _exact(argv)) from None
    if parts is not None:
        return parts
    if program_of(argv[0]) in _CONTAINERS:
        raise not_pinned(
            f"server `{name}` runs an image, and only the container program knows its digest", _exact(argv)
        )
    why = (
        "pisces cannot pin what this line fetches"
        if float_of(argv)
        else "it fetches nothing, so there is nothing to pin"
    )
    raise not_pinned(f"server `{name}`: {why}", _exact(argv))


def fetch_line(parts: LaunchParts) -> tuple[str, ...]:
    """The command line that goes to the network, to be shown before."""
    line: tuple[str, ...] = export_of("pisces.mcp", f"pinning_{parts.kind}", "fetch_line")(parts)
    return line


def pin_server(plan: ServerPlan, parts: LaunchParts, places: Places) -> ServerPin:
    """Uses the network. The pin that there was counts until the new one is complete."""
    found = plan.found
    before, folder = pin_of(found, places), folder_for(places)
    try:
        fetch = export_of("pisces.mcp", f"pinning_{parts.kind}", "fetch")
        own = configuration_in({name: plan.env[name] for name in plan.env_names if name in plan.env})
        label, integrity, command = fetch(parts, folder, places.replace(env={**places.env, **own}))
        tree = digest_of(pins_below(folder))
        pin = ServerPin(found.item.argv, f"{parts.kind} {label}", integrity, command, folder, tree)
        remember_pin(found, pin, places)
    except TooManyFiles as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise not_pinned(f"server `{plan.name}`: {error}") from None
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    _remove(before, places)
    return pin


def unpin_server(found: Found[McpServer], places: Places) -> ServerPin | None:
    """The pin that there was; its files are removed."""
    before = forget_pin(found, places)
    _remove(before, places)
    return before


def _remove(pin: ServerPin | None, places: Places) -> None:
    """A folder of ours only: the file that names it can be edited."""
    parent = os.path.join(places.agent_dir, PINNED)
    if pin is not None and os.path.dirname(pin.folder) == parent and stays_inside(pin.folder, parent):
        shutil.rmtree(pin.folder, ignore_errors=True)


def _exact(argv: tuple[str, ...]) -> str:
    floating = float_of(argv)
    return floating.hint if floating else ""
