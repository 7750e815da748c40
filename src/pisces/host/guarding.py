"""What guards tool calls in a host beside modules: hooks, rules, and the approval mode. Read when first needed."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from pisces.by_name import export_of
from pisces.discovery.capabilities import PACKAGES
from pisces.discovery.package_format import all_formats
from pisces.gates.allowed_parts import allowed_in_parts
from pisces.gates.approval_mode import mode_verdict, writes_obeyed
from pisces.gates.hooks.agreed import as_agreed
from pisces.gates.hooks.engine import HookSet
from pisces.gates.hooks.firing import HookCallbacks
from pisces.gates.hooks.found_hooks import found_hooks, hooks_of_package, hooks_untrusted
from pisces.gates.hooks.header_hooks import header_hooks, inside_agent
from pisces.gates.hooks.loaded_dialects import dialect_of
from pisces.gates.judge import Gate
from pisces.gates.rulebook import SAID, RuleScene, ToolUse
from pisces.gates.rules import WHO as RULES, denied_tool, rulebooks, rules_gate
from pisces.gates.user_rules import store_rules
from pisces.host.taken_name import MOST_NAMES, has_taken_name, spelled_for_hooks
from pisces.modules.tool_arguments import misfits_of
from pisces.shapes.event import Event
from pisces.shapes.events.permissions import PermissionAsked
from pisces.shapes.events.tools import ToolCall, ToolResult
from pisces.shapes.note import Note
from pisces.shapes.request import ALWAYS, SESSION, Request, ToolRequest
from pisces.shapes.session_facts import MODE_PLAN, SessionFacts
from pisces.shapes.tool import Tool
from pisces.shapes.verdict import ALLOW, ASK, Judged, Verdict

if TYPE_CHECKING:
    from pisces.diagnostics import Diagnostic
    from pisces.discovery.found import Found
    from pisces.formats.json_keywords import SchemaMisfit
    from pisces.gates.hooks.dialect import LoadedHook
    from pisces.gates.hooks.run_callback import CallTool
    from pisces.gates.judge import Answer
    from pisces.gates.rulebook import Rulebook
    from pisces.gates.trusted import Trust
    from pisces.host.kinds import Kinds
    from pisces.host.options import HostOptions
    from pisces.host.story import Story
    from pisces.places import Places

E = TypeVar("E", bound=Event)

_HOOKS = "hooks"


class Guards:
    """`facts` is asked for each call: the current folder and the mode may change."""

    def __init__(self, places: Places, options: HostOptions, kinds: Kinds, story: Story) -> None:
        self._places, self._options, self._kinds, self._story = places, options, kinds, story
        self._hooks: HookSet | None = None
        self._found: list[LoadedHook] = []
        self._books: tuple[Rulebook, ...] | None = None
        self._plans = ""
        self._answers: tuple[Mapping[str, str], ...] = ()
        self.diagnostics: list[Diagnostic] = []

    def connect(
        self,
        facts: Callable[[], SessionFacts],
        trust: Trust,
        tools: Callable[[], Mapping[str, Tool]],
        call_server: CallTool,
    ) -> None:
        self._facts, self._trust, self._tools = facts, trust, tools
        self._call_server = self._options.call_server or call_server

    @property
    def hooks(self) -> HookSet:
        if self._hooks is None:
            options = self._options
            report, fired = self.diagnostics.append, self._story.fired
            callbacks = HookCallbacks(options.complete, self._call_server, report, fired)
            self._found = self._found_hooks()
            self._hooks = HookSet(self._found, self._facts, self._places.env, callbacks)
        return self._hooks

    def refresh(self, trust: Trust) -> None:
        """Rules and hooks are read again: rules with the next call, hooks now."""
        self._trust, self._books, self._plans = trust, None, ""
        self.diagnostics.clear()
        if self._hooks is not None:
            before, self._found = self._found, self._found_hooks()
            self._hooks.replace(before, self._found)

    @property
    def books(self) -> tuple[Rulebook, ...]:
        if self._books is None:
            packages = (*self._kinds.of(PACKAGES).items, *self._kinds.shadowed)
            scene = RuleScene(self._places, self._kinds.run, packages, self._facts().is_trusted, self._answers)
            self._books = rulebooks(scene)
            self.diagnostics += [problem for book in self._books for problem in book.diagnostics]
        return self._books

    def remember(self, rules: Sequence[Mapping[str, str]], lasting: str) -> None:
        """Rules that the user gave as an answer. Those that last are in a file, which counts only where files do."""
        if lasting == ALWAYS:
            store_rules(self._places, rules)
        if lasting == SESSION or not self._options.discover:
            self._answers = (*self._answers, *rules)
        self._books = None

    def rule_against(self, request: ToolRequest) -> Verdict | None:
        """The rule that does not let a call run unasked; None where no rule speaks, or one allows it."""
        found: Any = self._rules().call(request)
        return found if isinstance(found, Verdict) and not found.is_allowed else None

    def denied_tool(self, name: str, server: str = "") -> Verdict | None:
        """Who denies a tool whatever its input is."""
        return denied_tool((*self.books, *self._options.rules), name, server)

    def _found_hooks(self) -> list[LoadedHook]:
        """None in safe mode."""
        if self._places.is_safe:
            return []
        loaded = [
            each
            for folder in self._options.packages
            for each in hooks_of_package(self._places.absolute(folder), self._places)
        ]
        for path in self._options.hooks:
            loaded += export_of("pisces.gates.hooks", "named_hooks", "hooks_of_file")(path, self._places)
        if self._options.discover:
            found = found_hooks(self._places, self._trust, self._kinds.run, self._kinds.switches)
            self.diagnostics += found.diagnostics
            loaded += [each for each in found.loaded if not self._is_replaced(each)]
        self._story.loaded_hooks(loaded)
        return loaded

    def _is_replaced(self, each: LoadedHook) -> bool:
        """Whether a package that the program names takes its place. A name is no reason to lose a guard of another."""
        if each.package not in {package.name for package in self._kinds.named.packages}:
            return False
        folders = [os.path.realpath(self._places.absolute(folder)) for folder in self._options.packages]
        dialect = dialect_of(each.hook.dialect)
        return os.path.realpath(each.folder) in folders or dialect is None or not dialect.can_block(each.hook.event)

    def add_hooks_of(self, found: Found) -> None:
        """Of the header of a skill or an agent that is used from now on. A named package has the id of its format."""
        self.hooks.add(self._header_hooks(found))

    def add_hooks_of_agent(self, found: Found) -> None:
        """They fire inside it only. Harnesses ignore those of agents that packages bring, and so do we."""
        if not found.package:
            self.hooks.add(inside_agent(each, found.item.name) for each in self._header_hooks(found))

    def _header_hooks(self, found: Found) -> tuple[LoadedHook, ...]:
        if not found.item.hooks:
            return ()
        harnesses = {each.id: each.harness for each in all_formats()}
        dialect = harnesses.get(found.source.harness, found.source.harness)
        made = header_hooks(found.item, found.source, dialect)
        agreed = [as_agreed(each, self._trust, self._places, found.package) for each in made]
        left_out = [each.hook.event for each, one in zip(made, agreed, strict=True) if one is None]
        if left_out:
            self._report(hooks_untrusted(found.item.path, left_out))
        return tuple(each for each in agreed if each is not None)

    def _report(self, problem: Diagnostic) -> None:
        """A skill may be used twice."""
        if problem not in self.diagnostics:
            self.diagnostics.append(problem)

    def gates(self, notes: list[Note]) -> tuple[Gate, ...]:
        """For one call: `notes` gets what hooks say beside."""
        hooks, rules = self.hooks, [self._rules()]
        if self._options.rules:
            rules.append(rules_gate(self._options.rules, self._facts))
        if self._facts().mode == MODE_PLAN:
            rules.append(Gate(f"approval mode {MODE_PLAN}", self._planned, None))
        if not hooks.loaded:
            return tuple(rules)

        async def judged(request: ToolRequest, call: ToolCall) -> Answer:
            name = request.call.tool
            fit = partial(self._fitted, name=name)
            answer = _named_again(await hooks.judged(request.replace(call=call), notes, fit), name)
            return self._meant(request, answer)

        def asked(request: Request, number: int) -> Awaitable[Answer] | None:
            if not isinstance(request, ToolRequest):
                return None
            calls = spelled_for_hooks(request.call, request.server)[number : number + 1]
            return judged(request, calls[0]) if calls and hooks.fires(calls[0]) else None

        by_name = (Gate(_HOOKS, partial(asked, number=number), None) for number in range(MOST_NAMES))
        return (*by_name, *rules)

    def _meant(self, request: ToolRequest, answer: Answer) -> Answer:
        """Without an allow that may be meant for another tool, or that is about a file that programs obey."""
        verdict = answer.verdict if isinstance(answer, Judged) else answer
        if not isinstance(verdict, Verdict) or not verdict.is_allowed:
            return answer
        final = answer.request if isinstance(answer, Judged) else request
        is_delicate = isinstance(final, ToolRequest) and writes_obeyed(final.call, self._facts())
        if not is_delicate and not has_taken_name(request):
            return answer
        return answer.request if isinstance(answer, Judged) else None

    def _rules(self) -> Gate:
        """In a host that looks for nothing, what settings say can narrow and never allow."""
        rules = rules_gate(self.books, self._facts)
        if self._options.discover:
            return rules

        def narrowed(request: ToolRequest) -> Answer:
            verdict: Any = rules.call(request)
            is_open = verdict is not None and verdict.is_allowed and not verdict.who.startswith(SAID)
            return None if is_open else verdict

        return rules.replace(call=narrowed)

    def _planned(self, request: Request) -> Verdict | None:
        """While a plan is made, no rule and no hook can let something change: the mode is a gate of its own."""
        verdict = self.mode_verdict(request) if isinstance(request, ToolRequest) else None
        return None if verdict is None or verdict.is_allowed else verdict

    def _fitted(self, call: ToolCall, name: str) -> ToolCall | Sequence[SchemaMisfit]:
        """A changed call as its tool takes it, if the tool of this name is known here; else what does not fit."""
        tool = self._tools().get(name)
        if tool is None:
            return call
        given = _known(call.input, tool)
        return misfits_of(tool, given) or call.replace(input=given)

    def mode_verdict(self, request: ToolRequest) -> Verdict:
        """What the approval mode says where no gate has spoken."""
        facts = self._facts()
        if facts.mode == MODE_PLAN:
            facts = facts.replace(plans=self.plan_folder)
        use = ToolUse(request.call, facts, request.server, request.annotations)
        verdict = mode_verdict(use)
        if verdict.decision == ASK and self._options.discover and allowed_in_parts(use, self.books):
            return Verdict(ALLOW, RULES, "each of its commands is allowed, or only reads")
        return verdict

    @property
    def plan_folder(self) -> str:
        """The one folder that the mode `plan` leaves open."""
        if not self._plans:
            packages = [each.item for each in self._kinds.of(PACKAGES).items]
            self._plans = export_of("pisces.gates", "plan_folder", "plan_folder")(self._places, packages)
        return self._plans

    async def past_hooks(self, event: E, agent: str = "", agent_id: str = "") -> E:
        """`agent` is the subagent in which it happens."""
        if not self.hooks.loaded:
            return event
        facts = self._facts().replace(agent=agent, agent_id=agent_id) if agent or agent_id else None
        if isinstance(event, ToolResult) and event.server:
            after: Any = event
            for spelled in spelled_for_hooks(event, event.server):
                after = await self.hooks.emit(after.replace(tool=spelled.tool), facts)
            named: E = after.replace(tool=event.tool)
            return named
        if isinstance(event, PermissionAsked):
            return await self.hooks.emit(event, facts, partial(self._fitted, name=event.tool))
        return await self.hooks.emit(event, facts)

    async def close(self) -> None:
        if self._hooks is not None:
            await self._hooks.close()


def _named_again(answer: Answer, tool: str) -> Answer:
    """With the name under which the call was made."""
    if isinstance(answer, Judged) and isinstance(answer.request, ToolRequest):
        return answer.replace(request=_named_again(answer.request, tool))
    return answer.replace(call=answer.call.replace(tool=tool)) if isinstance(answer, ToolRequest) else answer


def _known(given: Mapping[str, Any], tool: Tool) -> Mapping[str, Any]:
    """Without arguments that the tool says it does not take: hooks are written for programs that drop them."""
    properties = tool.parameters.get("properties")
    if tool.parameters.get("additionalProperties") is not False or not isinstance(properties, Mapping):
        return given
    return {name: value for name, value in given.items() if name in properties}
