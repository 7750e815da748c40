"""The subagents of one harness, in another folder than the current one."""

import sys

import pisces

places = pisces.places_here(sys.argv[1])
only_claude = pisces.Switches(only_harnesses=frozenset({"claude"}))
for found in pisces.discover(pisces.SUBAGENTS, places, only_claude).items:
    agent: pisces.Subagent = found.item
    tools = "all tools" if agent.tools is None else ", ".join(agent.tools)
    print(f"{agent.name} ({tools}): {agent.prompt.strip()}")
