"""`pisces mcp call SERVER TOOL ...`: calls one tool of a server, judged and recorded as a model's call would be."""

from __future__ import annotations

import asyncio
from shlex import quote

from pisces.by_name import export_of
from pisces.cli._audit import refuse_if_safe
from pisces.cli._mcp import server_named
from pisces.cli._mcp_arguments import arguments_of, signature
from pisces.cli._mcp_consent import add_start_consent
from pisces.cli._mcp_host import CallConsent
from pisces.cli._packages import add_packages
from pisces.cli._run_limits import seconds_of
from pisces.cli._shell_command import FINE, PROBLEMS, ShellCommand, add_output_format
from pisces.diagnostics import ERROR, Diagnostic, PiscesError
from pisces.gates.judge import NOBODY
from pisces.host.host import Host
from pisces.mcp.client import REFUSED, UP
from pisces.mcp.fingerprint import TOOL, name_in
from pisces.mcp.offered_names import offered_name
from pisces.processes.clean import cleaned
from pisces.ui.asking import can_ask
from pisces.ui.plain import counted, show_diagnostics
from pisces.ui.screen import visible
from pisces.ui.table import path_rows
from pisces.ui.width import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.mcp.servers import ReviewedServer
    from pisces.shapes.events.tools import ToolResult

_LONGEST = 100  # characters of a description in the list


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("server", metavar="SERVER", help="the name of a server: `pisces mcp list` has all of them")
    parser.add_argument("tool", nargs="?", metavar="TOOL", help="one of its tools; without one they are listed")
    meaning = "its arguments: one JSON object, `-` to read one from stdin, or words such as a=1"
    parser.add_argument("given", nargs="*", default=[], metavar="JSON", help=meaning)
    parser.add_argument("--timeout", metavar="SECONDS", help="give up, and tell the server so, after this long")
    add_packages(parser)
    add_start_consent(parser)
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    seconds_of(arguments)
    refuse_if_safe("server", arguments.server, places, screen)
    server_named(arguments.server, arguments, places)
    return asyncio.run(_in_host(arguments, places, screen))


async def _in_host(arguments: Namespace, places: Places, screen: Screen) -> int:
    consent = CallConsent(arguments, places, screen)
    packages = arguments.package or ()
    async with Host.open(places, consent, packages=packages, is_interactive=can_ask(screen)) as host:
        await host.connect(arguments.server)
        server = host.servers.get(arguments.server)
        if server is None or server.state != UP:
            raise PiscesError(_not_up(arguments, server))
        if not arguments.tool:
            return _show_tools(server, arguments, places, screen)
        result = await _called(host, server, arguments)
    return _show(result, arguments, screen)


def _not_up(arguments: Namespace, server: ReviewedServer | None) -> Diagnostic:
    """An entry that cannot be planned has no server in the host; then `pisces mcp list` has the reason."""
    name = arguments.server
    if server is None:
        message = f"the server `{name}` cannot be started as it is configured"
        return Diagnostic("mcp-not-started", ERROR, message, hint="`pisces mcp list` says why")
    path = server.plan.found.source.path
    if server.state == REFUSED:
        hint = "`--yes` starts it, this time; `pisces trust` trusts what this project brings"
        message = f"the server `{name}` is not started, because nobody agreed: {server.reason}"
        return Diagnostic("mcp-not-started", ERROR, message, path, hint=hint)
    message = f"the server `{name}` is not there: {server.reason}"
    return Diagnostic("mcp-not-started", ERROR, message, path, hint=f"`pisces mcp test {quote(name)}` says more")


async def _called(host: Host, server: ReviewedServer, arguments: Namespace) -> ToolResult:
    item = server.tool_items.get(arguments.tool)
    if item is None and f"{TOOL} {arguments.tool}" not in server.held:
        raise PiscesError(_no_tool(arguments, list(server.tool_items)))
    given = arguments_of(arguments.given, (item or {}).get("inputSchema") or {})
    seconds = seconds_of(arguments)
    try:
        async with asyncio.timeout(seconds or None):
            return await host.call(offered_name(server.name, arguments.tool), given)
    except TimeoutError:
        message = f"`{arguments.tool}` has not answered within {seconds:g} s; the server was told"
        raise PiscesError(Diagnostic("mcp-timeout", ERROR, message, hint="`--timeout` gives it longer")) from None


