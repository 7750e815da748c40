"""Plays the session of a case on Host: the model's calls are scripted, the tools are small ones of our own.

What the model is told of a call that ran is what the program's own tool would say, as far as cases go: hooks may change
it, and that is compared.
"""

from __future__ import annotations

import asyncio
import os
import shlex
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

from pisces import Host, Request, Tool, ToolCall, ToolRequest, Verdict
from pisces.events import (
    AfterModel,
    BeforeModel,
    BeforeToolSelection,
    CwdChanged,
    SessionBeforeCompact,
    SessionStart,
    SessionStop,
    SubagentStart,
    ToolBatch,
    ToolResult,
)
from pisces.gates.command_match import is_readable
from pisces.gates.hooks.firing import HookRun
from pisces.gates.tool_effects import effects_of
from pisces.shapes.verdict import Judged

Turn: TypeAlias = Sequence[Mapping[str, Any]]

MOST_REQUESTS = 30
STOP, CONTEXT = "stop", "context"
DENY = "deny"
READ_LIBERALLY, NARROWS, EVERY_COMMAND, NO_PIPES = 2, 5, 7, 8  # our rules (docs/conformance.md)


class Ran(NamedTuple):
    """What a tool gives back: the text for the model, and the result in the tool's own shape.

    `has_run` is false where the tool itself refuses: a patch that is none, for example.
    """

    text: str
    details: Any = None
    is_error: bool = False
    has_run: bool = True


class Played(NamedTuple):
    tool: str
    verdict: str
    ran_with: Any
    told: Any
    rule: int
    who: str
    told_by: int = 0  # the rule of ours by which the model is told something else


class Program(Protocol):
    """What a program's tools do and say. `refused` is its word for a call that did not run."""

    refused: str
    stops_at_start: bool

    @property
    def project_opens(self) -> bool:
        """Whether the project brings what would allow something, which counts in the program and not here."""
        ...

    @property
    def starts(self) -> bool: ...
    @property
    def can_ask(self) -> bool: ...
    def write(self) -> None: ...
    def options(self) -> dict[str, Any]: ...
    def calls_of(self, turn: Any) -> list[dict[str, Any]]: ...

    async def run(self, call: ToolCall, session: Session) -> Ran: ...
    def told(self, result: ToolResult) -> Any: ...
    def told_by_tool(self, text: str) -> Any: ...
    def told_refusal(self, verdict: Verdict, call: ToolCall, *, was_asked: bool) -> Any: ...
    def seen_input(self, call: ToolCall) -> Any: ...
    def server_of(self, tool: str) -> str: ...


class Asked:
    """`approve` of a case: answers as the case says, and remembers what was asked."""

    def __init__(self, answer: str, *, can_ask: bool, for_hooks: bool = False) -> None:
        """`for_hooks`: only what a hook asks about is asked."""
        self.calls: set[str] = set()
        self._answer = answer
        self._can_ask = can_ask
        self._for_hooks = for_hooks

    async def __call__(self, request: Request, questions: tuple[Verdict, ...]) -> bool:
        can_ask = self._can_ask or (self._for_hooks and any(" hook in " in each.who for each in questions))
        if can_ask and isinstance(request, ToolRequest):
            self.calls.add(request.call.call_id)
        return can_ask and self._answer == "allow"


