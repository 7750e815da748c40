"""Which MCP servers each harness would load here, and which one has a name where several want it."""

import pisces

for each in pisces.discover(pisces.MCP_SERVERS, pisces.places_here()).all:
    server: pisces.McpServer = each.found.item
    source = each.found.source
    print(f"{source.label}, {source.level}: {server.name} ({server.transport}) {server.launch}")
    if each.winner:
        print(f"  {each.state}: {each.reason}")
