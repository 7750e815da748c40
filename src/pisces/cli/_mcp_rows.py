"""Every MCP server of every harness as one row: where it stands, how it is started, what it needs. Starts nothing."""

from __future__ import annotations

from shlex import quote

from pisces.audit.place import audit_path
from pisces.audit.reading import Logged, records
from pisces.audit.record import REFUSED as REFUSED_RECORD
from pisces.by_name import export_of
from pisces.cli._list_kind import harnesses_of, rows_of
from pisces.cli._views import PISCES, Inquiry, union, united, views
from pisces.diagnostics import Diagnostic
from pisces.discovery.capabilities import MCP_SERVERS
from pisces.discovery.harness import Run
from pisces.discovery.registry import is_undecided
from pisces.discovery.state import ACTIVE, REFUSED, WAITING
from pisces.formats.masking import masked
from pisces.gates.judge import NOBODY, judge_now
from pisces.gates.safe import safe_gate
from pisces.gates.server_starts import ServerStartGates
from pisces.gates.trusted import trust_in
from pisces.mcp.fingerprint import TOOL, of_kind
from pisces.mcp.fingerprint_store import memory_of
from pisces.mcp.planned import SERVER_FLOATS, plan_of
from pisces.mcp.review import waiting
from pisces.shapes.rejected import Rejected
from pisces.shapes.request import SERVER
from pisces.shapes.verdict import ASK
from pisces.ui.titles import launch_text
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.cli._list_kind import Row
    from pisces.discovery.found import Candidate
    from pisces.discovery.registry import Switches
    from pisces.mcp.plan import ServerPlan
    from pisces.places import Places

_MOST_RECORDS = 2000  # of the audit log, the newest
_TO_START = "its first use asks; `pisces trust` trusts all that this project brings, as it is now"
LOGGED_IN, NEEDS_LOGIN = "logged in", "needs a login"


class ServerRow(Value):
    """`state` is what becomes of it in pisces, with its reason and what would change it; `harnesses` says it of others.

    `login` is empty for a server that is not known to want one. `tools` are those that are remembered of it, None where
    it was never used; `held` wait for a review. `notes` are sentences about what it needs, each with what to do.
    """

    name: str
    state: str
    reason: str
    change: str
    harnesses: str
    in_harness: tuple[tuple[str, str], ...]
    transport: str
    launch: str
    path: str
    level: str
    package: str = ""
    floating: str = ""
    pin: str = ""
    login: str = ""
    tools: int | None = None
    held: int = 0
    problem: str = ""
    notes: tuple[tuple[str, str], ...] = ()


class ServerRows(Value):
    rows: tuple[ServerRow, ...]
    diagnostics: tuple[Diagnostic, ...]


def server_rows(places: Places, switches: Switches) -> ServerRows:
    asked = Inquiry([MCP_SERVERS], places, switches, frozenset(), Run())
    results = united(asked)
    rows = rows_of([*views(asked), union(results)], MCP_SERVERS)
    reading = _Reading(places)
    made = sorted((reading.row(each) for each in rows), key=lambda row: (row.name.casefold(), row.path))
    problems = dict.fromkeys((*(each for result in results for each in result.diagnostics), *reading.problems))
    return ServerRows(tuple(made), tuple(problems))


