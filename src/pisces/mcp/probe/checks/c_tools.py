"""The tools as they are listed: pages, names, schemas, annotations and texts. No tool is called."""

from __future__ import annotations

import string
from collections import Counter
from typing import TYPE_CHECKING, Any

from pisces.diagnostics import ERROR, WARNING, Rule
from pisces.discovery.tool_names import mcp_name
from pisces.mcp.connection import PROMPTS, TOOLS, ServerError
from pisces.mcp.fingerprint_orders import order_in
from pisces.mcp.probe.check import ServerCheck
from pisces.mcp.probe.limits import known_limits
from pisces.mcp.probe.schema import schema_flaws
from pisces.mcp.probe.subject import NotChecked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.mcp.probe.subject import ServerSubject

TOOL_LIST = Rule("mcp-tool-list", ERROR, "The list of tools cannot be read to its end")
FIRST_PAGE = Rule("mcp-first-page", WARNING, "Tools are on a second page, which some harnesses never read")
TOOL_TWICE = Rule("mcp-tool-twice", ERROR, "Two tools of a server have the same name")
TOOL_NAME = Rule("mcp-tool-name", WARNING, "A harness changes or refuses the name of a tool")
TOOL_SCHEMA = Rule("mcp-tool-schema", ERROR, "The schema of a tool's arguments or results is not usable")
TOOL_HINTS = Rule(
    "mcp-tool-hints", WARNING, "The annotations of a tool contradict each other, or are of the wrong type"
)
TOOL_SILENT = Rule("mcp-tool-silent", WARNING, "A tool has no description")
TOOL_TEXT = Rule("mcp-tool-text", WARNING, "A text of a server gives the model an order, or hides something")
UNKNOWN_TOOL = Rule("mcp-unknown-tool", ERROR, "A call of a tool that does not exist is not refused")

_PLAIN = frozenset(string.ascii_letters + string.digits)
_HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
_NO_TOOL = "pisces_no_such_tool"


async def _tool_list(subject: ServerSubject) -> list[str]:
    found = await subject.listing(TOOLS)
    nameless = [at for page in found.pages for at, each in enumerate(page) if not _has_name(each)]
    return [*filter(None, [found.flaw]), *(f"tool {at} of a page has no name" for at in nameless)]


def _has_name(tool: Any) -> bool:
    return isinstance(tool, dict) and isinstance(tool.get("name"), str) and bool(tool["name"])


async def _first_page(subject: ServerSubject) -> list[str]:
    found = await subject.listing(TOOLS)
    short = [each.label for each in known_limits().values() if each.reads_first_page]
    if len(found.pages) < 2 or not short:
        return []
    later = len(found.items) - len(found.pages[0])
    return [f"{later} of {len(found.items)} tools are not on the first page, and {', '.join(short)} reads no other"]


async def _twice(subject: ServerSubject) -> list[str]:
    names = Counter((await subject.listing(TOOLS)).named())
    return [f"`{name}` is there {count} times" for name, count in names.items() if count > 1]


async def _names(subject: ServerSubject) -> list[str]:
    names = dict.fromkeys((await subject.listing(TOOLS)).named())
    return [flaw for name in names for flaw in _name_flaws(name, subject.target.plan.name)]


def _name_flaws(name: str, server: str) -> Iterator[str]:
    for harness, limits in known_limits().items():
        odd = sorted(set(name) - _PLAIN - set(limits.punctuation))
        if odd:
            yield f"`{name}`: {limits.label} takes no {', '.join(map(repr, odd))}"
        whole = mcp_name(harness, name, server)
        if len(whole) > limits.longest_name:
            yield f"`{whole}` has {len(whole)} characters: {limits.label} takes {limits.longest_name}"


async def _schemas(subject: ServerSubject) -> list[str]:
    problems = []
    for tool in (await subject.listing(TOOLS)).items:
        wanted = [key for key in ("inputSchema", "outputSchema") if key == "inputSchema" or key in tool]
        problems += [f"`{tool.get('name')}`: `{key}` {flaw}" for key in wanted for flaw in schema_flaws(tool.get(key))]
    return problems


async def _hints(subject: ServerSubject) -> list[str]:
    tools = (await subject.listing(TOOLS)).items
    return [f"`{tool.get('name')}`: {flaw}" for tool in tools for flaw in _hint_flaws(tool.get("annotations", {}))]


def _hint_flaws(hints: Any) -> Iterator[str]:
    if not isinstance(hints, dict):
        yield "`annotations` is no object"
        return
    for name in _HINTS:
        if not isinstance(hints.get(name, True), bool):
            yield f"`{name}` is {hints[name]!r}, neither true nor false"
    if not isinstance(hints.get("title", ""), str):
        yield "`title` is no text"
    if hints.get("readOnlyHint") is True and hints.get("destructiveHint") is True:
        yield "it says that it only reads, and that it destroys"


async def _silent(subject: ServerSubject) -> list[str]:
    tools = (await subject.listing(TOOLS)).items
    silent = [tool.get("name") for tool in tools if not str(tool.get("description") or "").strip()]
    return [f"`{name}` has no description: a model has to guess what it does" for name in silent]


async def _texts(subject: ServerSubject) -> list[str]:
    listed = [each for kind in (TOOLS, PROMPTS) if kind in subject.capabilities for each in await _items(subject, kind)]
    texts = [(f"`{each.get('name')}`", each) for each in listed]
    texts.append(("the instructions", {"text": str(subject.greeting.get("instructions") or "")}))
    return [f"{what}: {flaw}" for what, item in texts if (flaw := order_in(item))]


async def _items(subject: ServerSubject, kind: str) -> list[dict[str, Any]]:
    return (await subject.listing(kind)).items


async def _unknown_tool(subject: ServerSubject) -> list[str]:
    if "tools" not in subject.capabilities:
        raise NotChecked("it announces no tools")
    found = await subject.refusal("tools/call", {"name": _NO_TOOL, "arguments": {}})
    is_refused = isinstance(found, ServerError) or (isinstance(found, dict) and found.get("isError") is True)
    return [] if is_refused else ["the result is no error, so a model believes that something was done"]


CHECKS = (
    ServerCheck(TOOL_LIST, "the list of tools has an end, and every tool a name", _tool_list),
    ServerCheck(FIRST_PAGE, "all tools are on the first page", _first_page),
    ServerCheck(TOOL_TWICE, "no two tools have the same name", _twice),
    ServerCheck(TOOL_NAME, "every harness takes the names as they are", _names),
    ServerCheck(TOOL_SCHEMA, "arguments and results have usable schemas", _schemas),
    ServerCheck(TOOL_HINTS, "annotations do not contradict each other", _hints),
    ServerCheck(TOOL_SILENT, "every tool has a description", _silent),
    ServerCheck(TOOL_TEXT, "no text gives orders or hides something", _texts),
    ServerCheck(UNKNOWN_TOOL, "a tool that does not exist is refused", _unknown_tool),
)
