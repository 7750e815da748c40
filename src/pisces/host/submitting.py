"""What the user typed becomes a prompt, or runs: a prompt file is expanded, a program run, a module's command called.

Files are read and programs run in a thread of their own, so that the event loop never waits. Every question goes to the
same gates as a tool call.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from pisces.commands.names.resolve import Invocation, resolve
from pisces.commands.programs.executable import Call, Wishes, ready
from pisces.commands.programs.failure import failure
from pisces.commands.prompts.expansion import Expansion
from pisces.commands.prompts.prompt_file import expanded_prompt
from pisces.diagnostics import Diagnostic
from pisces.processes.clean import cleaned
from pisces.processes.run import captured
from pisces.shapes.events.agent import Input, PromptExpansion
from pisces.shapes.note import Note
from pisces.shapes.prompt import Part, Prompt
from pisces.shapes.request import Request
from pisces.shapes.verdict import Judged
from pisces.value import Value

if TYPE_CHECKING:
    from pisces.host.wiring import Wired
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

    `notes` are what hooks and modules said beside.
    """

    prompt: Prompt | None = None
    output: ProgramOutput | None = None
    blocked: str = ""
    answer: Any = None
    notes: tuple[Note, ...] = ()


async def submitted(line: str, wired: Wired) -> Submitted:
    event = await wired.emit(Input(line))
    if event.blocked:
        return Submitted(blocked=event.reason or "it was blocked", notes=tuple(event.notes))
    if event.handled:
        return Submitted(notes=tuple(event.notes))
    text = event.text.strip()
    made = await _command(text, wired) if text.startswith("/") else Submitted(Prompt((Part(event.text),)))
    return made.replace(notes=(*event.notes, *made.notes))


async def _command(text: str, wired: Wired) -> Submitted:
    name, _, args = text[1:].partition(" ")
    command = wired.modules.runner.commands.get(name)
    if command is not None:
        return Submitted(answer=await wired.modules.runner.call_command(command, args.strip()))
    wired.demand_not_safe(f"the command `/{name}`")
    invocation = resolve(text, wired.catalog)
    if invocation.entry.command.executable is None:
        return await _prompt(invocation, wired)

    def run(judge: Judge, is_stopped: Callable[[], bool]) -> ProgramOutput:
        return _run(invocation, wired, judge, is_stopped)

    return Submitted(output=await in_thread(run, wired))


async def _prompt(invocation: Invocation, wired: Wired) -> Submitted:
    entry = invocation.entry
    expansion = PromptExpansion(entry.name, invocation.args, "prompt", entry.origin, invocation.raw)
    event = await wired.emit(expansion)
    if event.blocked:
        return Submitted(blocked=event.reason or "it was blocked", notes=tuple(event.notes))

    def expand(judge: Judge, _is_stopped: Callable[[], bool]) -> Prompt:
        return expanded_prompt(Expansion(entry.command, invocation.raw, invocation.args, wired.places, judge))

    wired.use_skill_at(entry.command.path)
    return Submitted(await in_thread(expand, wired), notes=tuple(event.notes))


def _run(invocation: Invocation, wired: Wired, judge: Judge, is_stopped: Callable[[], bool]) -> ProgramOutput:
    with ready(Call(invocation, wired.places, judge, None, Wishes(output=MOST_OUTPUT))) as made:
        out, errors, ended = captured(made.launch, is_stopped)
        problem = None if ended.code == 0 else failure(ended, made.program, cleaned(errors))
    return ProgramOutput(cleaned(out), cleaned(errors), ended.code, ended.seconds, problem)


async def in_thread(work: Callable[[Judge, Callable[[], bool]], Answer], wired: Wired) -> Answer:
    """`work(judge, is_stopped)` in a thread. If this is cancelled, what runs is stopped, and its end is awaited."""
    loop = asyncio.get_running_loop()
    stop = threading.Event()
    done: asyncio.Future[Answer] = loop.create_future()

    def judge(request: Request) -> Judged:
        return asyncio.run_coroutine_threadsafe(wired.judge_request(request), loop).result()

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
        await asyncio.wait([done], timeout=_END_SECONDS)
        raise
    finally:
        if done.done():
            thread.join()


def _settle(done: asyncio.Future[Any], answer: Any, error: BaseException | None) -> None:
    if done.done():
        return
    if error is None:
        done.set_result(answer)
    else:
        done.set_exception(error)


_END_SECONDS = 5.0
