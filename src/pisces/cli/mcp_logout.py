"""`pisces mcp logout NAME`: revoke the tokens of a server where that is offered, and forget them."""

from __future__ import annotations

import asyncio

from pisces.audit.record import ChangedRecord
from pisces.cli._audit import audit_of
from pisces.cli._mcp import plan_for, server_named
from pisces.cli._packages import add_packages
from pisces.cli._shell_command import FINE, PROBLEMS, ShellCommand, add_output_format
from pisces.diagnostics import ERROR, Diagnostic, PiscesError
from pisces.mcp.client import with_sdk
from pisces.mcp.oauth import oauth_entry
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.mcp.plan import ServerPlan
    from pisces.mcp.tokens import Login, TokenStore


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="a server that somebody logged in to")
    parser.add_argument("--all", action="store_true", help="all of them")
    add_packages(parser)
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    if bool(arguments.name) == arguments.all:
        hint = "pisces mcp logout NAME, or --all"
        raise PiscesError(Diagnostic("mcp-which-server", ERROR, "which server is meant?", hint=hint))
    store: TokenStore = with_sdk("tokens", "TokenStore")(places)
    plan = _configured(arguments, places)
    meant = [each for each in store.logins() if arguments.all or _is_meant(each, arguments.name, plan)]
    rows = [_logged_out(each, store, plan, places) for each in meant]
    for row in rows:
        audit_of(places, screen).write(ChangedRecord("logged out", "server", row["server"], text=row["issuer"]))
    if arguments.output_format == "json":
        screen.json(rows)
        return FINE
    for row in rows:
        screen.note(f"logged out of {visible(row['server'])}: {row['tokens']}")
    if not rows:
        screen.note(f"nobody is logged in to {visible(arguments.name or 'a server')}")
    return FINE if rows or arguments.all else PROBLEMS


def _configured(arguments: Namespace, places: Places) -> ServerPlan | None:
    """None for a server that is no longer configured: its login can still be ended."""
    try:
        return plan_for(server_named(arguments.name, arguments, places), places) if arguments.name else None
    except PiscesError:
        return None


def _is_meant(login: Login, name: str, plan: ServerPlan | None) -> bool:
    return login.url == plan.url if plan else login.name == name


def _logged_out(login: Login, store: TokenStore, plan: ServerPlan | None, places: Places) -> dict[str, str]:
    """Forgotten here in any case; whether the other side forgets them too is said."""
    said = "the tokens are forgotten here; their server offers no revocation, so they end by themselves"
    try:
        grant = store.find(login.url, login.configured)
        secret = oauth_entry(plan).client_secret if plan else ""
        if grant and secret:
            grant = grant.replace(client_secret=secret)
        if grant and asyncio.run(with_sdk("login", "log_out")(grant, places.env)):
            said = "the tokens are revoked and forgotten"
    except PiscesError as error:
        said = f"the tokens are forgotten here, and may not be revoked: {error.diagnostic.message}"
    store.drop(login.url, login.configured)
    return {"server": login.name or login.url, "issuer": login.issuer, "tokens": said}


_EXAMPLES = (
    ("pisces mcp logout linear", "revoke and forget its tokens"),
    ("pisces mcp logout --all", "of all servers"),
)
_SUMMARY = "revoke and forget the tokens of an MCP server"
COMMAND = ShellCommand("mcp logout", _SUMMARY, _EXAMPLES, _arguments, _run)
