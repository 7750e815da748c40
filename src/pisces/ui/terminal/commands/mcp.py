"""`/mcp [NAME | connect [NAME]]`: MCP servers, what they offer, and what is held."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.ui.terminal.listing import print_facts, print_list, say
from pisces.ui.terminal.panel import ScreenCommand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.mcp.servers import ReviewedServer
    from pisces.session.session import Session
    from pisces.ui.terminal.panel import ScreenCall


async def _run(call: ScreenCall) -> None:
    act, _, rest = call.args.strip().partition(" ")
    servers = call.session.host.servers
    if act == "connect":
        states = await call.session.host.connect(*rest.split())
        print_list(call, "servers", [(name, f"{state} {servers[name].reason}") for name, state in states.items()])
    elif act and act not in servers:
        say(call.screen, f"there is no MCP server `{act}` in force here", "warn")
    elif act:
        _show(servers[act], call)
    else:
        rows = [(name, _summary(each)) for name, each in servers.items()]
        print_list(call, "MCP servers", rows, "`/mcp NAME` says more, `/mcp connect` starts all")


def _summary(server: ReviewedServer) -> str:
    held = f", {len(server.held)} held for review" if server.held else ""
    return f"{server.state}: {len(server.tool_items)} tools{held} {server.reason}".rstrip()


def _show(server: ReviewedServer, call: ScreenCall) -> None:
    source = server.plan.found.source
    facts = [
        ("state", f"{server.state} {server.reason}".rstrip()),
        ("starts", server.plan.request.exact),
        ("from", f"{call.session.places.shown(source.path)} ({source.level})"),
        ("tools", ", ".join(server.tool_items)),
        ("prompts", ", ".join(server.prompt_items)),
        ("held", "; ".join(f"{key}: {why}" for key, why in server.held.items())),
        ("", f"`pisces mcp review {server.name}` reviews what is held" if server.held else ""),
    ]
    print_facts(call.screen, server.name, facts)


def _words(session: Session) -> Sequence[tuple[str, str]]:
    return [("connect", "starts servers"), *((name, each.state) for name, each in session.host.servers.items())]


COMMAND = ScreenCommand("mcp", "MCP servers: state, tools, what is held", _run, _words)
