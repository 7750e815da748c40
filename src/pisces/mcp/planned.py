"""From a found server to what is started: by the rules of the harness that it is configured for.

Pure: files are read (an environment file, the stored settings of a package, pins), nothing is started. A plan is made
for whoever configured the server; whether it may start is asked with `ServerPlan.request`.
"""

from __future__ import annotations

import os
from shlex import quote

from pisces.diagnostics import ERROR, NOTE, Diagnostic, Rule
from pisces.discovery.found import PROJECT
from pisces.formats.no_secrets import safe_address, without_secrets
from pisces.mcp.dialect import EVERY_TOOL, ServerDialect, dialect_of
from pisces.mcp.fence import is_sandboxed
from pisces.mcp.names import Names, ServerEntry, ShownNames
from pisces.mcp.pins import pinned_plan
from pisces.mcp.plan import CALL_SECONDS, START_SECONDS, ServerPlan, written_helper
from pisces.mcp.plan_env import environment, package_settings, texts_of
from pisces.mcp.plan_program import NotStarted, program_at
from pisces.shapes.launch_words import float_of
from pisces.shapes.mcp_server import AUTO, HTTP, SSE, STDIO, McpServer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pisces.discovery.found import Found
    from pisces.places import Places

SERVER_NOT_PLANNED = Rule("server-not-planned", ERROR, "An MCP server cannot be started or reached as it is configured")
SERVER_OUTSIDE = Rule("server-outside", ERROR, "An MCP server of a package or project starts a program outside of it")
SERVER_FLOATS = Rule("server-floats", NOTE, "What an MCP server starts may be another version each time")

_TRANSPORTS = (STDIO, HTTP, SSE, AUTO)


def plan_of(found: Found[McpServer], places: Places, *, trusted: bool = False) -> ServerPlan | Diagnostic:
    """How this server is started or reached; what is wrong where it cannot be.

    `trusted` means that the user agreed to the workspace's file with settings of the package, whoever wrote it.
    """
    plan = plan_as_written(found, places, trusted=trusted)
    return plan if isinstance(plan, Diagnostic) or not plan.argv else pinned_plan(plan, places)


def plan_as_written(found: Found[McpServer], places: Places, *, trusted: bool = False) -> ServerPlan | Diagnostic:
    """As `plan_of`, without its pin."""
    dialect = dialect_of(found)
    entry = _entry(found, places, dialect, trusted)
    server = McpServer(found.item.name, _preferred(entry.fields, dialect), found.item.path, found.item.keys)
    flaw = _flaw(server)
    if flaw:
        return SERVER_NOT_PLANNED.at(found.source.path, f"server `{found.item.name}` {flaw}", about=found.item.name)
    folders = dialect.folders(entry)
    return _Reading(server, entry, dialect, Names(entry, folders), ShownNames(entry, folders)).plan()


def _entry(found: Found[McpServer], places: Places, dialect: ServerDialect, trusted: bool) -> ServerEntry:
    is_own = not found.folder and found.source.level != PROJECT
    entry = ServerEntry(found, places, dialect.written(found, places), found.folder, is_own)
    return entry.replace(settings=package_settings(found, places, trusted=trusted)) if found.package else entry


def _preferred(fields: Mapping[str, Any], dialect: ServerDialect) -> dict[str, Any]:
    """Without the program where an address counts more."""
    has_address = any(fields.get(key) for key in ("httpUrl", "url"))
    drops = has_address and dialect.prefers_address
    return {key: value for key, value in fields.items() if not drops or key != "command"}


def _flaw(server: McpServer) -> str:
    if server.transport in _TRANSPORTS:
        wanted, has = ("command", server.argv) if server.transport == STDIO else ("address", server.url)
        return "" if has else f"has no {wanted}"
    kind = server.transport or server.fields.get("type") or next(iter(sorted(server.fields)), "")
    return f"is of a kind that pisces does not speak: `{kind}`" if kind else "says nothing of how it is reached"


