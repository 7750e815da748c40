"""`pisces -p`: one prompt, one answer. Nobody is asked, stdout has the answer and nothing else.

Exit codes: 0 done, 1 ended otherwise (a limit, a refusal, a hook), 2 could not run, 128 and the signal if one came.
"""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any

from pisces import __version__
from pisces.agent.failures import hint_of
from pisces.agent.loop import STOPPED, LoopEnd
from pisces.by_name import export_of
from pisces.cli._agent_loop import FirstSignal, run_to_end
from pisces.cli._agent_prompt import agent_prompt
from pisces.diagnostics import PiscesError
from pisces.formats.visible import visible
from pisces.models.wire import ModelFailed
from pisces.session.session import open_session
from pisces.ui.plain import show_diagnostics
from pisces.ui.print.denials import Denials
from pisces.ui.print.outcome import BLOCKED, COMMAND, COMMAND_FAILED, FAILED, INTERRUPTED, MODEL_FAILED, PrintOutcome
from pisces.ui.print.printers import JsonPrinter, LinesPrinter, ProgressLine, TextPrinter
from pisces.ui.quiet_ui import QuietUi
from pisces.ui.session_options import Seat, dropped, session_options

if TYPE_CHECKING:
    from collections.abc import Callable

    from pisces.cli._agent_prompt import AgentPrompt
    from pisces.cli._shell_command import Namespace, Places, Screen
    from pisces.diagnostics import Diagnostic
    from pisces.host.host import Host
    from pisces.session.options import SessionOptions
    from pisces.session.session import Answered, Session
    from pisces.shapes.event import Event

_PRINTERS = {"text": TextPrinter, "json": JsonPrinter, "jsonl": LinesPrinter}


def print_answer(arguments: Namespace, places: Places, screen: Screen) -> int:
    run = PrintRun(arguments, places, screen)
    try:
        show_diagnostics(dropped(arguments), places, screen)
        prompt = agent_prompt(arguments, places, screen)  # before there is a loop: a signal has to end the waiting
    except PiscesError as error:
        return run.end_without(error)
    return run_to_end(run.ended(prompt))


