"""All parts of an open host, and how a call, a line or an event walks past them."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Mapping, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from pisces.by_name import export_of
from pisces.diagnostics import Diagnostic
from pisces.discovery.capabilities import MCP_SERVERS
from pisces.formats.json_copy import NotJson
from pisces.gates.judge import USER, Gate
from pisces.gates.required_modules import requires_modules
from pisces.gates.tool_calls import ToolGates
from pisces.host.called import failed_call, skill_in
from pisces.host.chosen import Chosen
from pisces.host.confirming import Confirming, InputChanged
from pisces.host.kinds import Kinds
from pisces.host.program_tools import add_program_tools
from pisces.host.start import known_mode
from pisces.host.under_way import CLOSED, UnderWay
from pisces.modules.headless import Headless, record_in
from pisces.modules.loaded_module import LoadedModule
from pisces.modules.module_set import ModuleOptions, empty_set
from pisces.shapes.event import Event
from pisces.shapes.events.permissions import PermissionAsked
from pisces.shapes.events.session import SessionShutdown
from pisces.shapes.events.surroundings import CwdChanged, ModuleFailed
from pisces.shapes.events.tools import ToolCall, ToolExecutionEnd, ToolExecutionStart, ToolExecutionUpdate, ToolResult
from pisces.shapes.listener import Listener
from pisces.shapes.note import Note
from pisces.shapes.request import ToolRequest
from pisces.shapes.session_facts import MODE_ALL
from pisces.shapes.tool import Tool, ToolFailed
from pisces.shapes.verdict import ALLOW, ASK, DENY, Judged, Verdict

if TYPE_CHECKING:
    from pisces.gates.trusted import Trust
    from pisces.host.guarding import Guards
    from pisces.host.instructing import Instructing
    from pisces.host.server_prompts import ServerPrompts
    from pisces.host.servers import Servers, ServerTool
    from pisces.host.start import HostStart
    from pisces.host.submitting import Submitted, Submitting
    from pisces.instructions.part import InstructionPart
    from pisces.shapes.mcp_server import McpServer

E = TypeVar("E", bound=Event)

_MOST_FAILURES = 1_000
_MOST_FOLLOW_UPS = 3
_MOST_CHANGES = 4  # of the input, by the answers to questions
_ACTED_ON = (ToolCall, PermissionAsked, CwdChanged)  # by the host itself
_SERVERS = "servers"  # the one of tools of MCP servers


class Wired:
    """No module is loaded at first: `load` does that, because they may fail. Without any, `connect` is enough."""

    def __init__(self, start: HostStart) -> None:
        options = start.options
        self._chosen = start.chosen or Chosen()
        entries = self._chosen.entries.entries
        self.places, self.facts, self.story = start.places, start.facts, start.story()
        self.kinds = Kinds(start.places, options)
        self.failures: deque[ModuleFailed] = deque(maxlen=_MOST_FAILURES)
        self._problems, self._options, self._approve = start.problems, options, start.approve
        self._guards: Guards | None = None
        self._instructing: Instructing | None = None
        self._submitting: Submitting | None = None
        self._servers: Servers | None = None
        self._server_tools: Mapping[str, ServerTool] = {}
        self.under_way = UnderWay()
        self.fingerprints: Mapping[str, tuple[int, ...]] = {}
        self.confirm = Confirming(start.approve, self._permission, self._mode_verdict)
        self._has_skill_tool = False
        self._skill_tool: Tool | None = None
        self._brought = frozenset(entry.path for entry in entries if entry.needs_trust)
        self._actions = options.actions or Headless(self.places.cwd)
        given = options.module_options or ModuleOptions(env=self.places.env, is_embedded=True)
        self.modules = empty_set(self._actions.cwd, self.note_failure, given)
        needed = requires_modules(self.modules, entries, self._chosen.required)
        self._gates = ToolGates(self.modules.runner, (needed,), self.confirm, self.story.log.judged)

    async def load(self) -> None:
        running = self._chosen.entries.running
        if running:
            self.fingerprints = export_of("pisces.host", "refreshing", "fingerprints")(running)
        await self.modules.start(self._chosen.entries.running, self._actions)
        self.connect()

    def connect(self) -> None:
        """Modules and tools may act from now on."""
        self.modules.runner.bind(self._actions)
        if isinstance(self._actions, Headless):
            record_in(self._actions, self.modules)
        watch, kinds = self._options.watch_tools, (ToolExecutionStart, ToolExecutionUpdate, ToolExecutionEnd)
        listeners = [Listener(kind, watch, "") for kind in kinds] if watch is not None else []
        if self._options.tools or listeners:
            add_program_tools(self.modules.runner, self._options.tools, listeners)

    @property
    def _all_tools(self) -> Mapping[str, Tool]:
        """With `activate_skill` from the first time on that anybody asks: until then no skill has to be looked for."""
        if not self._has_skill_tool:
            self._has_skill_tool = True
            self._skill_tool = self.instructing.tool()
            if self._skill_tool is not None:
                add_program_tools(self.modules.runner, [self._skill_tool])
        self._add_server_tools()
        return self.modules.runner.tools

    def _add_server_tools(self) -> None:
        """As those of a module that comes last: a tool of a server never replaces another of the same name."""
        if not self.has_servers:
            return
        runner = self.modules.runner
        others = frozenset(name for each in runner.modules if each.path != _SERVERS for name in each.tools)
        tools = self.servers.tools(others)
        if tools is self._server_tools:
            return
        before, old = self._server_tools, runner.tools
        self._server_tools = tools
        made = LoadedModule(_SERVERS, _SERVERS, 0)
        for name, each in tools.items():  # one that did not change is the same tool: it may be judged right now
            is_same = name in before and each.is_same(before[name])
            made.tools[name] = old[name] if is_same and name in old else each.made()
        runner.add([made])
        runner.arrange([each.path for each in runner.modules if each is not made])

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        loaded = (*self._chosen.entries.diagnostics, *self.modules.errors, *self.modules.clashes)
        later = [each for part in (self._guards, self._instructing, self._servers) if part for each in part.diagnostics]
        return tuple(dict.fromkeys((*self.kinds.diagnostics, *loaded, *later, *self._problems)))  # each is said once

    @property
    def denied_tools(self) -> Mapping[str, Verdict]:
        found = {name: self.guards.denied_tool(*self._known_as(name)) for name in self._all_tools}
        return {name: verdict for name, verdict in found.items() if verdict is not None}

    @property
    def tools(self) -> Mapping[str, Tool]:
        tools, denied = self._all_tools, self.denied_tools
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
        return await self.under_way.within(self._judged(request), denied)

    def _known_as(self, name: str) -> tuple[str, str]:
        """What rules call a tool, and its server."""
        found = self._server_tools.get(name)
        return (found.full_name, found.server.name) if found else (name, "")

    async def _judged(self, request: ToolRequest) -> Judged:
        """A tool of one of our servers is judged under its full name, with its server, whoever calls it."""
        if not request.server and "__" in request.call.tool:
            self._add_server_tools()
        found = None if request.server else self._server_tools.get(request.call.tool)
        if found is None:
            return await self._judged_by_all(request)
        call = request.call.replace(tool=found.full_name)
        given = request.replace(call=call, server=found.server.name, annotations=found.annotations)
        judged = await self._judged_by_all(given)
        assert isinstance(judged.request, ToolRequest)
        offered = judged.request.call.replace(tool=found.name)
        return judged.replace(request=judged.request.replace(call=offered))

    async def _judged_by_all(self, request: ToolRequest) -> Judged:
        for _ in range(_MOST_CHANGES):
            notes: list[Note] = []
            try:
                judged = await self._gates.judged(request, self._later(notes))
            except InputChanged as changed:
                request = changed.request
                continue
            except NotJson as error:
                empty = request.replace(call=request.call.replace(input={}))
                return Judged(empty, Verdict(DENY, "host", f"the input is not JSON data: {error}"))
            if self.under_way.is_closed:  # whoever was asked answered all the same, too late
                return Judged(request, Verdict(DENY, "host", CLOSED))
            return judged.replace(notes=tuple(notes)) if notes else judged
        return Judged(request, Verdict(DENY, "permission hooks", "the input was changed again and again"))

    def _mode_verdict(self, request: ToolRequest) -> Verdict:
        """A skill whose header asks for tools or hooks is more than a text: the mode does not let a model start it."""
        verdict = self.guards.mode_verdict(request)
        name = skill_in(request.call)
        if name and verdict.is_allowed and self.facts.mode != MODE_ALL and self.instructing.needs_approval(name):
            return Verdict(ASK, verdict.who, f"the skill `{name}` asks for tools or brings hooks")
        if verdict.decision == ASK and request.server and self.servers.is_unasked(request):
            return Verdict(ALLOW, USER, f"your settings let tools of `{request.server}` run unasked")
        return verdict

    def _later(self, notes: list[Note]) -> tuple[Gate, ...]:
        return (*self.guards.gates(notes), *self._options.gates)

    async def call(
        self, name: str, arguments: Mapping[str, Any], call_id: str, agent: str = "", agent_id: str = ""
    ) -> ToolResult:
        call = ToolCall(name, call_id or f"call-{os.urandom(6).hex()}", arguments)
        request = ToolRequest(call, agent=agent, agent_id=agent_id)
        return await self.under_way.within(self._called(request), failed_call(call, CLOSED))

    async def _called(self, request: ToolRequest) -> ToolResult:
        """A hook may want the result of another call instead; that one has the say of everybody, too."""
        result = await self._called_once(request)
        for _ in range(_MOST_FOLLOW_UPS):
            if not (follow := result.follow_up):
                break
            other = ToolCall(str(follow["tool"]), request.call.call_id, follow["input"])
            result = await self._called_once(request.replace(call=other))
        return result

    async def _called_once(self, request: ToolRequest) -> ToolResult:
        """`request` says who calls."""
        call = request.call
        if call.tool not in self._all_tools:  # nobody has to be asked about that
            held = self.servers.held(call.tool) if self.has_servers else ""
            return failed_call(call, held or f"there is no tool `{call.tool}`")
        server = self._server_tools.get(call.tool)
        notes: list[Note] = []
        allowed: list[float] = []  # when: the time of a question is not that of the tool
        denied: list[Verdict] = []

        async def judged(call: ToolCall) -> ToolCall:
            found = await self._judged(request.replace(call=call, cwd=self.facts.cwd))
            notes.extend(found.notes)
            if found.verdict.is_allowed:
                allowed.append(monotonic())
            else:
                denied.append(found.verdict)
            return self._gates.outcome(found)

        call_tool = export_of("pisces.modules", "tool_call", "call_tool")
        result: ToolResult = await call_tool(self.modules.runner, call, judged)
        if allowed:
            known = {} if server is None else {"tool": server.full_name, "server": server.server.name}
            result = result.replace(duration_ms=int((monotonic() - allowed[-1]) * 1000), **known)
            result = (await self.guards.past_hooks(result, request.agent, request.agent_id)).replace(tool=call.tool)
            self.story.ran(result, monotonic() - allowed[-1], request)
        elif denied:
            result = result.replace(denied_by=denied[0].who)
        return result.replace(notes=(*notes, *result.notes)) if notes else result

    @property
    def guards(self) -> Guards:
        """Hooks, rules and the approval mode: loaded when something happens that they may have a say in."""
        if self._guards is None:
            load = export_of("pisces.host", "guarding", "Guards")
            made: Guards = load(self.places, self._options, self.kinds, self.story)
            facts, tools = (lambda: self.facts), (lambda: self.modules.runner.tools)
            made.connect(facts, self._chosen.trust, tools, self._called_by_hook)
            self._guards = made
        return self._guards

    async def _called_by_hook(self, server: str, tool: str, arguments: Mapping[str, Any]) -> str:
        """The hook was trusted with this call in it, so nobody is asked, and no hook fires for it: it could be the same
        one. Rules that deny or ask refuse it, and so does what holds for every call of a server.
        """
        request = self.servers.request(server, tool, arguments)
        against = self.guards.rule_against(request)
        if against is not None:
            raise ToolFailed(f"the hook may not call `{request.call.tool}`: {against.who} {against.why}".rstrip())
        return await self.servers.text_of_call(server, tool, arguments)

    @property
    def servers_given(self) -> Sequence[McpServer]:
        return self._options.servers

    @property
    def trust(self) -> Trust:
        return self._chosen.trust

    @property
    def servers(self) -> Servers:
        if self._servers is None:
            asked = export_of("pisces.host", "server_questions", "ServerQuestions")
            questions = asked(self, self._approve, self._options)
            self._servers = export_of("pisces.host", "servers", "Servers")(self, questions)
        return self._servers

    @property
    def instructions(self) -> tuple[InstructionPart, ...]:
        return (*self.instructing.parts, *(self.servers.instructions if self.has_servers else ()))

    @property
    def has_servers(self) -> bool:
        """What runs servers takes long to load."""
        return self._servers is not None or bool(self._options.servers) or self.kinds.has(MCP_SERVERS)

    @property
    def server_prompts(self) -> ServerPrompts:
        made: ServerPrompts = export_of("pisces.host", "server_prompts", "ServerPrompts")(self.servers)
        return made

    async def refresh(self) -> tuple[Diagnostic, ...]:
        refreshed = export_of("pisces.host", "refreshing", "refreshed")
        chosen: Chosen | None = await self.under_way.within(refreshed(self, self._options), None)
        if chosen is not None:
            self.choose(chosen)
        return self.diagnostics

    def choose(self, chosen: Chosen) -> None:
        """What the user and the project have chosen now. Modules that were required at the start stay required."""
        required = tuple(dict.fromkeys((*self._chosen.required, *chosen.required)))
        self._chosen = chosen.replace(required=required)
        entries = chosen.entries.entries
        self._brought = frozenset(entry.path for entry in entries if entry.needs_trust)
        needed = requires_modules(self.modules, entries, required)
        self._gates = ToolGates(self.modules.runner, (needed,), self.confirm, self.story.log.judged)

    def drop_skill_tool(self) -> None:
        """It is made again, with the skills that there are then."""
        runner, tool = self.modules.runner, self._skill_tool
        own = next((each for each in runner.modules if not each.path), None)
        if own is not None and tool is not None and own.tools.get(tool.name) is tool:
            del own.tools[tool.name]
            runner.add([own])
        self._has_skill_tool, self._skill_tool = False, None

    async def connect_servers(self, names: Sequence[str]) -> Mapping[str, str]:
        return await self.under_way.within(self.servers.connect(names), {})

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
        return await self.under_way.within(submitting.submitted(line), submitting.blocked(CLOSED))

    def hears(self, event: Event) -> bool:
        """Whether anybody may have a say about it. Emitting any other event changes nothing."""
        if isinstance(event, _ACTED_ON) or self.under_way.is_closed:
            return True
        return bool(self.modules.runner.listeners(type(event))) or self.guards.hooks.fires(event)

    def renew_facts(self, **facts: str) -> None:
        self.facts = self.facts.replace(**facts)

    async def emit(self, event: E) -> E:
        return await self.under_way.within(self._emitted(event), event.after_failure(CLOSED))

    async def _emitted(self, event: Any) -> Any:
        if isinstance(event, ToolCall):
            return self._gates.outcome(await self._judged(ToolRequest(event, self.facts.cwd)))
        if isinstance(event, PermissionAsked):
            return await self._permission(event)
        if isinstance(event, CwdChanged):
            self.facts = self.facts.replace(cwd=event.new_cwd)
        event = await self.modules.runner.emit(event)
        return event if event.is_settled else await self.guards.past_hooks(event)

    async def _permission(self, event: PermissionAsked, agent: str = "", agent_id: str = "") -> PermissionAsked:
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
        return await self.guards.past_hooks(event, agent, agent_id)

    async def close(self) -> None:
        """Ends what is under way, then says goodbye to the hooks. Modules hear of it when they are closed."""
        await self.under_way.close()
        if self._servers is not None:
            await self._servers.close()
        if self._guards is not None:
            await self._guards.past_hooks(SessionShutdown())
            await self._guards.close()
