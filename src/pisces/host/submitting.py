"""What the user typed becomes a prompt, or runs: a prompt file is expanded, a program run, a module's command called.

Files are read and programs run in a thread of their own, so that the event loop never waits. Every question goes to the
same gates as a tool call.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from pisces.commands.names.catalog import Catalog, catalog as named_commands, catalog_of
from pisces.commands.names.resolve import Invocation, resolve
from pisces.commands.programs.executable import Call, Ready, Wishes, ready
from pisces.commands.programs.failure import failure
from pisces.commands.prompts.expansion import Expansion
from pisces.commands.prompts.prompt_file import expanded_prompt
from pisces.commands.prompts.skill_prompt import expanded_skill
from pisces.diagnostics import Diagnostic
from pisces.discovery.capabilities import COMMANDS
from pisces.discovery.safe_mode import refuse_in_safe_mode
from pisces.gates.judge import judge as judge_all
from pisces.gates.lines import LineGates
from pisces.gates.programs import ProgramGates
from pisces.gates.safe import safe_gate
from pisces.instructions.activated_skill import ActivatedSkill
from pisces.processes.clean import Cleaner, cleaned
from pisces.processes.launch import ERR, OUT
from pisces.processes.run import run
from pisces.shapes.events.agent import Input, PromptExpansion
from pisces.shapes.events.surroundings import CommandUpdate, ModuleFailed
from pisces.shapes.note import Note
from pisces.shapes.prompt import Part, Prompt
from pisces.shapes.request import ONCE, ProgramRequest, Request
from pisces.shapes.verdict import Judged, Verdict
from pisces.value import Value

if TYPE_CHECKING:
    from pisces.host.options import HostOptions
    from pisces.host.server_prompts import ServerPrompt
    from pisces.host.wiring import Wired
    from pisces.processes.ended import Ended
    from pisces.shapes.verdict import Judge

Answer = TypeVar("Answer")

MOST_OUTPUT = 16 * 1024 * 1024


class ProgramOutput(Value):
    """`problem` says what went wrong; None where the program ended well. Both texts have no escape codes in them."""

    stdout: str
    stderr: str
    exit_code: int | None
    seconds: float
    problem: Diagnostic | None = None


class Submitted(Value):
    """What came of a line. One of these is set: `prompt` for the model, the `output` of a program, `blocked` with the
    reason. None of them is where a module took care of the line; `answer` is what its command returned.

    `failed` is set where that command failed. `notes` are what hooks and modules said beside.
    """

    prompt: Prompt | None = None
    output: ProgramOutput | None = None
    blocked: str = ""
    answer: Any = None
    notes: tuple[Note, ...] = ()
    failed: ModuleFailed | None = None


class Submitting:
    """The commands of a workspace, for an open host. They are looked for when the first line is submitted."""

    def __init__(self, wired: Wired, options: HostOptions) -> None:
        self._wired, self._options = wired, options
        self._lines, self._programs = LineGates(wired.places), ProgramGates(wired.places)
        self._catalog: Catalog | None = None

    @property
    def catalog(self) -> Catalog:
        if self._catalog is None:
            kinds, options = self._wired.kinds, self._options
            if options.discover:
                found = named_commands(self._wired.places, kinds.switches, options.packages)
            else:
                found = catalog_of(kinds.of(COMMANDS).items, ())
            self._catalog = found
        return self._catalog

    def refresh(self) -> None:
        """Commands are looked for again with the next line; what was allowed in this session stays allowed."""
        self._catalog = None

    @staticmethod
    def blocked(why: str) -> Submitted:
        return Submitted(blocked=why)

    async def submitted(self, line: str) -> Submitted:
        event = await self._wired.emit(Input(line))
        if event.blocked:
            return Submitted(blocked=event.reason or "it was blocked", notes=tuple(event.notes))
        if event.handled:
            return Submitted(notes=tuple(event.notes))
        text = event.text.strip()
        made = await self._command(text) if text.startswith("/") else await self._line(event.text)
        return made.replace(notes=(*event.notes, *made.notes))

    async def _line(self, text: str) -> Submitted:
        """A prompt as it is, with the resources of servers that it names."""
        if "@" not in text:
            return Submitted(Prompt((Part(text),)))
        return Submitted(await self._wired.server_prompts.with_resources(text))

    async def _command(self, text: str) -> Submitted:
        name, _, args = text[1:].partition(" ")
        runner = self._wired.modules.runner
        command = runner.commands.get(name)
        if command is not None:
            answer = await runner.call_command(command, args.strip())
            return Submitted(failed=answer) if isinstance(answer, ModuleFailed) else Submitted(answer=answer)
        refuse_in_safe_mode(self._wired.places, f"the command `/{name}`")
        if (":" in name or name.startswith("mcp__")) and name not in self.catalog.names:
            prompt = self._wired.server_prompts.named(name)
            if prompt is not None:
                return await self._of_server(prompt, args.strip(), text)
        invocation = resolve(text, self.catalog)
        if invocation.entry.command.executable is None:
            return await self._prompt(invocation)

        output, story = CapturedOutput(invocation.entry.name, self._options.watch_commands), self._wired.story

        def run_it(judge: Judge, is_stopped: Callable[[], bool]) -> ProgramOutput:
            with ready(Call(invocation, self._wired.places, judge, None, Wishes(output=MOST_OUTPUT))) as made:
                ended = output.run(made, is_stopped)
            story.ran_program(invocation.entry.name, made, ended)
            return output.made(made, ended)

        return Submitted(output=await in_thread(run_it, self._judged))

    async def _prompt(self, invocation: Invocation) -> Submitted:
        entry, wired = invocation.entry, self._wired
        expansion = PromptExpansion(entry.name, invocation.args, "prompt", entry.origin, invocation.raw)
        event = await wired.emit(expansion)
        if event.blocked:
            return Submitted(blocked=event.reason or "it was blocked", notes=tuple(event.notes))

        def expand(judge: Judge, _is_stopped: Callable[[], bool]) -> Prompt:
            return expanded_prompt(Expansion(entry.command, invocation.raw, invocation.args, wired.places, judge))

        wired.instructing.use_at(entry.command.path)
        return Submitted(await in_thread(expand, self._judged), notes=tuple(event.notes))

    async def _of_server(self, prompt: ServerPrompt, args: str, raw: str) -> Submitted:
        event = await self._wired.emit(PromptExpansion(prompt.name, args, "mcp_prompt", prompt.server.name, raw))
        if event.blocked:
            return Submitted(blocked=event.reason or "it was blocked", notes=tuple(event.notes))
        return Submitted(await self._wired.server_prompts.made(prompt, args), notes=tuple(event.notes))

    async def expanded_skill(self, skill: ActivatedSkill, args: str) -> str:
        """The instructions of a skill with its placeholders filled in; a line in it runs past the same gates."""
        places = self._wired.places
        return await in_thread(lambda judge, _stop: expanded_skill(skill, args, places, judge), self._judged)

    async def _judged(self, request: Request) -> Judged:
        """A line of a prompt file, or a program."""
        wired = self._wired
        gates = (safe_gate(wired.places), *self._lines.gates, *self._programs.gates)
        return await judge_all(request, gates, self._confirm, wired.modules.runner.limit, wired.story.log.judged)

    async def _confirm(self, request: Request, questions: tuple[Verdict, ...]) -> Verdict:
        """What is allowed is remembered, as the gates that asked want it."""
        verdict = await self._wired.confirm(request, questions)
        for question in questions if verdict.is_allowed else ():
            if isinstance(request, ProgramRequest) and verdict.is_allowed:
                verdict = self._programs.answered(request, question, ONCE, verdict.who)
        return verdict


class CapturedOutput:
    """All that a program writes; `watch` hears of it as it comes, in the event loop that this was made in."""

    def __init__(self, command: str, watch: Callable[[CommandUpdate], object] | None) -> None:
        self._command, self._watch, self._loop = command, watch, asyncio.get_running_loop()
        self._written: dict[str, list[bytes]] = {OUT: [], ERR: []}
        self._cleaners = {OUT: Cleaner(), ERR: Cleaner()}

    def run(self, made: Ready, is_stopped: Callable[[], bool]) -> Ended:
        """To its end, in a thread."""
        ended = run(made.launch, self._take, is_stopped)
        for stream, cleaner in self._cleaners.items():
            self._tell(stream, cleaner.end())
        return ended

    def made(self, made: Ready, ended: Ended) -> ProgramOutput:
        out, errors = (cleaned(b"".join(self._written[stream])) for stream in (OUT, ERR))
        problem = None if ended.code == 0 else failure(ended, made.program, errors)
        return ProgramOutput(out, errors, ended.code, ended.seconds, problem)

    def _take(self, stream: str, chunk: bytes) -> None:
        self._written[stream].append(chunk)
        self._tell(stream, self._cleaners[stream].clean(chunk))

    def _tell(self, stream: str, text: bytes) -> None:
        if text and self._watch is not None:
            self._loop.call_soon_threadsafe(self._watch, CommandUpdate(self._command, text.decode(), stream))


async def in_thread(
    work: Callable[[Judge, Callable[[], bool]], Answer], judged: Callable[[Request], Coroutine[Any, Any, Judged]]
) -> Answer:
    """`work(judge, is_stopped)` in a thread. If this is cancelled, what runs is stopped, and its end is awaited."""
    loop = asyncio.get_running_loop()
    stop = threading.Event()
    done: asyncio.Future[Answer] = loop.create_future()

    questions: list[concurrent.futures.Future[Judged]] = []

    def judge(request: Request) -> Judged:
        questions.append(asyncio.run_coroutine_threadsafe(judged(request), loop))
        if stop.is_set():
            questions[-1].cancel()
        return questions[-1].result()

    def run() -> None:
        try:
            answer = work(judge, stop.is_set)
        except BaseException as error:  # noqa: BLE001  # raised again where the answer is awaited
            loop.call_soon_threadsafe(_settle, done, None, error)
        else:
            loop.call_soon_threadsafe(_settle, done, answer, None)

    thread = threading.Thread(target=run, name="pisces: a command", daemon=True)
    thread.start()
    try:
        return await asyncio.shield(done)
    except asyncio.CancelledError:
        stop.set()
        for each in questions:  # or the thread would wait for an answer for ever
            each.cancel()
        await asyncio.wait([done], timeout=_END_SECONDS)
        raise
    finally:
        if done.done():
            thread.join()
            done.exception()  # it has been looked at, even if nobody waits any more


def _settle(done: asyncio.Future[Any], answer: Any, error: BaseException | None) -> None:
    if done.done():
        return
    if error is None:
        done.set_result(answer)
    else:
        done.set_exception(error)


_END_SECONDS = 5.0
