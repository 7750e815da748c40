"""The MCP servers of a host: planned when they are asked for, started when they are used, ended with the host."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from pisces.diagnostics import WARNING, Diagnostic, Rule
from pisces.discovery.capabilities import MCP_SERVERS
from pisces.discovery.found import PROJECT
from pisces.gates.judge import judge
from pisces.gates.safe import safe_gate
from pisces.gates.trust import trust_gate
from pisces.mcp.client import FAILED
from pisces.mcp.connection import ServerAsks, ServerError
from pisces.mcp.fingerprint import TOOL
from pisces.mcp.offered_names import full_name, offered_name, offered_names
from pisces.mcp.planned import plan_of
from pisces.mcp.results import tool_answer
from pisces.mcp.servers import ReviewedServer, ReviewScene
from pisces.shapes.tool import Tool, ToolFailed
from pisces.value import EMPTY, Value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pisces.host.wiring import Wired
    from pisces.mcp.plan import ServerPlan
    from pisces.shapes.request import ToolRequest
    from pisces.shapes.tool import ToolContext
    from pisces.shapes.verdict import Verdict

SERVER_FAILED = Rule("mcp-server-failed", WARNING, "A server could not be started or reached")
UNKNOWN_SERVER = "there is no server `{}` here"


class ServerTool(Value):
    """A tool that is offered as `name`: of which server, and what it is called there."""

    name: str
    server: ReviewedServer
    tool: str
    item: Mapping[str, Any]

    @property
    def full_name(self) -> str:
        return full_name(self.server.name, self.tool)

    @property
    def annotations(self) -> Mapping[str, Any]:
        found = self.item.get("annotations")
        return found if isinstance(found, dict) else EMPTY

    def made(self) -> Tool:
        schema = self.item.get("inputSchema")
        title = self.item.get("title") or self.annotations.get("title") or ""
        return Tool(
            self.name,
            str(self.item.get("description") or ""),
            schema if isinstance(schema, dict) else {"type": "object"},
            self._run,
            label=str(title),
            hints=self.annotations,
        )

    async def _run(self, arguments: Mapping[str, Any], context: ToolContext | None = None) -> Any:
        def progress(done: float, whole: float | None, text: str) -> None:
            if context is not None:
                context.update({"progress": done, "total": whole, "message": text})

        try:
            return tool_answer(await self.server.call(self.tool, arguments, progress))
        except ServerError as error:
            raise ToolFailed(str(error)) from None


class Servers:
    """`clients` are those that are in force, by name. In safe mode there are none."""

    def __init__(self, wired: Wired) -> None:
        self._wired = wired
        self._problems: list[Diagnostic] = []
        self._clients: dict[str, ReviewedServer] | None = None
        self._tools: dict[str, ServerTool] | None = None
        self._taken = frozenset[str]()

    @property
    def clients(self) -> Mapping[str, ReviewedServer]:
        if self._clients is None:
            self._clients = {}
            for plan in [] if self._wired.places.is_safe else self._plans():
                self._clients[plan.name] = self._client(plan)
        return self._clients

    def _plans(self) -> list[ServerPlan]:
        wired, plans = self._wired, []
        for found in wired.kinds.of(MCP_SERVERS).items:
            made = plan_of(found, wired.places, trusted=wired.facts.is_trusted)
            if isinstance(made, Diagnostic):
                self._problems.append(made)
            else:
                plans.append(made)
                self._problems += made.diagnostics
        return plans

    def _client(self, plan: ServerPlan) -> ReviewedServer:
        scene = ReviewScene(self._wired.places, changed=self._changed)
        return ReviewedServer(plan, ServerAsks(roots=self._roots), self._may_start, scene)

    def _roots(self) -> Sequence[str]:
        """The workspace, and nothing else: whoever may be started may know where."""
        return (self._wired.places.cwd,)

    async def _may_start(self, plan: ServerPlan) -> Verdict:
        wired = self._wired
        gates = (safe_gate(wired.places), trust_gate(wired.trust, wired.places))
        limit, record = wired.modules.runner.limit, wired.story.log.judged
        return (await judge(plan.request, gates, wired.confirm, limit, record)).verdict

    def _changed(self, _server: ReviewedServer) -> None:
        self._tools = None

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        found = [*self._problems]
        for each in (self._clients or {}).values():
            found += each.diagnostics
            if each.state == FAILED:
                message = f"the server `{each.name}` is not there: {each.reason}"
                found.append(SERVER_FAILED.at(each.plan.found.source.path, message, about=each.name))
        return tuple(found)

    def tools(self, taken: frozenset[str]) -> Mapping[str, ServerTool]:
        """Of all servers, by the names under which they are offered. The same mapping until something changes."""
        if self._tools is None or taken != self._taken:
            self._taken = taken
            shown = [each for each in self.clients.values() if self._is_shown(each)]
            listed = {(each.name, name): (each, item) for each in shown for name, item in each.tool_items.items()}
            names = offered_names(listed, taken)
            made = {name: ServerTool(name, listed[pair][0], pair[1], listed[pair][1]) for name, pair in names.items()}
            self._tools = made
        return self._tools

    def _is_shown(self, server: ReviewedServer) -> bool:
        """What a project brings says nothing to a model before somebody trusts the project."""
        return server.plan.found.source.level != PROJECT or self._wired.facts.is_trusted or server.facts.protocol != ""

    def held(self, name: str) -> str:
        """What a model reads that calls a tool which is held; empty for any other name."""
        for each in self.clients.values():
            for key in each.held:
                if key.startswith(f"{TOOL} ") and offered_name(each.name, key.partition(" ")[2]) == name:
                    return each.held_text(key)
        return ""

    def is_unasked(self, request: ToolRequest) -> bool:
        """Whether the user's own settings let this tool run without a question."""
        client = self.clients.get(request.server)
        tool = request.call.tool.removeprefix(full_name(request.server, ""))
        return client is not None and (client.plan.is_unasked or tool in client.plan.unasked)

    async def connect(self, names: Sequence[str]) -> dict[str, str]:
        """Starts all at once; each has its own time. What fails is in the states, and nothing is raised."""
        wanted = {name: self.clients[name] for name in names or self.clients if name in self.clients}
        await asyncio.gather(*(_settled(each) for each in wanted.values()))
        return {name: each.state for name, each in wanted.items()}

    async def close(self) -> None:
        if self._clients:
            await asyncio.gather(*(each.close() for each in self._clients.values()), return_exceptions=True)


async def _settled(server: ReviewedServer) -> None:
    try:
        await server.settled()
    except ServerError:
        return  # `state` and `reason` say it