class Session:
    """`turns` are what the model says, one list a request. `cwd` follows what commands do."""

    def __init__(self, host: Host, program: Program, asked: Asked, turns: Sequence[Turn]) -> None:
        self.host, self.program, self.asked = host, program, asked
        self.turns = list(turns)
        self.played: list[Played] = []
        self.context: list[str] = []
        self.requests = 0
        self.has_stopped = False
        self.runs: list[HookRun] = []
        self.env: dict[str, str] = {}
        self.cwd = host.places.cwd
        self._count = 0

    @property
    def ended_by(self) -> int:
        """The rule of the hook that ended the session before its calls."""
        blocking = [run for run in self.runs if _ends(run)]
        return next((run.answer.rule or run.loaded.rule or _rule_of_pipes(run) for run in blocking), 0)

    def _rule(self, judged: Judged) -> int:
        """By which of our rules the verdict may be stricter than the program's own."""
        said = [judged.verdict.rule, *(each.rule for each in judged.verdicts), self.ended_by]
        said += [run.answer.rule for run in self.runs]
        found = next(filter(None, said), 0) or self._rule_of_rules((judged.verdict, *judged.verdicts))
        if not found and _is_unread(judged):
            return EVERY_COMMAND
        return found or (NARROWS if self.program.project_opens else 0)

    def _rule_of_rules(self, verdicts: Sequence[Verdict]) -> int:
        """Every command of a line is seen, and what Gemini CLI excludes with arguments means something."""
        words = ("deny", "ask", "forbidden", "prompt")
        if any("tools.exclude " in verdict.who or "excludeTools " in verdict.who for verdict in verdicts):
            return READ_LIBERALLY
        by_rules = any(f" {word} " in verdict.who for verdict in verdicts for word in words)
        return EVERY_COMMAND if by_rules else 0

    async def play(self, prompts: Sequence[str]) -> None:
        if not self.program.starts:
            return
        started = await self.host.emit(SessionStart("startup"))
        self._read(started)
        if self.has_stopped and self.program.stops_at_start:
            return
        self.has_stopped = False
        for prompt in prompts:
            if prompt == "/compact":
                await self.host.emit(SessionBeforeCompact(trigger="manual"))
                continue
            submitted = await self.host.submit(prompt)
            self.context += [note.text for note in submitted.notes if note.kind == CONTEXT]
            if not submitted.blocked and not any(note.kind == STOP for note in submitted.notes):
                await self.answer(prompt)

    async def answer(self, prompt: str, agent: str = "") -> str:
        """Requests to the model until it says something without calls and nobody wants it to go on."""
        active = False
        while self.requests < MOST_REQUESTS and not self.has_stopped:
            turn = await self._request()
            if turn is None:
                return ""
            calls = [each for each in turn if "text" not in each]
            if calls:
                await self._batch(calls, agent)
                continue
            text = "".join(str(each["text"]) for each in turn)
            if agent:
                return text
            stop = await self.host.emit(SessionStop(stop_hook_active=active, last_message=text, prompt=prompt))
            active = True
            self.context += [stop.reason] if stop.reason else []
            if self._read(stop) or not (stop.blocked or stop.goes_on):
                return text
        return ""

    async def _request(self) -> Turn | None:
        request = {"model": "scripted", "messages": [{"role": "user", "content": "go"}]}
        before = await self.host.emit(BeforeModel(request))
        if before.blocked or before.response is not None:
            return None
        await self.host.emit(BeforeToolSelection(request))
        self.requests += 1
        turn = self.turns.pop(0) if self.turns else [{"text": "done"}]
        said = {"text": "".join(str(each.get("text", "")) for each in turn)}
        after = await self.host.emit(AfterModel(request, said))
        return None if after.blocked else turn

    async def _batch(self, calls: Sequence[Mapping[str, Any]], agent: str) -> None:
        for each in calls:
            await self._call(each, agent)
        made = [{"tool": each.tool, "result": each.told} for each in self.played[-len(calls) :]]
        batch = await self.host.emit(ToolBatch(made))
        if batch.blocked:
            self.has_stopped = True
        self._read(batch)

    async def _call(self, given: Mapping[str, Any], agent: str) -> None:
        self._count += 1
        tool, arguments = str(given["tool"]), given["input"]
        call = ToolCall(tool, f"toolu_{self._count}", arguments)
        self.runs.clear()
        judged = await self.host.judge(
            call, server=self.program.server_of(tool), agent=agent, agent_id="agent-1" if agent else ""
        )
        assert isinstance(judged.request, ToolRequest)
        place = len(self.played)
        was_asked = call.call_id in self.asked.calls
        self._read(judged)
        if not judged.verdict.is_allowed:
            told = self.program.told_refusal(judged.verdict, judged.request.call, was_asked=was_asked)
            word = "asked" if was_asked else self.program.refused
            verdict = judged.verdict
            self.played.append(Played(tool, word, None, told, self._rule(judged), verdict.who, verdict.rule))
            return
        allowed = judged.request.call
        word = "asked" if was_asked else "ran"
        self.played.append(Played(tool, word, None, None, self._rule(judged), judged.verdict.who))
        ran = await self.program.run(allowed, self)
        if not ran.has_run:
            told = self.program.told_by_tool(ran.text)
            self.played[place] = self.played[place]._replace(verdict=self.program.refused, told=told)
            return
        content = ({"type": "text", "text": ran.text},)
        result = ToolResult(tool, call.call_id, allowed.input, content, ran.details, ran.is_error, 1)
        result = await self.host.emit(result.replace(server=self.program.server_of(tool), notes=judged.notes))
        if result.follow_up:
            follow = ToolCall(str(result.follow_up["tool"]), call.call_id, result.follow_up["input"])
            next_call = (await self.host.judge(follow)).request
            assert isinstance(next_call, ToolRequest)
            result = result.replace(
                content=({"type": "text", "text": (await self.program.run(next_call.call, self)).text},)
            )
        self._read(result)
        self.played[place] = self.played[place]._replace(
            ran_with=self.program.seen_input(allowed),
            told=self.program.told(result),
            told_by=next((run.answer.rule for run in self.runs if run.answer.rule), 0),
        )

    async def start_agent(self, agent: str, prompt: str) -> str:
        await self.host.emit(SubagentStart("agent-1", agent, prompt))
        return await self.answer(prompt, agent)

    def _read(self, seen: Any) -> bool:
        """Takes what hooks said beside; whether one wants the session to end."""
        notes = seen.notes
        self.context += [note.text for note in notes if note.kind == CONTEXT]
        stops = any(note.kind == STOP for note in notes)
        self.has_stopped = self.has_stopped or stops
        return stops


