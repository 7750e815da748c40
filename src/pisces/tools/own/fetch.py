"""`fetch`: one page of the web, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pisces.by_name import export_of
from pisces.shapes.tool import Tool

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.tools.workbench import Workbench

_SCHEMA = {
    "type": "object",
    "properties": {"url": {"type": "string"}},
    "required": ["url"],
    "additionalProperties": False,
}


def tool(_bench: Workbench) -> Tool:
    async def run(given: Mapping[str, Any], _context: object = None) -> dict[str, Any]:
        page: dict[str, Any] = await export_of("pisces.tools", "fetching", "fetch")(given["url"])
        return page

    return Tool("fetch", "Gets a page over http or https, as text.", _SCHEMA, run)
