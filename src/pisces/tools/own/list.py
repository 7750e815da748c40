"""`list`: the names in a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.shapes.tool import Tool
from pisces.tools.named_path import with_home
from pisces.tools.workbench import in_thread

if TYPE_CHECKING:
    from pisces.tools.workbench import Workbench

_SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}, "additionalProperties": False}


def tool(bench: Workbench) -> Tool:
    run = in_thread(bench, "folder_listing", "list_folder")
    return Tool("list", "Lists a folder.", _SCHEMA, run, prepare=with_home(bench))
