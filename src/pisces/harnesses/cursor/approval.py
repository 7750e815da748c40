"""How Cursor's command line writes down that a server is approved."""

from __future__ import annotations

import hashlib
import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.shapes.mcp_server import McpServer


def approval_key(server: McpServer, folder: str) -> str:
    """The name, and the beginning of a hash of the folder and the entry as JSON."""
    text = json.dumps({"path": folder, "server": server.config}, separators=(",", ":"), ensure_ascii=False)
    return f"{server.name}-{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
