"""May this server start? The user's own may: they chose it. That of a package may while its files are as agreed to.

That of a project may as exactly what the user agreed to, and is asked about again when anything of it changes. What
fetches its program without an exact version floats: by the user's setting `mcp.floating` it is allowed, asked about or
denied. A pin ends that.
"""

from __future__ import annotations

from shlex import quote

from pisces.discovery.found import PROJECT
from pisces.discovery.own_switches import own_settings
from pisces.discovery.pins import TooManyFiles
from pisces.discovery.switches import settings_at
from pisces.gates.content import in_a_line
from pisces.gates.installed import installed_in, tree_as_agreed
from pisces.gates.judge import USER, Gate
from pisces.gates.pinned_files import are_as_pinned
from pisces.gates.server_approvals import approved_server, remember_server
from pisces.gates.server_content import ServerContent, borrowed_files, changes_since, server_content
from pisces.gates.workspace import covered_server
from pisces.shapes.request import ALWAYS, ONCE, SESSION, Request, ServerRequest
from pisces.shapes.verdict import ALLOW, ASK, DENY, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.gates.trusted import Trust
    from pisces.places import Places

STARTS = "server starts"
FLOATS = "mcp.floating"
PIN = "pin"
_FIRST = "it was never started here before"
_CHANGED = "it changed since you allowed it"
_AGAIN = "start it again, and find out what changes it"


class ServerStartGates:
    """`gates` go into the list of gates; `answered` is the verdict that an answer to a question stands for."""

    def __init__(self, places: Places, trust: Trust) -> None:
        self._places, self._trust = places, trust
        calls = ((STARTS, self._hashed), (STARTS, self._approved), (FLOATS, self._floating), (PIN, self._pinned))
        self.gates = tuple(Gate(who, call, None) for who, call in calls)

    def answered(self, request: ServerRequest, answer: str, who: str = USER) -> Verdict:
        """`once` holds for this start. `session` and `always` are remembered, bound to exactly this."""
        if answer not in (ONCE, SESSION, ALWAYS):
            since = f"; since you allowed it: {in_a_line(request.changes)}" if request.changes else ""
            return Verdict(DENY, who, f"it was not allowed to start{since}")
        content = self._content(request)
        if isinstance(content, Verdict) or content.sha256 != request.sha256:
            return Verdict(DENY, who, "it changed while you were asked", _AGAIN)
        if answer != ONCE:
            remember_server(self._places, _key(request), content)
        return Verdict(ALLOW, who)

    def _content(self, request: ServerRequest) -> ServerContent | Verdict:
        try:
            return server_content(request, self._places)
        except TooManyFiles as error:
            return Verdict(DENY, why=f"nobody can agree to all of it: {error}")

    def _hashed(self, request: Request) -> ServerRequest | Verdict | None:
        if not isinstance(request, ServerRequest):
            return None
        content = self._content(request)
        if isinstance(content, Verdict):
            return content
        before = approved_server(self._places, _key(request))
        is_changed = before is not None and before[0] != content.sha256
        changes = changes_since(before[1], content) if before and is_changed else ()
        return request.replace(sha256=content.sha256, changes=changes)

    def _approved(self, request: Request) -> Verdict | None:
        if not isinstance(request, ServerRequest):
            return None
        package = installed_in(request.folder, self._places) if request.folder else None
        if package is not None and tree_as_agreed(package) is None:
            hint = f"`pisces extensions info {package.name}` compares, installing it again mends it"
            return Verdict(DENY, why="files of its package changed since you agreed to them", hint=hint)
        if self._is_remembered(request):
            return Verdict(ALLOW, USER, "you allowed exactly this")
        if request.level == PROJECT:
            return self._of_project(request)
        if borrowed := self._borrowed(request):
            return Verdict(ASK, why=f"what it runs depends on files of this project: {borrowed}")
        return Verdict(ALLOW, USER, "you agreed to its package" if package else "you chose it")

    def _borrowed(self, request: ServerRequest) -> str:
        if self._trust.covers_all(self._places.cwd):
            return ""
        paths = borrowed_files(request, self._places)
        return ", ".join(f"`{self._places.shown(path)}`" for path in paths[:3])

    def _of_project(self, request: ServerRequest) -> Verdict:
        if self._trust.covers_all(self._places.cwd):
            return Verdict(ALLOW, USER, "you trust this folder for this run")
        if self._trust.knows(self._places.cwd):
            covered = covered_server(request, self._places)
            if all(self._trust.covers(each, self._places.cwd) for each in covered):
                return Verdict(ALLOW, USER, "you trust exactly this")
        return Verdict(ASK, why=_why(request))

    def _floating(self, request: Request) -> Verdict | None:
        if not isinstance(request, ServerRequest) or not request.floating:
            return None
        choice = floating_choice(self._places)
        hint = f"`pisces mcp pin {quote(request.name)}` runs one version"
        if choice == DENY:
            return Verdict(DENY, why=f"{request.floating}, and `{FLOATS}` denies that", hint=hint)
        is_own = request.level != PROJECT and not request.folder
        if choice == ALLOW or (not choice and is_own) or self._trust.covers_all(self._places.cwd):
            return None
        return None if self._is_remembered(request) else Verdict(ASK, why=request.floating, hint=hint)

    def _pinned(self, request: Request) -> Verdict | None:
        if not isinstance(request, ServerRequest) or not request.pin_folder:
            return None
        if are_as_pinned(request.pin_folder, request.pin_tree, self._places):
            return None
        hint = f"`pisces mcp pin {quote(request.name)}` fetches it again"
        return Verdict(DENY, why="the files that it is pinned to changed", hint=hint)

    def _is_remembered(self, request: ServerRequest) -> bool:
        before = approved_server(self._places, _key(request))
        return before is not None and bool(request.sha256) and before[0] == request.sha256


def floating_choice(places: Places) -> str:
    """`mcp.floating` of the user's own settings; empty where they do not say. What is no choice means ask."""
    path, syntax = own_settings(places)[0]
    values = settings_at(path, syntax)
    mcp = values.get("mcp") if isinstance(values, dict) else None
    choice = mcp.get("floating") if isinstance(mcp, dict) else None
    return "" if choice is None else choice if choice in (ALLOW, ASK, DENY) else ASK


def _why(request: ServerRequest) -> str:
    return f"{_CHANGED}: {in_a_line(request.changes)}" if request.changes else _FIRST


def _key(request: ServerRequest) -> str:
    return f"{request.path} /{request.name}"
