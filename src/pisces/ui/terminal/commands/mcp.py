"""`/mcp [NAME | connect [NAME] | enable|disable|restart NAME]`: MCP servers, what they offer, and what is held.

What is switched here is switched for this session: no file is changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.mcp.client import CLOSED, UP
from pisces.ui.terminal.listing import print_facts, print_list, say
from pisces.ui.terminal.panel import ScreenCommand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.mcp.servers import ReviewedServer
    from pisces.session.session import Session
    from pisces.ui.terminal.panel import ScreenCall


_SWITCHES = {"enable": "starts it again", "disable": "ends it for this session", "restart": "ends and starts it"}


async def _run(call: ScreenCall) -> None:
    act, _, rest = call.args.strip().partition(" ")
    servers = call.session.host.servers
    if act == "connect":
        states = await call.session.host.connect(*rest.split())
        print_list(call, "servers", [(name, f"{state} {servers[name].reason}") for name, state in states.items()])
    elif act in _SWITCHES and (rest.strip() or act not in servers):
        await _switch(act, rest.strip(), call)
    elif act and act not in servers:
        say(call.screen, f"there is no MCP server `{act}` in force here", "warn")
    elif act:
        _show(servers[act], call)
    else:
        rows = [(name, _summary(each)) for name, each in servers.items()]
        print_list(
            call,
            "MCP servers",
            rows,
            "`/mcp NAME` says more; `connect` starts all; `enable`, `disable`, `restart NAME`",
        )


async def _switch(act: str, name: str, call: ScreenCall) -> None:
    host = call.session.host
    if name not in host.servers:
        said = f"there is no MCP server `{name}` in force here" if name else f"which server? `/mcp {act} NAME`"
        say(call.screen, said, "warn")
        return
    if act == "disable":
        await host.stop_server(name)
        say(call.screen, f"`{name}` is off for this session; `/mcp enable {name}` starts it again")
        return
    state = await host.restart_server(name)
    say(call.screen, f"`{name}`: {state} {host.servers[name].reason}".rstrip(), "dim" if state == UP else "warn")


def _summary(server: ReviewedServer) -> str:
    if server.state == CLOSED:
        return "off for this session"
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
    return [
        ("connect", "starts servers"),
        *_SWITCHES.items(),
        *((name, each.state) for name, each in session.host.servers.items()),
    ]


COMMAND = ScreenCommand("mcp", "MCP servers: state, tools, what is held", _run, _words)
