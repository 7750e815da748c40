"""`shell`: one command line, in a process group of its own that ends with the call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pisces.by_name import export_of
from pisces.shapes.tool import Tool
from pisces.tools.named_path import with_home
from pisces.tools.workbench import check_place

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.tools.workbench import Workbench

_SCHEMA = {
    "type": "object",
    "properties": {
        "command": {"type": "string"},
        "cwd": {"type": "string"},
        "timeout": {"type": "number", "exclusiveMinimum": 0, "maximum": 3000, "description": "seconds, default 120"},
        "tty": {"type": "boolean", "description": "run in a terminal"},
    },
    "required": ["command"],
    "additionalProperties": False,
}


def tool(bench: Workbench) -> Tool:
    async def run(given: Mapping[str, Any], context: Any = None) -> dict[str, Any]:
        check_place(bench, given, context)
        done: dict[str, Any] = await export_of("pisces.tools", "shell_line", "run_line")(bench, given, context)
        return done

    description = (
        "Runs a bash command line. No input can be typed. What it leaves in the background is ended, "
        "unless started as `setsid CMD >FILE 2>&1 </dev/null &`."
    )
    return Tool("shell", description, _SCHEMA, run, prepare=with_home(bench, "cwd"))
