"""`agent`: a subagent works on a task of its own and reports. Offered only where there are subagents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pisces.shapes.tool import Tool

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pisces.discovery.found import Found
    from pisces.shapes.subagent import Subagent
    from pisces.tools.workbench import Workbench

NAME = "agent"
_MOST_NAMES = 50
_PRIMARY, _LOCAL = "primary", "local"
_DESCRIPTION = (
    "Starts a subagent, which sees only `prompt` and answers with a report. "
    "Several calls in one answer run at the same time."
)


def tool(bench: Workbench) -> Tool | None:
    """None inside a subagent."""
    run_agent = bench.run_agent
    if run_agent is None:
        return None

    async def run(given: Mapping[str, Any], context: Any = None) -> Any:
        return await run_agent(given["name"], given["prompt"], context)

    return Tool(NAME, _DESCRIPTION, _schema({}), run)


def agent_names(found: Iterable[Found[Subagent]]) -> tuple[str, ...]:
    """Those that can be started. One that runs elsewhere, or that a user talks to directly, cannot."""
    return tuple(each.item.name for each in found if each.item.kind == _LOCAL and each.item.mode != _PRIMARY)


def offered(tools: Mapping[str, Tool], names: Sequence[str]) -> tuple[Tool, ...]:
    """All tools for one request: `agent` with the names that there are now, and without any not at all."""
    own = tools.get(NAME)
    if own is None or own.module:
        return tuple(tools.values())
    enum = {"enum": list(names)} if len(names) <= _MOST_NAMES else {}
    known = own.replace(parameters=_schema(enum))
    return tuple(known if each is own else each for each in tools.values() if each is not own or names)


def _schema(enum: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"name": {"type": "string", **enum}, "prompt": {"type": "string"}},
        "required": ["name", "prompt"],
        "additionalProperties": False,
    }
