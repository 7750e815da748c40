"""What Continue does with a server's entry, by its documentation: `${{ secrets.NAME }}`, from the user's variables.

`connectionTimeout` is in milliseconds and for the start. Headers are in `requestOptions`.
"""

from __future__ import annotations

from pisces.mcp.dialect import ServerDialect, fields_found, number
from pisces.mcp.fills import double_braced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pisces.discovery.found import Found
    from pisces.places import Places
    from pisces.shapes.mcp_server import McpServer


def _written(found: Found[McpServer], places: Places) -> Mapping[str, Any]:
    fields = fields_found(found, places)
    options = fields.get("requestOptions")
    headers = options.get("headers") if isinstance(options, dict) else None
    return {**fields, "headers": headers} if isinstance(headers, dict) else fields


DIALECT = ServerDialect(
    fill=double_braced,
    seconds=lambda fields, _places: (number(fields.get("connectionTimeout"), 0.001), None),
    written=_written,
)
