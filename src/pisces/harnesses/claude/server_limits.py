"""What Claude Code makes of an MCP server."""

from __future__ import annotations

from pisces.shapes.server_limits import ServerLimits

_VERIFIED = "2.1.197: what it shows, on a fake API; which characters, in its program; time and length are not verified"
LIMITS = ServerLimits("Claude Code", 30.0, 64, "_-", shows_structured=True, verified=_VERIFIED)
