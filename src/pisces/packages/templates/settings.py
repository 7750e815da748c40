"""Settings: what the package asks its user for, and a server that uses the answers."""

from __future__ import annotations

from pisces.packages.template import Template
from pisces.packages.templates._server import PROTOCOL, launched

_GUIDE = """
| setting | variable | kept |
| --- | --- | --- |
| API key | `@VARIABLE@_API_KEY` | in the keyring, never in a file or on the screen |
| Address | `@VARIABLE@_API_URL` | in a `.env` file of the extension |

The user is asked at installation and can change the answers later: `gemini extensions config @name@`, or
`pisces extensions config @name@ --set @VARIABLE@_API_URL=https://...`. pisces also reads `default` and `required`;
Gemini CLI passes over them. The server gets the values as variables and shows how to do without one.

Try it: `pisces check .`, then `pisces extensions install .` or `gemini extensions install .`
"""

_TOOLS = """// What the model can call. Secrets come from variables; none of them is ever put into an answer.
const key = process.env.@VARIABLE@_API_KEY ?? '';
const address = process.env.@VARIABLE@_API_URL || 'https://api.example.com';

export const tools = {
  service_status: {
    description: 'Says whether the service answers and whether a key is configured.',
    inputSchema: { type: 'object', properties: {} },
    async run() {
      if (!key) throw new Error('There is no API key: run `gemini extensions config @name@`');
      const reply = await fetch(new URL('/status', address), {
        headers: { authorization: `Bearer ${key}` },
        signal: AbortSignal.timeout(10_000),
      });
      return `${new URL(address).host} answers with ${reply.status}`;
    },
  },
};
"""

_SETTINGS = [
    {
        "name": "API key",
        "description": "From the account page of the service",
        "envVar": "@VARIABLE@_API_KEY",
        "sensitive": True,
        "required": True,
    },
    {
        "name": "Address",
        "description": "Where the service answers",
        "envVar": "@VARIABLE@_API_URL",
        "default": "https://api.example.com",
    },
]

TEMPLATE = Template(
    "settings",
    "Asks for an API key and an address, and hands them to an MCP server",
    _GUIDE,
    {"server/server.mjs": PROTOCOL, "server/tools.mjs": _TOOLS},
    {"settings": _SETTINGS, "mcpServers": {"@name@": launched("${extensionPath}")}},
)
