"""What Claude Code makes of an MCP server."""

from __future__ import annotations

from pisces.shapes.server_limits import ServerLimits

LIMITS = ServerLimits("Claude Code", 30.0, 64, "_-", shows_structured=True, verified="2.1.197, on a fake API")
