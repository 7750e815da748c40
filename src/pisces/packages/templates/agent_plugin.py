"""An Agent Plugin: skills and MCP servers in a form that several tools share."""

from __future__ import annotations

import json

from pisces.packages.template import Template
from pisces.packages.templates._server import PROTOCOL, TOOLS, launched
from pisces.packages.templates._skill import skill_files

_GUIDE = """
`plugin.json` and `mcp.json` follow version 1 of the Agent Plugins specification, which knows skills and MCP servers and
nothing else. Fields of one client belong under `extensions` in the manifest. The server needs Node 18 or newer and
nothing else; its tools are in `server/tools.mjs`.

Try it: `pisces check .`, then `pisces extensions install .`
"""

_SCHEMAS = "https://agent-plugins.org/schemas/1.0.0"
_MANIFEST = {
    "$schema": f"{_SCHEMAS}/plugin.schema.json",
    "name": "@name@",
    "version": "0.1.0",
    "description": "Writes release notes and counts words",
    "license": "MIT",
}
_SERVERS = {
    "$schema": f"{_SCHEMAS}/mcp.schema.json",
    "mcpServers": {"words": {"type": "stdio", **launched("${PLUGIN_ROOT}")}},
}

TEMPLATE = Template(
    "agent-plugin",
    "An Agent Plugin with a skill that writes release notes and a server that counts words",
    _GUIDE,
    {
        "plugin.json": json.dumps(_MANIFEST, indent=2) + "\n",
        "mcp.json": json.dumps(_SERVERS, indent=2) + "\n",
        "server/server.mjs": PROTOCOL,
        "server/tools.mjs": TOOLS,
        **skill_files("skills/release-notes/", "release-notes"),
    },
)
