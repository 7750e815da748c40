"""A fence of the operating system around a server, where its entry or the user asks for one.

`"sandbox": true` in an entry asks for that server; `mcp.sandbox` in the user's own settings for all that are programs,
or for those that it lists. Where the system has no fence, such a server does not start: it runs all day, and nobody
would see a label.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.discovery.own_switches import own_settings
from pisces.discovery.switches import settings_at
from pisces.processes.launch import OPEN, Launch, Limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.mcp.plan import ServerPlan
    from pisces.places import Places
    from pisces.shapes.mcp_server import McpServer

_GRACE = 0.5  # seconds between SIGTERM and SIGKILL


class NoFence(OSError):
    """A fence was asked for, and the system has none."""


def is_sandboxed(server: McpServer, places: Places) -> bool:
    """What is no list and not false means every server: a mistake must not take a fence away."""
    if server.fields.get("sandbox") is True:
        return True
    path, syntax = own_settings(places)[0]
    values = settings_at(path, syntax)
    mcp = values.get("mcp") if isinstance(values, dict) else None
    choice = mcp.get("sandbox") if isinstance(mcp, dict) else None
    if choice is None or choice is False:
        return False
    return server.name in choice if isinstance(choice, list) else True


def launch_of(plan: ServerPlan) -> Launch:
    """Raises `NoFence`."""
    launch = Launch(plan.argv, plan.cwd, plan.env, Limits(grace=_GRACE), stdin=OPEN, is_fenced=True)
    if not plan.is_sandboxed or plan.places is None:
        return launch
    fence = "pisces.processes.sandbox", "fence"
    places_of = export_of("pisces.processes.sandbox", "interpreter", "installation_of")
    script = _script(plan)
    folder = plan.pin_folder or plan.folder or os.path.dirname(script) or plan.cwd
    own = [each for program in (plan.argv[0], script) for each in places_of(program, plan.places.home)]
    made, label = export_of(*fence, "sandboxed")(launch, folder, plan.places, own)
    if label.startswith(export_of(*fence, "NOT_SANDBOXED")):
        raise NoFence(0, f"a sandbox is asked for, and there is none here ({label})")
    fenced: Launch = made
    return fenced


def _script(plan: ServerPlan) -> str:
    """What an interpreter is given to run; empty where that is not a file by its whole path."""
    return next((word for word in plan.argv[1:] if os.path.isabs(word) and os.path.isfile(word)), "")
