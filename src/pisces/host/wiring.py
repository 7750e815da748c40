"""All parts of an open host, and how a call, a line or an event walks past them."""

from __future__ import annotations

import uuid
from collections import deque
from collections.abc import Mapping
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from pisces.commands.names.catalog import Catalog, catalog as named_commands, catalog_of
from pisces.diagnostics import ERROR, Diagnostic, PiscesError, Rule
from pisces.discovery.capabilities import COMMANDS, SKILLS, SUBAGENTS
from pisces.discovery.found import PROJECT, Candidate, Found
from pisces.discovery.safe_mode import refuse_in_safe_mode
from pisces.discovery.state import ACTIVE
from pisces.discovery.switches import configured_switches
from pisces.gates.judge import Gate, judge
from pisces.gates.lines import LineGates
from pisces.gates.programs import ProgramGates
from pisces.gates.required_modules import requires_modules
from pisces.gates.safe import safe_gate
from pisces.gates.tool_calls import ToolGates
from pisces.gates.trust import Trust
from pisces.host.confirming import Confirming
from pisces.host.guarding import Guards
from pisces.host.kinds import Kinds
from pisces.host.options import HostOptions
from pisces.host.story import Story
from pisces.host.submitting import Submitted, submitted
from pisces.host.under_way import CLOSED, UnderWay
from pisces.instructions.activated_skill import activated, activated_skill
from pisces.instructions.context import context
from pisces.instructions.part import InstructionPart
from pisces.instructions.skills import SkillIndex, index_of, skill_index
from pisces.instructions.subagents import subagents_part
from pisces.modules.entry import ModuleEntries
from pisces.modules.loaded_module import LoadedModule
from pisces.modules.module_set import ModuleSet
from pisces.modules.tool_call import call_tool
from pisces.places import Places
from pisces.shapes.event import Event
from pisces.shapes.events.permissions import PermissionAsked
from pisces.shapes.events.session import SessionShutdown
from pisces.shapes.events.surroundings import CwdChanged, ModuleFailed
from pisces.shapes.events.tools import ToolCall, ToolResult
from pisces.shapes.note import Note
from pisces.shapes.request import ONCE, ProgramRequest, Request, ToolRequest
from pisces.shapes.session_facts import MODES, SessionFacts
from pisces.shapes.tool import Tool
from pisces.shapes.verdict import ALLOW, DENY, Judged, Verdict
from pisces.tools.activate_skill import activate_skill

if TYPE_CHECKING:
    from pisces.host.options import Approve

E = TypeVar("E", bound=Event)

UNKNOWN_MODE = Rule("unknown-mode", ERROR, "An approval mode does not exist")

