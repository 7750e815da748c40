"""The servers of a host, as far as they are served: all but ourselves, which would go round in circles."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pisces.mcp.offered_names import offered_name
from pisces.serving.choices import SERVERS
from pisces.serving.greeting import NAME

if TYPE_CHECKING:
    from pisces.host.host import Host
    from pisces.mcp.plan import ServerPlan
    from pisces.mcp.servers import ReviewedServer
    from pisces.serving.choices import ServeChoices

_OURSELVES = re.compile(r"(?:^|[\s/\\'\"=])pisces(?:\.exe|\.pyz)?['\"]?\s+(?:--safe\s+)?mcp\s+serve(?![\w-])")
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


def is_ourselves(plan: ServerPlan, own_port: int = 0) -> bool:
    """Whether an entry would start or reach what we are: `pisces mcp serve`, by whatever wrapper, or our own port."""
    if _OURSELVES.search(" ".join(plan.argv)):
        return True
    try:
        address = urlsplit(plan.url)
        return bool(own_port) and address.port == own_port and address.hostname in _LOOPBACK
    except ValueError:  # an address that is none is nobody's
        return False


def served_servers(host: Host, choices: ServeChoices) -> dict[str, ReviewedServer]:
    """By name. One that says that it is pisces is left out as soon as it has said so."""
    if not choices.has(SERVERS):
        return {}
    return {
        name: each
        for name, each in host.servers.items()
        if not is_ourselves(each.plan, choices.own_port) and each.facts.name != NAME and choices.may_offer(name)
    }


def server_of_tools(host: Host, choices: ServeChoices) -> dict[str, str]:
    """The names of the tools that a host offers of these servers, each with its server."""
    served = served_servers(host, choices)
    return {offered_name(name, tool): name for name, each in served.items() for tool in each.tool_items}


def unknown_servers(host: Host, choices: ServeChoices) -> list[str]:
    """Those of which nothing is remembered: they have to be started to know what they offer."""
    return [name for name, each in served_servers(host, choices).items() if not each.tool_items]
