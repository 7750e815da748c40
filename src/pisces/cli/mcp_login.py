"""`pisces mcp login NAME`: log in to a server, in the browser. The only place that opens one."""

from __future__ import annotations

import asyncio
import os
import sys

from pisces.audit.record import ChangedRecord
from pisces.cli._audit import audit_of, refuse_if_safe
from pisces.cli._mcp import plan_for, server_named
from pisces.cli._mcp_consent import add_start_consent, agree_to_start
from pisces.cli._packages import add_packages
from pisces.cli._run_limits import seconds_of
from pisces.cli._shell_command import FINE, ShellCommand, add_output_format
from pisces.diagnostics import ERROR, Diagnostic, PiscesError
from pisces.mcp.client import with_sdk
from pisces.packages.settings.secrets import PLAIN, STORE_VARIABLE
from pisces.shapes.mcp_server import STDIO
from pisces.ui.asking import answer_to, can_ask
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.mcp.login import Person
    from pisces.mcp.plan import ServerPlan

_SECONDS = 300.0


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="a server that is reached by address")
    parser.add_argument("--no-browser", action="store_true", help="print the address to open, and wait")
    pasted = "the browser is on another machine: print the address to open, and read the one that it ends on"
    parser.add_argument("--paste", action="store_true", help=pasted)
    parser.add_argument("--scope", action="append", metavar="SCOPE", help="ask for this scope too (repeatable)")
    parser.add_argument("--timeout", metavar="SECONDS", help=f"how long to wait (default: {_SECONDS:g})")
    parser.add_argument("--insecure-storage", action="store_true", help="tokens go to a file that is not encrypted")
    add_packages(parser)
    add_start_consent(parser)
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    refuse_if_safe("server", arguments.name, places, screen)
    plan = plan_for(server_named(arguments.name, arguments, places), places)
    if plan.transport == STDIO:
        message = f"`{plan.name}` is a program on this machine: nobody logs in to it"
        raise PiscesError(Diagnostic("mcp-no-login", ERROR, message, plan.found.source.path))
    log_in, person_of = with_sdk("login", "log_in"), with_sdk("login", "Person")
    chosen = {STORE_VARIABLE: PLAIN} if arguments.insecure_storage else {}
    store = with_sdk("tokens", "TokenStore")(places.replace(env={**places.env, **chosen}))
    store.check()
    agree_to_start(plan, arguments, places, screen)
    person = _person(person_of, plan, arguments, places, screen)
    grant = asyncio.run(log_in(plan, store, places.env, person))
    audit_of(places, screen).write(ChangedRecord("logged in", "server", plan.name, text=grant.issuer))
    if arguments.output_format == "json":
        screen.json({"server": plan.name, "issuer": grant.issuer, "scope": grant.scope, "expires_at": grant.expires_at})
    else:
        screen.note(f"logged in to {visible(plan.name)} at {visible(grant.issuer)}")
    return FINE


def _person(made: type[Person], plan: ServerPlan, arguments: Namespace, places: Places, screen: Screen) -> Person:
    may_open = not (arguments.no_browser or arguments.paste) and can_ask(screen) and _has_browser(places)

    async def show(url: str) -> None:
        screen.note(f"to log in to {visible(plan.name)}, open")
        screen.note(visible(url))
        if may_open:
            await asyncio.to_thread(_open, url)

    async def pasted() -> str:
        return await asyncio.to_thread(answer_to, "the address that the browser ended on: ", screen)

    scopes = tuple(word for text in arguments.scope or () for word in text.split())
    return made(show, pasted if arguments.paste else None, seconds_of(arguments) or _SECONDS, scopes)


def _has_browser(places: Places) -> bool:
    """A browser in the terminal would take it over, so on Linux there has to be a display."""
    named = any(places.env.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
    return named or os.name == "nt" or sys.platform == "darwin"


def _open(url: str) -> None:
    import webbrowser  # loads a lot, and is seldom needed

    webbrowser.open(url)


_EXAMPLES = (
    ("pisces mcp login linear", "in the browser; the tokens go to the keyring"),
    ("pisces mcp login linear --paste", "with a browser on another machine, for example over ssh"),
    ("pisces mcp login linear --scope write", "with more rights than it asks for"),
)
_SUMMARY = "log in to an MCP server that wants it, in the browser"
COMMAND = ShellCommand("mcp login", _SUMMARY, _EXAMPLES, _arguments, _run)
