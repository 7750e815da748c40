"""`pisces mcp pin`: fetches one exact version of what a server's command line would fetch, and starts that."""

from __future__ import annotations

from pisces.audit.record import ChangedRecord
from pisces.cli._audit import audit_of, refuse_if_safe
from pisces.cli._mcp import server_named
from pisces.cli._packages import add_packages
from pisces.cli._shell_command import FINE, PROBLEMS, ShellCommand, add_output_format
from pisces.diagnostics import ERROR, Diagnostic, PiscesError
from pisces.discovery.capabilities import MCP_SERVERS
from pisces.discovery.registry import discover
from pisces.discovery.switches import configured_switches
from pisces.formats.masking import masked_line
from pisces.formats.no_secrets import safe_address
from pisces.mcp.pinning import fetch_line, pin_server, pinnable, unpin_server
from pisces.mcp.pins import pin_of
from pisces.mcp.planned import plan_as_written, plan_of
from pisces.ui.asking import answer_to, can_ask
from pisces.ui.plain import show_diagnostics
from pisces.ui.screen import visible
from pisces.ui.table import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.discovery.found import Found
    from pisces.mcp.pin_words import LaunchParts
    from pisces.mcp.pins import ServerPin
    from pisces.mcp.plan import ServerPlan
    from pisces.shapes.mcp_server import McpServer


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="servers; without any, those that are pinned are listed"
    )
    parser.add_argument("--all", action="store_true", help="every server that fetches what it runs")
    parser.add_argument("--forget", action="store_true", help="start it as its entry says again")
    parser.add_argument("--yes", action="store_true", help="fetch without asking")
    add_packages(parser)
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    known = discover(MCP_SERVERS, places, configured_switches(places)[0])
    servers = (*known.items, *known.undecided)
    if not arguments.names and not arguments.all:
        return _list(servers, arguments, places, screen)
    chosen = _chosen(servers, arguments, places)
    done: dict[str, Any] = {}
    code = FINE
    for found in chosen:
        try:
            pin = _forgotten(found, places, screen) if arguments.forget else _pinned(found, arguments, places, screen)
            done[found.item.name] = _json(pin)
        except PiscesError as error:
            show_diagnostics([error.diagnostic], places, screen)
            done[found.item.name] = {"error": error.diagnostic.message}
            code = PROBLEMS
    if arguments.output_format == "json":
        screen.json({"pins": done})
    return code


def _chosen(servers: tuple[Found[McpServer], ...], arguments: Namespace, places: Places) -> list[Found[McpServer]]:
    if not arguments.all:
        return [server_named(name, arguments, places) for name in dict.fromkeys(arguments.names)]
    if arguments.forget:
        return [found for found in servers if pin_of(found, places)]
    plans = [plan_of(found, places) for found in servers]
    return [plan.found for plan in plans if not isinstance(plan, Diagnostic) and plan.floating]


def _pinned(found: Found[McpServer], arguments: Namespace, places: Places, screen: Screen) -> ServerPin:
    plan = plan_as_written(found, places)
    if isinstance(plan, Diagnostic):
        raise PiscesError(plan)
    parts = pinnable(plan)
    refuse_if_safe("server", plan.name, places, screen)
    _agree(plan, parts, arguments, screen)
    before = pin_of(found, places)
    pin = pin_server(plan, parts, places)
    audit_of(places, screen).write(ChangedRecord("pinned", "server", plan.name, pin.label, pin.folder, pin.tree))
    was = f" (it was {visible(before.label)})" if before and before.label != pin.label else ""
    screen.note(f"{visible(plan.name)} starts as {visible(pin.label)} from now on{was}")
    screen.note(f"  {visible(pin.integrity) or 'the index gave no hash'}; every file of it is compared at each start")
    return pin


def _agree(plan: ServerPlan, parts: LaunchParts, arguments: Namespace, screen: Screen) -> None:
    """Raises `PiscesError` where nobody says yes: the network is used."""
    line = masked_line(" ".join(map(safe_address, fetch_line(parts))))
    screen.note(f"{visible(plan.name)}: this fetches from your registry, and runs nothing of it:")
    screen.note(f"    {visible(line)}")
    if arguments.yes:
        return
    if can_ask(screen) and answer_to("Fetch it? [y/N] ", screen).strip().lower() in ("y", "yes"):
        return
    hint = "a terminal asks; --yes answers"
    raise PiscesError(Diagnostic("mcp-not-fetched", ERROR, f"`{plan.name}` was not pinned: nobody agreed", hint=hint))


def _forgotten(found: Found[McpServer], places: Places, screen: Screen) -> ServerPin:
    pin = unpin_server(found, places)
    if pin is None:
        raise PiscesError(Diagnostic("mcp-no-pin", ERROR, f"the server `{found.item.name}` is not pinned"))
    audit_of(places, screen).write(ChangedRecord("unpinned", "server", found.item.name, pin.label))
    screen.note(f"{visible(found.item.name)} starts as its entry says again")
    return pin


def _list(servers: tuple[Found[McpServer], ...], arguments: Namespace, places: Places, screen: Screen) -> int:
    pins = {found.item.name: pin for found in servers if (pin := pin_of(found, places))}
    if arguments.output_format == "json":
        screen.json({"pins": {name: _json(pin) for name, pin in pins.items()}})
        return FINE
    rows = [[name, pin.label, pin.integrity] for name, pin in pins.items()]
    screen.lines(table([list(map(visible, row)) for row in rows]))
    if not pins:
        screen.note("no server is pinned here")
    return FINE


def _json(pin: ServerPin) -> dict[str, Any]:
    return {"version": pin.label, "integrity": pin.integrity, "command": list(pin.command), "sha256": pin.tree}


_EXAMPLES = (
    ("pisces mcp pin", "which servers are pinned, and to what"),
    ("pisces mcp pin docs", "the newest version now, and that one from then on"),
    ("pisces mcp pin --all --yes", "every server that fetches what it runs"),
    ("pisces mcp pin docs --forget", "as its entry says again"),
)
_SUMMARY = "start an MCP server as one exact version with its hash, not as whatever the registry has"
COMMAND = ShellCommand("mcp pin", _SUMMARY, _EXAMPLES, _arguments, _run)