def _no_tool(arguments: Namespace, known: list[str]) -> Diagnostic:
    meant = export_of("pisces.checking", "spelling", "did_you_mean")(arguments.tool, known)
    hint = f"{meant} `pisces mcp call {quote(arguments.server)}` lists its tools".lstrip()
    return Diagnostic("mcp-no-tool", ERROR, f"`{arguments.server}` has no tool `{arguments.tool}`", hint=hint)


def _show_tools(server: ReviewedServer, arguments: Namespace, places: Places, screen: Screen) -> int:
    tools = server.tool_items
    held = {name_in(key): why for key, why in server.held.items() if key.startswith(f"{TOOL} ")}
    if arguments.output_format == "json":
        shown = {"server": server.name, "tools": list(tools.values()), "held": held}
        screen.json({**shown, "diagnostics": [each.as_json() for each in server.diagnostics]})
        return FINE
    rows = [[visible(name), visible(signature(tool.get("inputSchema"))), _about(tool)] for name, tool in tools.items()]
    for lines in path_rows(rows, screen.width):
        screen.lines(lines)
    screen.note(f"{counted(len(tools), 'tool')} of {visible(server.name)}")
    show_diagnostics(server.diagnostics, places, screen)
    return FINE


def _about(tool: Mapping[str, Any]) -> str:
    lines = str(tool.get("description") or "").strip().splitlines()
    return visible(cut(lines[0], _LONGEST)) if lines else ""


def _show(result: ToolResult, arguments: Namespace, screen: Screen) -> int:
    code = PROBLEMS if result.is_error else FINE
    if arguments.output_format == "json":
        content = [dict(each) for each in result.content]
        shown = {"server": arguments.server, "tool": arguments.tool, "is_error": result.is_error, "content": content}
        screen.json({**shown, "structured": result.details, "denied_by": result.denied_by or None})
        return code
    text = "\n".join(_block_text(block).removesuffix("\n") for block in result.content)
    if result.denied_by:
        is_unanswered = result.denied_by == NOBODY
        hint = "`--yes` allows it, this time" if is_unanswered else "`pisces policy list` has every rule in force"
        screen.failed(f"`{arguments.tool}` was not called: {text}", hint)
    elif result.is_error:
        screen.note(text)
    else:
        screen.text(f"{text}\n")
    return code


def _block_text(block: Mapping[str, Any]) -> str:
    """What is no text is named: its bytes are for `--output-format json`."""
    kind = str(block.get("type"))
    if kind == "text":
        return cleaned(str(block.get("text", "")))
    inner = block.get("resource") if kind == "resource" else block
    found = inner if isinstance(inner, dict) else {}
    if isinstance(found.get("text"), str):
        return cleaned(found["text"])
    size = len(str(found.get("data") or found.get("blob") or "")) * 3 // 4
    named = (str(found.get(key) or "") for key in ("mimeType", "uri"))
    words = (kind, *named, f"about {size:,} bytes" if size else "")
    return f"[{visible(', '.join(filter(None, words)))}]"


_EXAMPLES = (
    ("pisces mcp call notes", "the tools of a server, and what they take"),
    ("pisces mcp call notes search query=fish limit=3", "with arguments as words"),
    ('pisces mcp call notes search \'{"query": "fish"}\'', "or as JSON"),
    ("pisces mcp call notes search query=fish --output-format json", "the whole result, for programs"),
)
_SUMMARY = "call one tool of an MCP server, judged and recorded as a model's call would be"
COMMAND = ShellCommand("mcp call", _SUMMARY, _EXAMPLES, _arguments, _run)
