"""What Gemini CLI makes of an MCP server."""

from __future__ import annotations

from pisces.shapes.server_limits import ServerLimits

_VERIFIED = "0.61.0: time and names, from its source; pages, on a fake API"
LIMITS = ServerLimits("Gemini CLI", 600.0, 63, "_-.:", reads_first_page=True, verified=_VERIFIED)
