"""Tools that are really called: only those that the user named with `--call`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pisces.diagnostics import ERROR, WARNING, Rule
from pisces.mcp.connection import TOOLS, ServerError, ServerGone
from pisces.mcp.probe.check import ServerCheck
from pisces.mcp.probe.limits import known_limits
from pisces.mcp.probe.subject import NotChecked

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pisces.mcp.probe.subject import ServerSubject

TOOL_CALL = Rule("mcp-tool-call", ERROR, "A call of a tool fails, or its result has the wrong form")
STRUCTURED_ONLY = Rule(
    "mcp-structured-only", WARNING, "A result and its text differ, and harnesses show one of the two"
)
BAD_ARGUMENTS = Rule("mcp-bad-arguments", WARNING, "Wrong arguments are not refused")

_CONTENT = {
    "text": ("text",),
    "image": ("data", "mimeType"),
    "audio": ("data", "mimeType"),
    "resource": ("resource",),
    "resource_link": ("uri", "name"),
}


async def _results(subject: ServerSubject) -> list[tuple[str, Any]]:
    """What each named tool answers; read once."""
    if not subject.target.calls:
        raise NotChecked("no tool is called unless `--call` names it")
    if not subject.results:
        for name, arguments in subject.target.calls:
            try:
                subject.results.append((name, await _called(subject, name, arguments)))
            except ServerGone:
                raise
            except ServerError as error:
                subject.results.append((name, error))
    return subject.results


async def _called(subject: ServerSubject, name: str, arguments: Mapping[str, Any]) -> Any:
    params = {"name": name, "arguments": dict(arguments)}
    return await subject.speaker.request("tools/call", params, subject.target.plan.call_seconds)


async def _call(subject: ServerSubject) -> list[str]:
    tools = {tool.get("name"): tool for tool in (await subject.listing(TOOLS)).items}
    return [
        f"`{name}`: {flaw}"
        for name, result in await _results(subject)
        for flaw in _result_flaws(result, tools.get(name, {}))
    ]


def _result_flaws(result: Any, tool: Mapping[str, Any]) -> Iterator[str]:
    if isinstance(result, ServerError):
        yield f"it answers with an error: {result}"
        return
    if not isinstance(result, dict) or not isinstance(result.get("content"), list):
        yield "the result has no list `content`"
        return
    for block in result["content"]:
        kind = block.get("type") if isinstance(block, dict) else None
        lacking = [key for key in _CONTENT.get(kind, ()) if key not in block] if isinstance(kind, str) else []
        if kind not in _CONTENT:
            yield f"a block has the type {kind!r}"
        elif lacking:
            yield f"a block of type `{kind}` has no `{lacking[0]}`"
    if result.get("isError") is True:
        yield f"it failed: {texts_of(result)[:300]}"
    elif isinstance(tool.get("outputSchema"), dict) and not isinstance(result.get("structuredContent"), dict):
        yield "it has an `outputSchema`, and the result no `structuredContent`"


def texts_of(result: Mapping[str, Any]) -> str:
    """The text blocks of a result, one after the other."""
    blocks = [block for block in result.get("content") or () if isinstance(block, dict)]
    return "\n".join(block["text"] for block in blocks if isinstance(block.get("text"), str))


async def _structured(subject: ServerSubject) -> list[str]:
    short = [each.label for each in known_limits().values() if each.shows_structured]
    others = [each.label for each in known_limits().values() if not each.shows_structured]
    problems = []
    for name, result in await _results(subject):
        structured = result.get("structuredContent") if isinstance(result, dict) else None
        if structured is None:
            continue
        if not result.get("content"):
            problems.append(f"`{name}`: there is no text beside `structuredContent`: {', '.join(others)} shows nothing")
        elif texts_of(result).strip() and not structured:
            problems.append(f"`{name}`: `structuredContent` is empty, and {', '.join(short)} shows only that")
    return problems


async def _bad_arguments(subject: ServerSubject) -> list[str]:
    await _results(subject)
    tools = {tool.get("name"): tool for tool in (await subject.listing(TOOLS)).items}
    problems = []
    for name in dict.fromkeys(name for name, _ in subject.target.calls):
        schema = tools.get(name, {}).get("inputSchema")
        if not isinstance(schema, dict) or not schema.get("required"):
            continue
        found = await subject.refusal("tools/call", {"name": name, "arguments": {}})
        if isinstance(found, dict) and found.get("isError") is not True:
            problems.append(
                f"`{name}` was called without `{schema['required'][0]}`, which is required, and did not fail"
            )
    return problems


CHECKS = (
    ServerCheck(TOOL_CALL, "the named tools answer as they promise", _call),
    ServerCheck(STRUCTURED_ONLY, "a result says the same as text and as structure", _structured),
    ServerCheck(BAD_ARGUMENTS, "wrong arguments are refused", _bad_arguments),
)