class _Reading:
    """What is read once for all rows."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self.problems: list[Diagnostic] = []
        self._logins: frozenset[str] | None = None
        self._failures: dict[str, str] | None = None
        self._gates = (safe_gate(places), *ServerStartGates(places, trust_in(places)).gates)

    def row(self, row: Row) -> ServerRow:
        known = [each for _, each in row if not isinstance(each.found.item, Rejected)]
        first = next((each for view, each in row if view.harness is PISCES), (known or [row[0][1]])[0])
        source, held = first.found.source, first.held
        made = ServerRow(
            str(first.found.item.name),
            first.state,
            first.reason,
            held.change if held else "",
            harnesses_of(row),
            tuple((view.harness.id, each.state) for view, each in row if view.harness is not PISCES),
            "" if isinstance(first.found.item, Rejected) else first.found.item.transport,
            "" if isinstance(first.found.item, Rejected) else launch_text(MCP_SERVERS.id, first.found.item),
            source.path,
            source.level,
            first.found.package,
        )
        if is_undecided(first):  # pisces asks that question itself
            made = made.replace(state=ACTIVE, reason="", change="")
        return self._planned(made, first) if made.state == ACTIVE else made

    def _planned(self, row: ServerRow, candidate: Candidate) -> ServerRow:
        plan = plan_of(candidate.found, self.places)
        if isinstance(plan, Diagnostic):
            return row.replace(state=REFUSED, reason=plan.message, change=plan.hint)
        self.problems += [each for each in plan.diagnostics if each.code != SERVER_FLOATS.code]  # the row says so
        row = self._judged(row, plan)
        memory = memory_of(plan, self.places)
        row = row.replace(
            floating=plan.floating if not plan.pin else "",
            pin=plan.pin,
            login=self._login(plan) if plan.url else "",
            tools=None if memory.is_new else len(of_kind(memory.offered, TOOL)),
            held=len(waiting(memory)),
            problem=memory.problem or (self._last_failure(plan) if row.state == ACTIVE else ""),
        )
        return row.replace(notes=tuple(_notes(row)))

    def _judged(self, row: ServerRow, plan: ServerPlan) -> ServerRow:
        judged = judge_now(plan.request, self._gates, None)
        if judged.verdict.is_allowed:
            return row
        if judged.verdict.who == NOBODY:
            whys = [each.why for each in judged.verdicts if each.decision == ASK and each.why]
            asks = [why for why in whys if why != plan.floating] or whys  # a note of its own says that it floats
            return row.replace(state=WAITING, reason=f"asks before it starts: {'; '.join(asks)}", change=_TO_START)
        return row.replace(state=REFUSED, reason=judged.verdict.why, change=judged.verdict.hint)

    def _last_failure(self, plan: ServerPlan) -> str:
        """Why its last start failed, if the audit log has it and it has not been started since."""
        if self._failures is None:
            self._failures = {}
            for each in records(path, _MOST_RECORDS) if (path := audit_path(self.places)) else ():
                if isinstance(each, Logged) and each.text("kind") == SERVER and each.workspace == self.places.cwd:
                    self._failures[each.text("name")] = each.text("why") if each.what == REFUSED_RECORD else ""
        why = self._failures.get(plan.name, "")
        return f"its last start failed: {masked(why)}" if why else ""

    def _login(self, plan: ServerPlan) -> str:
        """Whether a token is stored. No vault is opened, and nobody is asked whether it is still good."""
        if self._logins is None:
            store = export_of("pisces.mcp", "tokens", "TokenStore")(self.places)
            self._logins = frozenset(each.url for each in store.logins() if each.issuer)
        if plan.url in self._logins:
            return LOGGED_IN
        is_wanted = plan.oauth and plan.oauth.get("enabled") is not False and not plan.headers
        return NEEDS_LOGIN if is_wanted else ""


def _notes(row: ServerRow) -> Iterator[tuple[str, str]]:
    name = quote(row.name)  # people paste what a hint says, and the name may be a project's
    if row.floating:
        yield row.floating, f"`pisces mcp pin {name}` runs one version"
    if row.login == NEEDS_LOGIN:
        yield "its entry wants a login, and there is none", f"`pisces mcp login {name}`"
    if row.held:
        what = "definition waits" if row.held == 1 else "definitions wait"
        yield f"{row.held} {what} for a review", f"`pisces mcp review {name}` shows the difference and asks"
    if row.problem:
        yield row.problem, f"`pisces mcp test {name}` says more"


def row_json(row: ServerRow) -> dict[str, Any]:
    return {
        "name": row.name,
        "state": row.state,
        "reason": row.reason or None,
        "change": row.change or None,
        "harnesses": dict(row.in_harness),
        "transport": row.transport or None,
        "launch": row.launch,
        "path": row.path,
        "level": row.level or None,
        "package": row.package or None,
        "floating": row.floating or None,
        "pin": row.pin or None,
        "login": row.login or None,
        "tools": row.tools,
        "held": row.held,
        "problem": row.problem or None,
        "notes": [{"note": note, "hint": hint or None} for note, hint in row.notes],
    }
