"""What a host in use writes into the audit log: what it loaded, what was judged, which hooks ran, what failed."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from pisces.audit.record import (
    ChangedRecord,
    EndedRecord,
    ErrorRecord,
    HookRecord,
    LoadedRecord,
    ModeRecord,
    RanRecord,
    RefusedRecord,
    StartedRecord,
)
from pisces.audit.shortened import secrets_in
from pisces.shapes.request import HOOK, MODULE, PROGRAM, SERVER, TOOL
from pisces.shapes.verdict import DENY

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pisces.audit.log import AuditLog
    from pisces.commands.programs.executable import Ready
    from pisces.gates.hooks.dialect import LoadedHook
    from pisces.gates.hooks.firing import HookRun
    from pisces.host.options import HostOptions
    from pisces.mcp.client import McpClient
    from pisces.mcp.servers import ReviewedServer
    from pisces.processes.ended import Ended
    from pisces.shapes.events.surroundings import ModuleFailed
    from pisces.shapes.events.tools import ToolResult
    from pisces.shapes.request import ToolRequest

HELD = "mcp-tools-held"
UP, FAILED, REFUSED = "up", "failed", "refused"  # as `mcp/client.py` has them, which is loaded with the first server


class Story:
    """One session of a host in the log, between its `LogEnds`. Without a log, nothing is written and nothing fails."""

    def __init__(self, log: AuditLog, options: HostOptions) -> None:
        self.log = log
        self._mode = options.mode
        self._watch = options.watch_hook
        self._up: set[str] = set()

    def loaded_hooks(self, loaded: Iterable[LoadedHook]) -> None:
        for each in loaded:
            self.log.write(LoadedRecord(HOOK, each.hook.event, each.hook.path, each.source.level, each.package))

    def fired(self, run: HookRun) -> None:
        hook, answer = run.loaded.hook, run.answer
        seconds, why = round(run.seconds, 3), answer.failure or answer.why
        decision = DENY if answer.failure else answer.decision
        place = hook.path, run.loaded.line or None
        self.log.write(HookRecord(run.name, *place, hook.command, run.outcome.exit, seconds, decision, why))
        if self._watch is not None:
            self._watch(run)

    def chose_mode(self, mode: str) -> None:
        self.log.write(ModeRecord(mode, self._mode, "user"))
        self._mode = mode

    def ran(self, result: ToolResult, seconds: float, request: ToolRequest) -> None:
        """`request` says who called it."""
        why = "it failed" if result.is_error else ""
        caller = request.agent, request.agent_id
        self.log.write(RanRecord(TOOL, result.tool, "", None, "", round(seconds, 3), why, *caller))

    def ran_program(self, command: str, made: Ready, ended: Ended) -> None:
        self.log.hide(*secrets_in(made.launch.env))
        text = shlex.join((made.program.path, *made.words))
        seconds = round(ended.seconds, 3)
        self.log.write(RanRecord(PROGRAM, f"/{command}", text, ended.code, ended.signal, seconds, ended.reason))

    def server(self, server: McpClient) -> None:
        """A server changed its state."""
        source = server.plan.found.source
        if server.state == UP:
            self._up.add(server.name)
            self.log.write(StartedRecord(SERVER, server.name, server.plan.exact, source.path))
        elif server.name in self._up:
            self._up.discard(server.name)
            self.log.write(EndedRecord(SERVER, server.name, server.reason))
        elif server.state in (FAILED, REFUSED):
            self.log.write(RefusedRecord(SERVER, server.name, source.path, source.level, why=server.reason))

    def held(self, server: ReviewedServer) -> None:
        source, names = server.plan.found.source, ", ".join(server.held)
        self.log.write(RefusedRecord("tools", server.name, source.path, source.level, code=HELD, why=names))

    def reviewed(self, server: ReviewedServer, sha256: str) -> None:
        path = server.plan.found.source.path
        self.log.write(ChangedRecord("reviewed", "tools", server.name, server.facts.version, path, sha256, who="user"))

    def failed(self, failed: ModuleFailed) -> None:
        self.log.write(ErrorRecord(MODULE, failed.event, failed.message, failed.module))