class PrintRun:
    """One run. What cannot be written is raised when the session has ended: a session never breaks for its readers."""

    def __init__(self, arguments: Namespace, places: Places, screen: Screen) -> None:
        self._arguments, self._places, self._screen = arguments, places, screen
        self._printer: Any = _PRINTERS[arguments.output_format](screen)
        self._denials = Denials(places, self._note)
        self._began = monotonic()
        self._unwritten: OSError | None = None
        self._signal = 0
        self._outcome = PrintOutcome(LoopEnd(FAILED))
        self._session: Session | None = None
        self._working: asyncio.Future[PrintOutcome] | None = None

    async def ended(self, prompt: AgentPrompt) -> int:
        self._working = asyncio.ensure_future(self._worked(prompt))
        with FirstSignal(asyncio.get_running_loop(), self._signalled):
            return self._finished(await self._settled(self._working))

    def end_without(self, error: PiscesError) -> int:
        return self._finished(self._failed(error.diagnostic))

    def _finished(self, outcome: PrintOutcome) -> int:
        outcome = _counted(outcome, self._session).replace(seconds=monotonic() - self._began)
        self._explain(outcome)
        self._write(lambda: self._printer.end(outcome, self._denials.all))
        if self._unwritten is not None:
            raise self._unwritten
        return outcome.exit_code

    async def _settled(self, working: asyncio.Future[PrintOutcome]) -> PrintOutcome:
        try:
            return await working
        except asyncio.CancelledError:
            if self._session is not None and self._session.wants_end and not self._signal:
                return self._outcome.replace(end=LoopEnd(STOPPED, why="an extension ended the session"))
            return self._outcome.replace(end=LoopEnd(INTERRUPTED), signal=self._signal or signal.SIGINT)
        except ModelFailed as failed:
            return self._failed(MODEL_FAILED.at("", str(failed), hint=hint_of(failed)))
        except PiscesError as error:
            return self._failed(error.diagnostic)

    def _failed(self, diagnostic: Diagnostic) -> PrintOutcome:
        return self._outcome.replace(end=LoopEnd(FAILED, why=diagnostic.message), errors=(diagnostic,))

    def _signalled(self, number: int) -> None:
        self._signal = number
        if self._working is not None:
            self._working.cancel()

    async def _worked(self, prompt: AgentPrompt) -> PrintOutcome:
        options = session_options(
            self._arguments, self._places, Seat(self._denials.approve, _nobody, QuietUi(self._note))
        )
        model = options.model
        progress = ProgressLine(self._screen, model.facts.name if model else "", prompt.line.partition(" ")[0])
        readers = (self._printer.heard, self._denials.heard, progress.heard)
        options = options.replace(
            readers=tuple(map(self._safely, readers)), is_interactive=False, uses_editor=self._screen.is_terminal
        )
        try:
            return await self._answered(options, prompt)
        finally:
            self._write(progress.end)
            if model is not None:
                await model.close()

    async def _answered(self, options: SessionOptions, prompt: AgentPrompt) -> PrintOutcome:
        async with open_session(self._places, options) as session:
            self._session, self._outcome = session, _begun(session)
            if self._arguments.hook:
                export_of("pisces.ui", "extension_problems", "check_guards")(session.host, self._arguments)
            if self._arguments.output_format == "jsonl":
                self._write(lambda: self._printer.begin(_facts(session)))
            try:
                outcome = self._outcome_of(await session.submit(prompt.line, prompt.more))
                return outcome.replace(end=outcome.end.replace(usage=session.usage, cost=session.cost))
            finally:
                self._say_what_is_wrong(session.host)

    def _outcome_of(self, answered: Answered) -> PrintOutcome:
        submitted, end, begun = answered.submitted, answered.end, self._outcome
        if submitted.prompt is not None:
            self._show(submitted.prompt.diagnostics)
        if end is not None:
            return begun.replace(end=end)
        if submitted.blocked:
            return begun.replace(end=LoopEnd(BLOCKED, why=submitted.blocked))
        output, failed = submitted.output, submitted.failed
        if failed is not None:
            problem = COMMAND_FAILED.at(failed.module, f"`{failed.event}` failed: {failed.message}")
            return begun.replace(end=LoopEnd(COMMAND, why=problem.message), errors=(problem,))
        if output is None:
            return begun.replace(end=LoopEnd(COMMAND, _text_of(submitted.answer)))
        if output.stderr:
            self._note(output.stderr.rstrip("\n"))
        return begun.replace(end=LoopEnd(COMMAND, output.stdout), errors=(output.problem,) if output.problem else ())

    def _say_what_is_wrong(self, host: Host) -> None:
        line = export_of("pisces.ui.print", "left_out", "left_out")(host)
        if line:
            self._note(line)
        for line in export_of("pisces.ui", "denied_tools", "denied_tool_lines")(host):
            self._note(line)
        problems = export_of("pisces.ui", "extension_problems", "extension_problems")(host, self._arguments)
        self._show(problems.whole)
        if problems.others:
            self._note(problems.line("pisces doctor"))

    def _explain(self, outcome: PrintOutcome) -> None:
        """On stderr, why it did not end well. Where the answer cannot be written, that is all there is to say."""
        if self._unwritten is not None:
            return
        self._show(outcome.errors)
        if outcome.exit_code and not outcome.errors:
            why = f" ({visible(outcome.end.why)})" if outcome.end.why else ""
            self._note(f"ended: {outcome.end.ended}{why}")

    def _show(self, diagnostics: Any) -> None:
        with suppress(OSError):  # of stderr: the answer does not depend on it
            show_diagnostics(diagnostics, self._places, self._screen)

    def _note(self, text: str) -> None:
        with suppress(OSError):
            self._screen.note(text)

    def _safely(self, reader: Callable[[Event], None]) -> Callable[[Event], None]:
        return lambda event: self._write(lambda: reader(event))

    def _write(self, write: Callable[[], object]) -> None:
        """Once something cannot be written, nobody reads any more: the work ends."""
        if self._unwritten is not None:
            return
        try:
            write()
        except OSError as error:
            self._unwritten = error
            if self._working is not None:
                self._working.cancel()


def _begun(session: Session) -> PrintOutcome:
    model = session.model.facts.name if session.model else ""
    return PrintOutcome(LoopEnd(FAILED), session=session.transcript.id, transcript=session.transcript.path, model=model)


def _counted(outcome: PrintOutcome, session: Session | None) -> PrintOutcome:
    """With all that was spent: also by subagents, and by a run that did not end well."""
    if session is None:
        return outcome
    return outcome.replace(end=outcome.end.replace(usage=session.usage, cost=session.cost))


def _facts(session: Session) -> dict[str, Any]:
    host = session.host
    return {
        "version": 1,
        "pisces": __version__,
        "session": session.transcript.id,
        "transcript": session.transcript.path or None,
        "cwd": session.places.cwd,
        "model": session.model.facts.name if session.model else None,
        "mode": host.mode,
        "is_trusted": host.is_trusted,
        "tools": list(host.tools),
    }


def _text_of(answer: object) -> str:
    return answer if isinstance(answer, str) else "" if answer is None else str(answer)


async def _nobody(_question: str, _answers: object) -> None:
    return None