class _Reading:
    """One entry while it is read. `names` fills in values, `shown` leaves those of the user as names."""

    def __init__(
        self, server: McpServer, entry: ServerEntry, dialect: ServerDialect, names: Names, shown: ShownNames
    ) -> None:
        self.server, self.entry, self.dialect = server, entry, dialect
        self.names, self.shown = names, shown
        self.problems: list[Diagnostic] = []

    def plan(self) -> ServerPlan | Diagnostic:
        found, dialect = self.entry.found, self.dialect
        fields, places = self.entry.fields, self.entry.places
        start, call = dialect.seconds(fields, places)
        is_users = not found.package and found.source.level != PROJECT
        unasked = dialect.unasked(fields) if is_users else ()
        base = ServerPlan(
            found.item.name,
            found,
            self.server.transport,
            start_seconds=start or START_SECONDS,
            call_seconds=call or CALL_SECONDS,
            include=dialect.include(fields),
            exclude=dialect.exclude(fields) or (),
            is_unasked=EVERY_TOOL in unasked,
            unasked=tuple(each for each in unasked if each != EVERY_TOOL),
            oauth=self._oauth(),
            folder=self.entry.folder,
            places=places,
            is_sandboxed=is_sandboxed(found.item, places),
        )
        made = self._program(base) if self.server.transport == STDIO else self._address(base)
        if isinstance(made, Diagnostic):
            return made
        asked = (name for name in (*self.names.asked, *self.shown.asked) if name not in made.env_names)
        problems = (*self.names.diagnostics(), *self.problems)
        return made.replace(variables=tuple(dict.fromkeys(asked)), diagnostics=problems)

    def _program(self, base: ServerPlan) -> ServerPlan | Diagnostic:
        cwd = self._cwd()
        argv = [self._filled("command" if at == 0 else "args", word) for at, word in enumerate(self.server.argv)]
        shown = [self._shown("command" if at == 0 else "args", word) for at, word in enumerate(self.server.argv)]
        wanted, env, problems = environment(self.entry, self.dialect, self._table("env", "environment"), self.names)
        self.problems += problems
        try:
            program = program_at(argv, self.entry, cwd, env)
        except NotStarted as error:
            path, name = self.entry.found.source.path, self.entry.found.item.name
            return SERVER_OUTSIDE.at(path, f"server `{name}`: {error}", hint=error.hint, about=name)
        shown[0] = program if shown[0] == argv[0] else shown[0]
        shown = ["***" if word is None else word for word in without_secrets(shown)]
        floating = float_of(tuple(argv))
        made = base.replace(
            argv=(program, *argv[1:]),
            shown=tuple(shown),
            env=env,
            env_names=tuple(wanted),
            cwd=cwd,
            floating=floating.reason if floating else "",
        )
        if floating:
            message = f"server `{base.name}`: {floating.reason}"
            hint = f"`pisces mcp pin {quote(str(base.name))}` runs one version; or {floating.hint}"
            self.problems.append(SERVER_FLOATS.at(self.entry.found.source.path, message, hint=hint, about=base.name))
        return made

    def _address(self, base: ServerPlan) -> ServerPlan | Diagnostic:
        headers = self._table("headers", "http_headers")
        for header, (variable, form) in self.dialect.sent(self.entry.fields).items():
            value = self.names.variable(variable)
            if value is not None:
                headers[header] = form.format(value)
        helper = written_helper(self.entry.found.item)
        written = self.server.url
        url, name = self._filled("url", written), self.entry.found.item.name
        if not url.lower().startswith(("http://", "https://")):
            message = f"server `{name}`: `{self._shown('url', written)}` is no address of HTTP"
            return SERVER_NOT_PLANNED.at(self.entry.found.source.path, message, about=name)
        return base.replace(
            url=url,
            shown=(safe_address(self._shown("url", written)), *self._beside(helper)),
            headers={name: value for name, value in headers.items() if _is_header(name, value)},
            headers_helper=self._filled("headersHelper", helper),
            cwd=self._cwd(),
        )

    def _beside(self, helper: str) -> list[str]:
        """What makes headers, and where a login goes if the entry says so: a client's secret would be sent there."""
        table = self.server.oauth.values()
        texts = [self._shown("headers", text) for text in table if isinstance(text, str) and "://" in text]
        logins = [f"(login: {safe_address(text)})" for text in dict.fromkeys(texts)]
        return [f"(headers: {helper})", *logins] if helper else logins

    def _oauth(self) -> dict[str, Any]:
        """Values are filled in as those of headers are: a client's secret is one of them."""
        table = self.server.oauth.items()
        return {key: self._filled("headers", value) if isinstance(value, str) else value for key, value in table}

    def _cwd(self) -> str:
        base = self.dialect.base(self.entry)
        wanted = self._filled("cwd", self.server.cwd) if self.dialect.has_cwd else ""
        return os.path.normpath(os.path.join(base, wanted))

    def _table(self, *keys: str) -> dict[str, str]:
        """The first of these fields that is a table, filled in."""
        found: Mapping[str, Any] = next(
            (each for key in keys if isinstance(each := self.entry.fields.get(key), dict)), {}
        )
        return {name: self._filled(keys[0], text) for name, text in texts_of(found).items()}

    def _filled(self, field: str, text: str) -> str:
        fill = self.dialect.fill_env if field == "env" and self.dialect.fill_env else self.dialect.fill
        return fill(text, self.names) if field in self.dialect.filled else text

    def _shown(self, field: str, text: str) -> str:
        return self.dialect.fill(text, self.shown) if field in self.dialect.filled else text


def _is_header(name: str, value: str) -> bool:
    """No line end: it would begin another header."""
    return bool(name) and not any(each in name + value for each in "\r\n\0")