def _ends(run: HookRun) -> bool:
    return bool(run.answer.failure) or run.answer.decision == DENY or run.answer.stop is not None


def _is_unread(judged: Judged) -> bool:
    """Whether it is a line that cannot be read plainly, or a word of it is known only when it runs: none allows it."""
    assert isinstance(judged.request, ToolRequest)
    line = effects_of(judged.request.call).line
    return line is not None and (not is_readable(line) or any(None in each.words for each in line.commands))


def _rule_of_pipes(run: HookRun) -> int:
    """A hook that left a child behind has answered all the same: Codex waits for the child, and forgets the answer."""
    has_child = " & " in run.loaded.hook.command
    return NO_PIPES if has_child and run.loaded.hook.dialect == "codex" else 0


def registered(
    name: str, required: Mapping[str, str], others: Mapping[str, Any] | None = None, *, takes_more: bool = False
) -> Tool:
    """As a program registers its tools, so that what hooks make of an input is checked. Sessions run their own.

    The types are those of JSON Schema, or whole schemas; one without a type takes anything.
    """
    properties: dict[str, Any] = {each: {"type": kind} if kind else {} for each, kind in required.items()}
    for each, kind in (others or {}).items():
        properties[each] = kind if isinstance(kind, dict) else {"type": kind} if kind else {}
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": takes_more,
    }
    return Tool(name, name, schema, lambda _arguments, _context: "")


async def shell(command: str, session: Session, program: str = "/bin/bash") -> tuple[str, int]:
    """Output and exit code. Where the command ends is where the next one begins."""
    files = "".join(f". {shlex.quote(each)}\n" for each in session.host.env_files)
    script = f"{files}{command}\ncode=$?\npwd >&3\nexit $code"
    reading, writing = os.pipe()
    env = {**session.host.places.env, **session.env}
    process = await asyncio.create_subprocess_exec(
        program,
        "-c",
        f"exec 3>&{writing}\n{script}",
        cwd=session.cwd,
        env=env,
        pass_fds=[writing],
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    os.close(writing)
    output, _ = await process.communicate()
    with os.fdopen(reading) as file:
        ended = file.read().strip()
    if ended and ended != session.cwd:
        await session.host.emit(CwdChanged(session.cwd, ended))
        session.cwd = ended
    return output.decode("utf-8", "replace"), process.returncode or 0
