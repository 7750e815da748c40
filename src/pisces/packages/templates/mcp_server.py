"""An MCP server: tools that the model can call."""

from __future__ import annotations

from pisces.packages.template import Template
from pisces.packages.templates._server import PROTOCOL, TOOLS, launched

_GUIDE = """
The server brings one tool, `word_count`. Add yours in `server/tools.mjs`; `server/server.mjs` speaks the protocol and
can stay as it is. It needs Node 18 or newer and nothing else: there is nothing to install, and what was reviewed is
what runs.

Try it without an agent:

    echo '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}' | node server/server.mjs

then `pisces check .`, `gemini extensions link .` and `/mcp`
"""

TEMPLATE = Template(
    "mcp-server",
    "An MCP server with a tool that counts words",
    _GUIDE,
    {"server/server.mjs": PROTOCOL, "server/tools.mjs": TOOLS},
    {"mcpServers": {"@name@": launched("${extensionPath}")}},
)
