"""What a package would bring: its commands, hooks and servers."""

import sys

import pisces

places = pisces.places_here()
for package in pisces.inspect(sys.argv[1], places):
    print(f"{places.shown(package.folder)} as {package.format.label}")
    for command in package.of(pisces.COMMANDS):
        print(f"  /{command.item.final_name}: {command.item.description}")
    for hook in package.of(pisces.HOOKS):
        print(f"  on {hook.item.event}: {hook.item.command}")
    for server in package.of(pisces.MCP_SERVERS):
        print(f"  server {server.item.name}: {server.item.launch}")
    for problem in package.diagnostics:
        print(f"  {problem.severity}: {problem.message}")
