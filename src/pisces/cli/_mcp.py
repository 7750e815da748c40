"""What the commands about MCP servers share: which server is meant, and the question before it is started."""

from __future__ import annotations

from pisces.by_name import export_of
from pisces.diagnostics import ERROR, Diagnostic, PiscesError
from pisces.discovery.capabilities import MCP_SERVERS
from pisces.discovery.found import USER, Found, Source
from pisces.discovery.harness import Run
from pisces.discovery.named_packages import named_packages
from pisces.discovery.registry import discover
from pisces.discovery.switches import configured_switches
from pisces.mcp.planned import plan_of
from pisces.shapes.mcp_server import McpServer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.cli._shell_command import Namespace, Places
    from pisces.discovery.found import Candidate
    from pisces.mcp.plan import ServerPlan

TYPED = "the command line"  # who brings a server that is given by its command line or address


def server_named(name: str, arguments: Namespace, places: Places) -> Found[McpServer]:
    """The server that may be started under this name. `PiscesError` says why there is none.

    An empty name means the only server of the packages that `--package` names.
    """
    run = Run()
    brought, _ = named_packages(arguments.package or (), places).found(MCP_SERVERS.id, places, run)
    for each in brought:
        if each.item.name == name or (not name and len(brought) == 1):
            return each
    found = discover(MCP_SERVERS, places, configured_switches(places)[0], run=run)
    startable = (*found.items, *found.undecided)
    winner = next((each for each in startable if each.item.name == name), None)
    if winner is not None:
        return winner
    known = dict.fromkeys(each.item.name for each in (*brought, *startable))
    raise PiscesError(_missing(name, list(known), [each for each in found.all if _name_of(each) == name]))


def _name_of(candidate: Candidate) -> str:
    return str(getattr(candidate.found.item, "name", ""))


def _missing(name: str, known: list[str], held: Sequence[Candidate]) -> Diagnostic:
    if held:
        reason = held[0].reason or held[0].state
        hint = held[0].held.change if held[0].held else ""
        path = held[0].found.source.path
        return Diagnostic("mcp-server-off", ERROR, f"the server `{name}` is not in force: {reason}", path, hint=hint)
    if not name:
        return Diagnostic("mcp-which-server", ERROR, "no server is named", hint=f"one of: {', '.join(known)}")
    meant = export_of("pisces.checking", "spelling", "did_you_mean")(name, known)
    hint = (
        f"{meant} `pisces mcp list` has all of them; `pisces mcp test` takes an address, or a command line behind `--`"
    )
    return Diagnostic("mcp-no-server", ERROR, f"there is no MCP server `{name}` here", hint=hint.lstrip())


def typed_server(words: Sequence[str]) -> Found[McpServer]:
    """A command line or an address that the user typed: typing it is the decision to start it."""
    config = {"url": words[0]} if is_address(words[0]) else {"command": words[0], "args": list(words[1:])}
    return Found(McpServer("server", config, "", ()), Source("", TYPED, "", USER))


def is_address(word: str) -> bool:
    return word.startswith(("http://", "https://"))


def plan_for(found: Found[McpServer], places: Places) -> ServerPlan:
    """`PiscesError` where it cannot be started or reached as it is configured."""
    plan = plan_of(found, places)
    if isinstance(plan, Diagnostic):
        raise PiscesError(plan)
    return plan
