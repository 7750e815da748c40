"""Everything that any harness loads here, counted by kind."""

from typing import Any

import pisces

AGENTS = (pisces.SKILLS, pisces.SUBAGENTS, pisces.COMMANDS, pisces.CONTEXT_FILES)
PROGRAMS = (pisces.MCP_SERVERS, pisces.HOOKS, pisces.MODULES, pisces.POLICIES)
REST = (pisces.PACKAGES, pisces.SETTINGS, pisces.THEMES)


def line(found: pisces.Discovered[Any]) -> str:
    lost = len(found.all) - len(found.items)
    return f"{found.capability.plural}: {len(found.items)}, {lost} lost, from {', '.join(found.harnesses) or 'nobody'}"


for kind in (*AGENTS, *PROGRAMS, *REST):
    print(line(pisces.discover(kind, pisces.places_here())))
