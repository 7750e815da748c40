"""All parts of an open host, and how a call, a line or an event walks past them."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Mapping, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from pisces.by_name import export_of
from pisces.diagnostics import ERROR, Diagnostic, PiscesError, Rule
from pisces.discovery.tool_names import NAME, SKILL, meaning_of, words_of
from pisces.gates.judge import Gate
from pisces.gates.required_modules import requires_modules
from pisces.gates.tool_calls import ToolGates
from pisces.gates.trust import Trust
from pisces.host.confirming import Confirming, InputChanged
from pisces.host.kinds import Kinds
from pisces.host.options import HostOptions
from pisces.host.story import Story
from pisces.host.under_way import CLOSED, UnderWay
from pisces.modules.entry import ModuleEntries
from pisces.modules.loaded_module import LoadedModule
from pisces.modules.module_set import ModuleSet
from pisces.places import Places
from pisces.shapes.event import Event
from pisces.shapes.events.permissions import PermissionAsked
from pisces.shapes.events.session import SessionShutdown
from pisces.shapes.events.surroundings import CwdChanged, ModuleFailed
from pisces.shapes.events.tools import ToolCall, ToolResult
from pisces.shapes.note import Note
from pisces.shapes.request import ToolRequest
from pisces.shapes.session_facts import MODE_ALL, MODES, SessionFacts
from pisces.shapes.tool import Tool
from pisces.shapes.verdict import ALLOW, ASK, DENY, Judged, Verdict

if TYPE_CHECKING:
    from pisces.host.guarding import Guards
    from pisces.host.instructing import Instructing
    from pisces.host.options import Approve
    from pisces.host.submitting import Submitted, Submitting

E = TypeVar("E", bound=Event)

UNKNOWN_MODE = Rule("unknown-mode", ERROR, "An approval mode does not exist")

_MOST_FAILURES = 1_000
_MOST_FOLLOW_UPS = 3
_MOST_CHANGES = 4  # of the input, by whoever answers questions
_PROGRAM = "program"  # the module under whose name the program's own tools are


class Wired:
    """Made before modules are loaded, because they may fail at that; `connect` brings them."""

    modules: ModuleSet

    def __init__(self, places: Places, options: HostOptions, approve: Approve, kinds: Kinds) -> None:
        self.places = places
        self.kinds = kinds
        self.failures: deque[ModuleFailed] = deque(maxlen=_MOST_FAILURES)
        self.facts = _facts(places, options)
        self._options = options
        self._problems: list[Diagnostic] = []
        self.story = Story(places, options, self.facts.id, self._problems.append)
        self._guards: Guards | None = None
        self._instructing: Instructing | None = None
        self._submitting: Submitting | None = None
        self._under_way = UnderWay()
        self.confirm = Confirming(approve, self._permission, self._mode_verdict)
        self._has_skill_tool = False
        self._found: tuple[Diagnostic, ...] = ()

    def connect(self, modules: ModuleSet, entries: ModuleEntries, trust: Trust) -> None:
        self.modules = modules
        self._found = entries.diagnostics
        self._brought = frozenset(entry.path for entry in entries.entries if entry.needs_trust)
        self.facts = self.facts.replace(is_trusted=trust.knows(self.places.cwd) or trust.covers_all(self.places.cwd))
        self._trust = trust
        if self._options.tools:
            self._add_tools(self._options.tools)
        self.story.begin(entries.entries, [each.path for each in modules.runner.modules], is_safe=self.places.is_safe)
        needed = requires_modules(modules, entries.entries, self.places)
        self._gates = ToolGates(modules.runner, (needed,), self.confirm, self.story.log.judged)

    def _add_tools(self, tools: Sequence[Tool]) -> None:
        """As those of a module without a file, of which a runner has one. It is the first: no other takes a name."""
        runner = self.modules.runner
        own = next((each for each in runner.modules if not each.path), LoadedModule("", _PROGRAM, 0))
        for tool in tools:
            own.tools.setdefault(tool.name, tool)
        runner.add([own])
        runner.arrange([own.path, *(each.path for each in runner.modules if each is not own)])

    def _add_skill_tool(self) -> None:
        """When tools are asked for first: until then no skill has to be looked for."""
        tool = self.instructing.tool()
        if tool is not None:
            self._add_tools([tool])

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        loaded = (*self.modules.errors, *self.modules.clashes)
        later = [each for part in (self._guards, self._instructing) if part for each in part.diagnostics]
        return (*self.kinds.diagnostics, *self._found, *loaded, *later, *self._problems)

    @property
    def tools(self) -> Mapping[str, Tool]:
        if not self._has_skill_tool:
            self._has_skill_tool = True
            self._add_skill_tool()
        tools = self.modules.runner.tools
        denied = [name for name in tools if self.guards.denied_tool(name)]
        return {name: tool for name, tool in tools.items() if name not in denied} if denied else tools

    def note_failure(self, failed: ModuleFailed) -> None:
        self.failures.append(failed)
        self.story.failed(failed)
        if self._options.report is not None:
            self._options.report(failed)

    def choose_mode(self, mode: str) -> None:
        self.facts = self.facts.replace(mode=known_mode(mode))
        self.story.chose_mode(mode)

    async def judge(self, call: ToolCall, server: str = "", agent: str = "", agent_id: str = "") -> Judged:
        request = ToolRequest(call, self.facts.cwd, server, agent, agent_id)
        denied = Judged(request, Verdict(DENY, "host", CLOSED))
        return await self._under_way.within(self._judged(request), denied)

    async def _judged(self, request: ToolRequest) -> Judged:
        for _ in range(_MOST_CHANGES):
            notes: list[Note] = []
            try:
                judged = await self._gates.judged(request, self._later(notes))
            except InputChanged as changed:
                request = changed.request
                continue
            return judged.replace(notes=tuple(notes)) if notes else judged
        return Judged(request, Verdict(DENY, "permission hooks", "the input was changed again and again"))

    def _mode_verdict(self, request: ToolRequest) -> Verdict:
        """A skill whose header asks for tools or hooks is more than a text: the mode does not let a model start it."""
        verdict = self.guards.mode_verdict(request)
        name = skill_in(request.call)
        if name and verdict.is_allowed and self.facts.mode != MODE_ALL and self.instructing.needs_approval(name):
            return Verdict(ASK, verdict.who, f"the skill `{name}` asks for tools or brings hooks")
        return verdict

    def _later(self, notes: list[Note]) -> tuple[Gate, ...]:
        return (*self.guards.gates(notes), *self._options.gates)

    async def call(self, name: str, arguments: Mapping[str, Any], call_id: str) -> ToolResult:
        call = ToolCall(name, call_id or f"call-{os.urandom(6).hex()}", arguments)
        closed = ToolResult(name, call.call_id, arguments, ({"type": "text", "text": CLOSED},), is_error=True)
        return await self._under_way.within(self._called(call), closed)

    async def _called(self, call: ToolCall) -> ToolResult:
        """A hook may want the result of another call instead; that one has the say of everybody, too."""
        result = await self._called_once(call)
        for _ in range(_MOST_FOLLOW_UPS):
            if not result.follow_up:
                break
            follow = result.follow_up
            result = await self._called_once(ToolCall(str(follow["tool"]), call.call_id, follow["input"]))
        return result

    async def _called_once(self, call: ToolCall) -> ToolResult:
        self.tools  # noqa: B018  # the tool of skills is there from now on
        notes: list[Note] = []
        allowed: list[Judged] = []

        async def judged(call: ToolCall) -> ToolCall:
            found = await self._judged(ToolRequest(call, self.facts.cwd))
            notes.extend(found.notes)
            if found.verdict.is_allowed:
                allowed.append(found)
            return self._gates.outcome(found)

        began = monotonic()
        call_tool = export_of("pisces.modules", "tool_call", "call_tool")
        result: ToolResult = await call_tool(self.modules.runner, call, judged)
        if allowed:
            result = await self.guards.past_hooks(result.replace(duration_ms=int((monotonic() - began) * 1000)))
            self.story.ran(result, monotonic() - began)
        return result.replace(notes=(*notes, *result.notes)) if notes else result

    @property
    def guards(self) -> Guards:
        """Hooks, rules and the approval mode: loaded when something happens that they may have a say in."""
        if self._guards is None:
            made: Guards = export_of("pisces.host", "guarding", "Guards")(
                self.places, self._options, self.kinds, self.story
            )
            made.connect(lambda: self.facts, self._trust, lambda: self.modules.runner.tools)
            self._guards = made
        return self._guards

    @property
    def instructing(self) -> Instructing:
        if self._instructing is None:
            self._instructing = export_of("pisces.host", "instructing", "Instructing")(
                self, self._options.discover, self.submitting.expanded_skill, self.guards.add_hooks_of
            )
        return self._instructing

    @property
    def submitting(self) -> Submitting:
        if self._submitting is None:
            self._submitting = export_of("pisces.host", "submitting", "Submitting")(self, self._options)
        return self._submitting

    async def submit(self, line: str) -> Submitted:
        submitting = self.submitting
        return await self._under_way.within(submitting.submitted(line), submitting.blocked(CLOSED))

    async def emit(self, event: E) -> E:
        return await self._under_way.within(self._emitted(event), event.after_failure(CLOSED))

    async def _emitted(self, event: Any) -> Any:
        if isinstance(event, ToolCall):
            return self._gates.outcome(await self._judged(ToolRequest(event, self.facts.cwd)))
        if isinstance(event, PermissionAsked):
            return await self._permission(event)
        if isinstance(event, CwdChanged):
            self.facts = self.facts.replace(cwd=event.new_cwd)
        event = await self.modules.runner.emit(event)
        return event if event.is_settled else await self.guards.past_hooks(event)

    async def _permission(self, event: PermissionAsked) -> PermissionAsked:
        """A module that the project brings may deny, but not answer for the user."""
        runner = self.modules.runner
        walk = runner.walk(PermissionAsked)
        for listener in runner.listeners(PermissionAsked):
            after = walk.past(listener, event)
            after = after if isinstance(after, PermissionAsked) else await after
            is_own = listener.module not in self._brought
            event = after if is_own or after.decision != ALLOW else event
            if event.is_settled:
                return event
        return await self.guards.past_hooks(event)

    async def close(self) -> None:
        """Ends what is under way, then says goodbye to the hooks. Modules hear of it when they are closed."""
        await self._under_way.close()
        if self._guards is not None:
            await self._guards.past_hooks(SessionShutdown())
            await self._guards.close()
        self.story.end()


def skill_in(call: ToolCall) -> str:
    """The name of the skill that a call activates, whatever its tool is called; empty for other calls."""
    return str(call.input.get(words_of(call.tool).get(NAME, ""), "")) if meaning_of(call.tool) == SKILL else ""


def known_mode(mode: str) -> str:
    if mode not in MODES:
        hint = f"one of: {', '.join(MODES)}"
        raise PiscesError(UNKNOWN_MODE.at("", f"`{mode}` is no approval mode", hint=hint))
    return mode


def _new_id() -> str:
    """As `uuid4` makes them; the module `uuid` is slow to import."""
    digits = bytearray(os.urandom(16))
    digits[6], digits[8] = digits[6] & 0x0F | 0x40, digits[8] & 0x3F | 0x80
    text = digits.hex()
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def _facts(places: Places, options: HostOptions) -> SessionFacts:
    return SessionFacts(
        places.cwd,
        places.cwd,
        places.home,
        options.session_id or _new_id(),
        options.transcript,
        options.model,
        known_mode(options.mode),
        is_interactive=options.is_interactive,
    )
