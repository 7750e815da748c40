"""What Codex makes of an MCP server."""

from __future__ import annotations

from pisces.shapes.server_limits import ServerLimits

LIMITS = ServerLimits("Codex", 10.0, 64, "_-", shows_structured=True, verified="0.166.0, on a fake API")
