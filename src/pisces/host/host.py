"""`Host`: what other Python programs embed.

    async with Host.open(cwd, approve=ask) as host:
        verdict = (await host.judge(ToolCall("Bash", "call-1", {"command": "ls"}))).verdict

Everything that was found, trusted and wired for one workspace, with no model in it. Nothing of the process is touched:
stdout, signal handlers and the event loop stay as they are, and several hosts may be open at once. Importing this costs
nothing, and opening a host little: where no module runs, what runs is loaded with the first use of the host.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.host.options import HostOptions
from pisces.places import Places, places_here

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractAsyncContextManager
    from typing import Any, Self, TypeVar, Unpack

    from pisces.audit.log import AuditLog
    from pisces.commands.names.catalog import Catalog
    from pisces.diagnostics import Diagnostic
    from pisces.discovery.capability import Capability
    from pisces.discovery.found import Found, Kind
    from pisces.host.opening import Opening
    from pisces.host.options import Approve, OpenOptions
    from pisces.host.server_prompts import ServerPrompt
    from pisces.host.submitting import Submitted
    from pisces.host.wiring import Wired
    from pisces.instructions.part import InstructionPart
    from pisces.instructions.skills import SkillIndex
    from pisces.mcp.servers import ReviewedServer
    from pisces.modules.loaded_module import SlashCommand
    from pisces.shapes.event import Event
    from pisces.shapes.events.tools import ToolCall, ToolResult
    from pisces.shapes.note import Note
    from pisces.shapes.prompt import Part
    from pisces.shapes.subagent import Subagent
    from pisces.shapes.tool import Tool
    from pisces.shapes.verdict import Judged, Verdict

    E = TypeVar("E", bound=Event)


HOST_FOLDER = Rule("host-folder", ERROR, "A host was to be opened where there is no folder")


class Host:
    """Made by `Host.open`."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening

    @property
    def _wired(self) -> Wired:
        return self._opening.wired

    @classmethod
    def open(
        cls, where: str | Places, approve: Approve, **options: Unpack[OpenOptions]
    ) -> AbstractAsyncContextManager[Self]:
        """An open host for the time of an `async with` block. `where` is the workspace: a folder, or Places.

        `approve(request, questions)` is asked last, about what nobody decided: it returns True or False, or a Verdict,
        or an awaitable of one. Whatever it raises is a no. `HostOptions` says what the options mean. Raises
        `PiscesError` for a workspace that is no folder, for a named package that is none and for an unknown mode, and
        `TypeError` for an `approve` that cannot be called. Whatever else is wrong, a named module that does not load
        for one, is one of `diagnostics`.
        """
        places = where if isinstance(where, Places) else places_here(where)
        if not callable(approve):
            raise TypeError("`approve` must be a function: it decides about what nobody else has decided")
        if not os.path.isdir(places.cwd):
            raise PiscesError(HOST_FOLDER.at(places.cwd, "there is no such folder", hint="name the workspace's folder"))
        opening: AbstractAsyncContextManager[Self] = export_of("pisces.host", "opening", "open_host")(
            cls, places, approve, HostOptions(**options)
        )
        return opening

    @property
    def places(self) -> Places:
        return self._wired.places

    @property
    def is_closed(self) -> bool:
        """From then on every call is denied, and events walk past nobody."""
        return self._opening.is_closed

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is wrong with what was read so far; kinds are read when they are asked for."""
        return self._wired.diagnostics

    @property
    def module_errors(self) -> tuple[Diagnostic, ...]:
        """Why modules do not run; each is one of `diagnostics`, too."""
        return self._wired.modules.errors

    @property
    def mode(self) -> str:
        """The approval mode: ask, edits, plan or all."""
        return self._wired.facts.mode

    @mode.setter
    def mode(self, mode: str) -> None:
        """For the user alone: nothing that was found can reach this."""
        self._wired.choose_mode(mode)

    @property
    def plan_folder(self) -> str:
        """Where plans are written: in the mode `plan`, texts in this folder may be changed and nothing else."""
        return self._wired.guards.plan_folder

    @property
    def is_trusted(self) -> bool:
        """Whether somebody has trusted the workspace: what it brings is used only then."""
        return self._wired.facts.is_trusted

    @property
    def instructions(self) -> tuple[InstructionPart, ...]:
        """Parts of the system prompt: context files, the index of skills, subagents, what servers say of themselves.
        Each has its text, source and tokens. Nothing of a workspace that is not trusted is in it.
        """
        return self._wired.instructions

    @property
    def tools(self) -> Mapping[str, Tool]:
        """What a model may call, by name: tools of modules, of the program itself, of servers, and `activate_skill`.

        A tool that a rule denies whatever its input is not offered. Modules may bring more at any time. Tools of MCP
        servers are `server__tool`: those that are remembered, and after `connect` those that the server has now.
        """
        return self._wired.tools

    @property
    def denied_tools(self) -> Mapping[str, Verdict]:
        """Tools that are not offered because a rule denies them whatever their input is, each with who does."""
        return self._wired.denied_tools

    @property
    def servers(self) -> Mapping[str, ReviewedServer]:
        """The MCP servers that are in force here, by name. Each has its `state`, the `reason` of it, the `facts` that
        it gave of itself, what is `offered` and what is `held`. Nothing is started to know that.
        """
        return self._wired.servers.clients

    @property
    def has_servers(self) -> bool:
        """Whether there is any. To know that, nothing is loaded that runs them."""
        return self._wired.has_servers

    @property
    def server_prompts(self) -> Mapping[str, ServerPrompt]:
        """Prompts of servers, which the user types as commands: `/server:prompt`. From memory first, as `tools` are."""
        return self._wired.server_prompts.listed

    async def read_resource(self, server: str, uri: str) -> tuple[Part, ...]:
        """What a server has at an address. Raises `PiscesError` where it gives nothing."""
        return await self._wired.server_prompts.read(server, uri)

    async def connect(self, *names: str) -> Mapping[str, str]:
        """Starts these servers, or all, at the same time, each within its own time; the state of each.

        A server is started by the first call of one of its tools, too. Never raises for a server that fails.
        """
        return await self._wired.connect_servers(names)

    async def stop_server(self, name: str) -> None:
        """Ends a server; until `restart_server` nothing of it is offered in this session. Raises `KeyError`."""
        await self._wired.servers.stop(name)

    async def restart_server(self, name: str) -> str:
        """Ends a server if it runs and starts it anew, past the same gates; its state. Raises `KeyError`."""
        return await self._wired.servers.restart(name)

    @property
    def commands(self) -> Catalog:
        """Slash commands of files and packages. Those of modules are in `module_commands`."""
        return self._wired.submitting.catalog

    @property
    def module_commands(self) -> Mapping[str, SlashCommand]:
        return self._wired.modules.runner.commands

    @property
    def env_files(self) -> tuple[str, ...]:
        """Shell files with variables that hooks left for later commands: source them before a command of the model."""
        return self._wired.guards.hooks.env_files

    def late_notes(self) -> tuple[Note, ...]:
        """What hooks in the background have said since the last time: for the next request to the model."""
        return self._wired.guards.hooks.late_notes()

    def found(self, capability: Capability[Kind]) -> tuple[Found[Kind], ...]:
        """What is in force here of a kind: `host.found(SKILLS)`. The capabilities are names of `pisces`."""
        return self._wired.kinds.of(capability).items

    async def judge(self, call: ToolCall, *, server: str = "", agent: str = "", agent_id: str = "") -> Judged:
        """For agents with tools of their own: the call as it may run, or who denied it and why.

        `judged.request.call` is what may run, with every change; `judged.notes` are for the model and the user.
        `server` is the MCP server of the tool, `agent` the subagent that calls it. Afterwards emit a `ToolResult`.
        """
        return await self._wired.judge(call, server, agent, agent_id)

    def rule_against(self, call: ToolCall) -> Verdict | None:
        """The rule that denies a call or asks about it, if one does. Nobody is asked, and no hook runs: for tools that
        look at many files, each of which a rule may be about.
        """
        request = export_of("pisces.shapes", "request", "ToolRequest")(call, self._wired.facts.cwd)
        return self._wired.guards.rule_against(request)

    async def call(
        self, name: str, arguments: Mapping[str, Any], call_id: str = "", *, agent: str = "", agent_id: str = ""
    ) -> ToolResult:
        """One call of a tool in `tools`: judged, validated, run, its result walked past everybody.

        `agent` is the subagent that calls it. Never raises for what the tool does: every failure is a ToolResult whose
        text is for the model.
        """
        return await self._wired.call(name, arguments, call_id, agent, agent_id)

    async def submit(self, line: str) -> Submitted:
        """What the user typed: a prompt for the model, the output of a program or of a module's command, or blocked.

        `/name ...` is a command; any other line is a prompt as it is. Raises `PiscesError` for a command that does not
        exist or whose file cannot be read.
        """
        return await self._wired.submit(line)

    @property
    def skills(self) -> SkillIndex:
        """The skills that a model may activate, and those that only the user may, of what is trusted here."""
        return self._wired.instructing.skills

    @property
    def subagents(self) -> tuple[Found[Subagent], ...]:
        """The subagents that `instructions` name: those in force, of what is trusted here."""
        return self._wired.instructing.subagents

    def use_subagent(self, found: Found[Subagent]) -> None:
        """From now on the hooks in its header fire inside it."""
        self._wired.guards.add_hooks_of_agent(found)

    async def activate_skill(self, name: str, args: str = "") -> str:
        """The text of a skill, with its folder's resources listed. From now on its hooks fire.

        Raises `PiscesError` for a name that no skill has, and for a line in it that was denied.
        """
        return await self._wired.instructing.activate(name, args)

    @property
    def audit(self) -> AuditLog:
        """What was loaded, judged, asked and run, in this session and before: `host.audit.records()`."""
        return self._wired.story.log

    def remember(self, rules: Sequence[Mapping[str, str]], lasting: str) -> None:
        """Rules that the user gave as an answer to a question, for the `session` or `always`. For the user alone.

        Raises `PiscesError` where they cannot be stored.
        """
        self._wired.guards.remember(rules, lasting)

    def hears(self, event: Event) -> bool:
        """Whether anybody listens to such an event. One that nobody hears need not be emitted, which costs less."""
        return self._wired.hears(event)

    def renew_facts(self, **facts: str) -> None:
        """What hooks learn about the session from now on: its `id`, its `transcript`, its `model`."""
        self._wired.renew_facts(**facts)

    async def emit(self, event: E) -> E:
        """The event as the last handler or hook left it. A `ToolCall` is judged: see `judge` for who decided."""
        return await self._wired.emit(event)

    async def refresh(self) -> tuple[Diagnostic, ...]:
        """Everything that was found is read again, with trust as it is now: commands, skills, subagents, hooks, rules,
        servers, context, settings, modules. What is wrong with it now.

        Connections to servers whose entry did not change, the approval mode and what was allowed in this session stay.
        """
        return await self._wired.refresh()

    @property
    def module_paths(self) -> tuple[str, ...]:
        """The files of the modules that are loaded, in the order in which their handlers are called."""
        return tuple(each.path for each in self._wired.modules.runner.modules if os.path.isabs(each.path))

    async def reload(self, path: str) -> Sequence[Diagnostic]:
        """Loads one module again; what is wrong with it if it does not load, and then the old one stays."""
        return await self._wired.modules.reload(path)
