"""What Codex makes of an MCP server."""

from __future__ import annotations

from pisces.shapes.server_limits import ServerLimits

_VERIFIED = "0.166.0: what it shows, on a fake API; time, characters and length are not verified"
LIMITS = ServerLimits("Codex", 10.0, 64, "_-", shows_structured=True, verified=_VERIFIED)