_MOST_FAILURES = 1_000
_MOST_FOLLOW_UPS = 3
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
        self.guards = Guards(places, options, kinds, self.story)
        self._under_way = UnderWay()
        self._confirm = Confirming(approve, self._permission, self.guards.mode_verdict)
        self._lines, self._programs = LineGates(places), ProgramGates(places)
        self._catalog: Catalog | None = None
        self._skills: SkillIndex | None = None
        self._has_skill_tool = False
        self._found: tuple[Diagnostic, ...] = ()

    def connect(self, modules: ModuleSet, entries: ModuleEntries, trust: Trust) -> None:
        self.modules = modules
        self._found = entries.diagnostics
        self._brought = frozenset(entry.path for entry in entries.entries if entry.needs_trust)
        self.facts = self.facts.replace(is_trusted=trust.knows(self.places.cwd) or trust.covers_all(self.places.cwd))
        self.guards.connect(lambda: self.facts, trust, lambda: modules.runner.tools)
        modules.runner.add([self._own_tools(modules)])
        self.story.begin(entries.entries, [each.path for each in modules.runner.modules], is_safe=self.places.is_safe)
        needed = requires_modules(modules, entries.entries, self.places)
        self._gates = ToolGates(modules.runner, (needed,), self._confirm, self.story.log.judged)

    def _own_tools(self, modules: ModuleSet) -> LoadedModule:
        """As a module without a file, of which a runner has one."""
        own = next((each for each in modules.runner.modules if not each.path), LoadedModule("", _PROGRAM, 0))
        own.tools.update({tool.name: tool for tool in self._options.tools})
        return own

    def _add_skill_tool(self) -> None:
        """When tools are asked for first: until then no skill has to be looked for. Hooks of a skill fire from the
        moment it is used, whoever activates it.
        """
        tool = activate_skill(self.skills)
        if tool is None:
            return

        def run(arguments: Mapping[str, Any], context: object = None) -> Any:
            text = tool.run(arguments, context)
            self.guards.add_hooks_of(activated_skill(self.skills, str(arguments["name"])).found)
            return text

        own = self._own_tools(self.modules)
        own.tools.setdefault(tool.name, tool.replace(run=run))
        self.modules.runner.add([own])

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        loaded = (*self.modules.errors, *self.modules.clashes)
        return (*self.kinds.diagnostics, *self._found, *loaded, *self.guards.diagnostics, *self._problems)

    @property
    def tools(self) -> Mapping[str, Tool]:
        if not self._has_skill_tool:
            self._has_skill_tool = True
            self._add_skill_tool()
        tools = self.modules.runner.tools
        denied = [name for name in tools if self.guards.denied_tool(name)]
        return {name: tool for name, tool in tools.items() if name not in denied} if denied else tools

    @property
    def catalog(self) -> Catalog:
        if self._catalog is None and not self._options.discover:
            self._catalog = catalog_of(self.kinds.of(COMMANDS).items, ())
        if self._catalog is None:
            switches, problems = configured_switches(self.places)
            found = named_commands(self.places, switches, self._options.packages)
            self._catalog = found.replace(diagnostics=(*problems, *found.diagnostics))
        return self._catalog

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
        notes: list[Note] = []
        judged = await self._gates.judged(request, self._later(notes))
        return judged.replace(notes=tuple(notes)) if notes else judged

    def _later(self, notes: list[Note]) -> tuple[Gate, ...]:
        return (*self.guards.gates(notes), *self._options.gates)

    async def judge_request(self, request: Request) -> Judged:
        """Anything but a tool call: a line of a prompt file, a program."""
        gates = (*self._lines.gates, *self._programs.gates)
        gates = (safe_gate(self.places), *gates)
        return await judge(request, gates, self._confirm_other, self.modules.runner.limit, self.story.log.judged)

    async def _confirm_other(self, request: Request, questions: tuple[Verdict, ...]) -> Verdict:
        """What is allowed is remembered, as the gates that asked want it."""
        verdict = await self._confirm(request, questions)
        for question in questions if verdict.is_allowed else ():
            if isinstance(request, ProgramRequest) and verdict.is_allowed:
                verdict = self._programs.answered(request, question, ONCE, verdict.who)
        return verdict

    async def call(self, name: str, arguments: Mapping[str, Any], call_id: str) -> ToolResult:
        call = ToolCall(name, call_id or f"call-{uuid.uuid4().hex[:12]}", arguments)
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
        result = await call_tool(self.modules.runner, call, judged)
        if allowed:
            result = await self.guards.past_hooks(result.replace(duration_ms=int((monotonic() - began) * 1000)))
            self.story.ran(result, monotonic() - began)
        return result.replace(notes=(*notes, *result.notes)) if notes else result

    @property
    def skills(self) -> SkillIndex:
        if self._skills is None:
            named, problems = self.kinds.named.found(SKILLS.id, self.places, self.kinds.run)
            own = index_of(Candidate(each, ACTIVE) for each in named)
            found = index_of(())
            if self._options.discover and not self.places.is_safe:
                trusted = self.facts.is_trusted
                found = skill_index(self.places, self.kinds.switches, run=self.kinds.run, trusted=trusted)
            self._problems += [*problems, *found.diagnostics]
            self._skills = SkillIndex({**found.skills, **own.skills}, {**found.for_user, **own.for_user})
        return self._skills

    @property
    def instructions(self) -> tuple[InstructionPart, ...]:
        parts: tuple[InstructionPart, ...] = ()
        if self._options.discover:
            read = context(self.places, self.kinds.switches, run=self.kinds.run, trusted=self.facts.is_trusted)
            parts = read.parts
        agents = [each for each in self.kinds.of(SUBAGENTS).items if self._is_trusted(each)]
        return (*parts, *filter(None, (self.skills.part(), subagents_part(agents))))

    def _is_trusted(self, found: Found) -> bool:
        return self.facts.is_trusted or found.source.level != PROJECT

    async def activate_skill(self, name: str) -> str:
        index = self.skills
        skill = activated(index.for_user[name]) if name in index.for_user else activated_skill(index, name)
        self.guards.add_hooks_of(skill.found)
        return skill.text()

    def use_skill_at(self, path: str) -> None:
        """The user typed a command that is a skill: its hooks fire from now on."""
        for found in (*(each.found for each in self.skills.skills.values()), *self.skills.for_user.values()):
            if found.item.path == path:
                self.guards.add_hooks_of(found)

    async def submit(self, line: str) -> Submitted:
        return await self._under_way.within(submitted(line, self), Submitted(blocked=CLOSED))

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

    def demand_not_safe(self, what: str) -> None:
        """Raises `PiscesError` in safe mode."""
        refuse_in_safe_mode(self.places, what)

    async def close(self) -> None:
        """Ends what is under way, then says goodbye to the hooks. Modules hear of it when they are closed."""
        await self._under_way.close()
        await self.guards.past_hooks(SessionShutdown())
        await self.guards.close()
        self.story.end()


def known_mode(mode: str) -> str:
    if mode not in MODES:
        hint = f"one of: {', '.join(MODES)}"
        raise PiscesError(UNKNOWN_MODE.at("", f"`{mode}` is no approval mode", hint=hint))
    return mode


def _facts(places: Places, options: HostOptions) -> SessionFacts:
    return SessionFacts(
        places.cwd,
        places.cwd,
        places.home,
        options.session_id or str(uuid.uuid4()),
        options.transcript,
        options.model,
        known_mode(options.mode),
        is_interactive=options.is_interactive,
    )
