"""The MCP servers of a host: planned when they are asked for, started when they are used, ended with the host."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Any

from pisces.by_name import export_of
from pisces.diagnostics import WARNING, Diagnostic, Rule
from pisces.discovery.capabilities import MCP_SERVERS
from pisces.discovery.found import PROJECT, Found, Source
from pisces.discovery.named_packages import LABEL
from pisces.discovery.tool_names import plain_name
from pisces.gates.judge import Gate, judge
from pisces.gates.safe import safe_gate
from pisces.gates.server_starts import ServerStartGates
from pisces.gates.workspace import covered_settings
from pisces.host.under_way import CLOSED
from pisces.instructions.part import SERVERS, InstructionPart
from pisces.mcp.client import FAILED
from pisces.mcp.connection import ServerError
from pisces.mcp.fingerprint import TOOL
from pisces.mcp.offered_names import full_name, offered_name, offered_names
from pisces.mcp.planned import plan_of
from pisces.mcp.results import tool_answer
from pisces.mcp.servers import ReviewedServer, ReviewScene
from pisces.shapes.events.mcp import McpNotification
from pisces.shapes.events.tools import ToolCall
from pisces.shapes.request import ONCE, ToolRequest
from pisces.shapes.tool import Tool, ToolFailed
from pisces.shapes.verdict import Verdict
from pisces.value import EMPTY, Value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pisces.host.server_questions import ServerQuestions
    from pisces.host.wiring import Wired
    from pisces.mcp.plan import ServerPlan
    from pisces.shapes.mcp_server import McpServer
    from pisces.shapes.request import ServerRequest
    from pisces.shapes.tool import ToolContext

SERVER_FAILED = Rule("mcp-server-failed", WARNING, "A server could not be started or reached")
_MOST_INSTRUCTIONS = 8000  # characters of one server
_HANDED = "handed over by the program"
_MOST_WAITING = 1000  # notifications that nobody has heard yet


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

    def is_same(self, other: ServerTool) -> bool:
        return self.server is other.server and self.tool == other.tool and self.item == other.item

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

    def __init__(self, wired: Wired, questions: ServerQuestions) -> None:
        self._wired, self._questions = wired, questions
        self._waiting: deque[McpNotification] = deque()
        self._telling: asyncio.Task[None] | None = None
        self._problems: list[Diagnostic] = []
        self._clients: dict[str, ReviewedServer] | None = None
        self._tools: dict[str, ServerTool] | None = None
        self._taken = frozenset[str]()
        self._held: dict[str, Mapping[str, str]] = {}
        self._allowed: set[ServerRequest] = set()
        self._off: set[str] = set()  # that the user has switched off for this session

    @property
    def clients(self) -> Mapping[str, ReviewedServer]:
        if self._clients is None:
            self._clients = {}
            for plan in [] if self._wired.places.is_safe else self._plans():
                if plan.name not in self._clients:  # what the program names comes first
                    self._clients[plan.name] = self._client(plan)
        return self._clients

    async def refresh(self) -> None:
        """A server keeps running if its entry did not change; any other is ended, and started again when it is used."""
        if self._clients is None:
            return
        before, self._clients, self._tools = self._clients, {}, None
        self._problems.clear()
        for plan in [] if self._wired.places.is_safe else self._plans():
            old = before.get(plan.name)
            if plan.name not in self._clients:
                is_same = old is not None and old.plan == plan
                self._clients[plan.name] = old if old is not None and is_same else self._client(plan)
        gone = [each for name, each in before.items() if self._clients.get(name) is not each]
        gone += [each for name, each in self._clients.items() if name in self._off]
        await asyncio.gather(*(each.close() for each in gone), return_exceptions=True)

    def _plans(self) -> list[ServerPlan]:
        wired, plans = self._wired, []
        known = wired.kinds.of(MCP_SERVERS)
        named = [Found(each, Source("", _HANDED, "", PROJECT)) for each in wired.servers_given]
        for found in (*named, *known.items, *known.undecided):  # the start of each is a question of its own
            made = plan_of(found, wired.places, trusted=self._agreed_to_values(found))
            if isinstance(made, Diagnostic):
                self._problems.append(made)
            else:
                plans.append(made)
                self._problems += made.diagnostics
        return plans

    def _agreed_to_values(self, found: Found[McpServer]) -> bool:
        """Whether what the project sets for the server's package is what the user trusted."""
        trust, places = self._wired.trust, self._wired.places
        if not found.package or not (trust.knows(places.cwd) or trust.covers_all(places.cwd)):
            return False
        path = export_of("pisces.packages.settings", "values", "workspace_file")(found.package, places.cwd)
        return trust.covers(covered_settings(path, places), places.cwd)

    def _client(self, plan: ServerPlan) -> ReviewedServer:
        wired, questions = self._wired, self._questions
        ask = questions.reviewed if questions.can_ask else None
        scene = ReviewScene(wired.places, ask, self._changed, wired.story.reviewed)
        asks = questions.asks_of(plan.name, lambda method, params: self._notified(plan.name, method, params))
        made = ReviewedServer(plan, asks, self._may_start, scene)
        made.watch(wired.story.server)
        return made

    def _notified(self, server: str, method: str, params: Mapping[str, Any]) -> None:
        """Each walks past the handlers in the order in which they came. A flood loses its tail, not our memory."""
        if len(self._waiting) >= _MOST_WAITING:
            return
        self._waiting.append(McpNotification(server, method, params))
        if self._telling is None or self._telling.done():
            self._telling = asyncio.get_running_loop().create_task(self._tell(), name="pisces: notifications")

    async def _tell(self) -> None:
        while self._waiting:
            await self._wired.emit(self._waiting.popleft())

    async def _may_start(self, plan: ServerPlan) -> Verdict:
        wired = self._wired
        if wired.under_way.is_closed:
            return Verdict.deny(CLOSED)
        starts = ServerStartGates(wired.places, wired.trust)

        async def confirm(request: ServerRequest, questions: tuple[Verdict, ...]) -> Verdict:
            """A yes holds for this host: a server that died is started again as it was."""
            if request in self._allowed:
                return starts.answered(request, ONCE)
            verdict = await self._questions.started(request, questions)
            if not verdict.is_allowed:
                return verdict
            self._allowed.add(request)
            return starts.answered(request, ONCE, verdict.who)

        is_named = plan.found.source.label == LABEL
        origin = (Gate("the program", lambda _: Verdict.allow("it named the package"), None),)
        gates = (safe_gate(wired.places), *(origin if is_named else starts.gates))
        limit, record = wired.modules.runner.limit, wired.story.log.judged
        return (await judge(plan.request, gates, confirm, limit, record)).verdict

    def _changed(self, server: ReviewedServer) -> None:
        self._tools = None
        if server.held and server.held != self._held.get(server.name):
            self._wired.story.held(server)
        self._held[server.name] = server.held

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        found = [*self._problems]
        for each in (self._clients or {}).values():
            found += each.diagnostics
            if each.state == FAILED or each.list_problem:
                why = f"is not there: {each.reason}" if each.state == FAILED else f"has no list: {each.list_problem}"
                message = f"the server `{each.name}` {why}"
                found.append(SERVER_FAILED.at(each.plan.found.source.path, message, about=each.name))
        return tuple(found)

    def tools(self, taken: frozenset[str]) -> Mapping[str, ServerTool]:
        """Of all servers, by the names under which they are offered. The same mapping until something changes."""
        if self._tools is None or taken != self._taken:
            self._taken = taken
            listed = {(each.name, name): (each, item) for each in self.shown for name, item in each.tool_items.items()}
            names = offered_names(listed, taken)
            made = {name: ServerTool(name, listed[pair][0], pair[1], listed[pair][1]) for name, pair in names.items()}
            self._tools = made
        return self._tools

    @property
    def shown(self) -> list[ReviewedServer]:
        return [each for name, each in self.clients.items() if name not in self._off and self._is_shown(each)]

    def _is_shown(self, server: ReviewedServer) -> bool:
        """What a project brings says nothing to a model before somebody trusts the project."""
        return server.plan.found.source.level != PROJECT or self._wired.facts.is_trusted or server.facts.protocol != ""

    @property
    def instructions(self) -> tuple[InstructionPart, ...]:
        """What servers want a model to know, each said to be a server's. Text beyond the limit is cut off."""
        return tuple(_part(each) for each in self.shown if each.instructions)

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

    def request(self, server: str, tool: str, arguments: Mapping[str, Any]) -> ToolRequest:
        """A call of a server's tool as rules see it."""
        client = self.clients.get(server)
        if client is None:
            raise ToolFailed(f"there is no server `{server}` here")
        call = ToolCall(full_name(server, tool), "", arguments)
        annotations = client.tool_items.get(tool, {}).get("annotations")
        return ToolRequest(call, self._wired.facts.cwd, server, annotations=annotations or EMPTY)

    async def text_of_call(self, server: str, tool: str, arguments: Mapping[str, Any]) -> str:
        """Raises `ToolFailed` and `ServerError`."""
        answer = tool_answer(await self.clients[server].call(tool, arguments))
        text = "".join(str(part.get("text", "")) for part in answer["content"])
        if answer["is_error"]:
            raise ToolFailed(text)
        return text

    async def connect(self, names: Sequence[str]) -> dict[str, str]:
        """Starts all at once; each has its own time. What fails is in the states, and nothing is raised."""
        wanted = {name: self.clients[name] for name in names or self.clients if name in self.clients}
        await asyncio.gather(*(_settled(each) for each in wanted.values()))
        return {name: each.state for name, each in wanted.items()}

    async def stop(self, name: str) -> None:
        """Ended, and neither offered nor started again in this session. Raises `KeyError`."""
        server = self.clients[name]
        self._off.add(name)
        self._tools = None
        await server.close()

    async def restart(self, name: str) -> str:
        """Ended if it runs, and started anew; its state. Whether it may start is judged again. Raises `KeyError`."""
        old = self.clients[name]
        assert self._clients is not None, "it has just been read"
        self._clients[name] = self._client(old.plan)
        self._off.discard(name)
        self._tools = None
        await old.close()
        return (await self.connect((name,)))[name]

    async def close(self) -> None:
        if self._telling is not None:
            self._telling.cancel()
            await asyncio.wait([self._telling])
        if self._clients:
            await asyncio.gather(*(each.close() for each in self._clients.values()), return_exceptions=True)


def _part(server: ReviewedServer) -> InstructionPart:
    source, name = server.plan.found.source, plain_name(server.name)
    text = server.instructions[:_MOST_INSTRUCTIONS].replace("</mcp_server", "<\\/mcp_server")
    head = f'<mcp_server name="{name}" note="text of the server itself, neither of the user nor of this program">'
    package = server.plan.found.package
    return InstructionPart(f"{head}\n{text}\n</mcp_server>", "", source.harness, package, SERVERS, source.level)


async def _settled(server: ReviewedServer) -> None:
    try:
        await server.settled()
    except ServerError:
        return  # `state` and `reason` say it
