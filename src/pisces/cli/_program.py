"""Runs an executable command for `pisces run`: its output as it comes, made safe, and its exit code as ours."""

from __future__ import annotations

import os
import shlex
import signal
import sys

from pisces.audit.record import RanRecord
from pisces.audit.shortened import secrets_in
from pisces.by_name import export_of
from pisces.cli._end_signals import EndSignals, SuspendSignals
from pisces.cli._run_limits import seconds_of
from pisces.cli._shell_command import COULD_NOT_RUN, FINE, PROBLEMS
from pisces.commands.names.argument_words import split_words
from pisces.commands.programs.elapsed import Elapsed
from pisces.commands.programs.executable import Call, Ready, Wishes, ready
from pisces.commands.programs.failure import failure
from pisces.processes.clean import Cleaner, cleaned
from pisces.processes.ended import TIMEOUT, Ended
from pisces.processes.launch import ERR, OUT
from pisces.processes.run import captured, run
from pisces.ui.plain import show_diagnostics

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

    from pisces.cli._shell_command import Places, Screen
    from pisces.cli.run import RunContext
    from pisces.commands.names.resolve import Invocation
    from pisces.processes.launch import Launch, Sink, Stopped
    from pisces.shapes.executable import Executable

MOST_JSON = 16 * 1024 * 1024
_LAST_WORDS = 8 * 1024
_OUT_OF_TIME = 124  # as `timeout` of the coreutils says it
_KILLED = 128


def run_program(invocation: Invocation, line: list[str], context: RunContext) -> int:
    executable = invocation.entry.command.executable
    assert executable is not None, "prompt files are expanded, not run"
    arguments, screen = context.arguments, context.screen
    is_json = arguments.output_format == "json"
    wishes = Wishes(seconds_of(arguments), MOST_JSON if is_json else 0, arguments.sandbox)
    with ready(Call(invocation, context.places, context.judge, _words(invocation, line), wishes)) as made:
        if arguments.sandbox or executable.sandbox:
            screen.note(made.label)
        if is_json:
            return _as_json(made, invocation, context)
        if _gets_terminal(executable, context):
            ended, errors = _in_terminal(made.launch, invocation, context)
        else:
            ended, errors = _streamed(made, invocation, context)
        _record(ended, made, invocation, context)
        return _reported(ended, made, errors, (context.places, screen))


def _words(invocation: Invocation, line: list[str]) -> tuple[str, ...] | None:
    """Arguments that the user's own shell has split already stay as they are."""
    rest = " ".join(line[1:]).strip()  # as the line was read
    if len(line) < 2 or not invocation.args.endswith(rest):
        return None
    before = invocation.args[: len(invocation.args) - len(rest)]
    return (*split_words(before), *line[1:])


def _gets_terminal(executable: Executable, context: RunContext) -> bool:
    """Whether a program runs on a terminal: one that asks for it wherever there is one, others where nothing is
    captured. Windows has none whose output could be guarded.
    """
    screen = context.screen
    is_here = screen.is_terminal and sys.stdin is not None and sys.stdin.isatty()
    if executable.interactive or not is_here:
        return is_here and executable.interactive
    is_captured = context.arguments.raw or context.workers is not None or not screen.err_is_terminal
    return not is_captured and os.name != "nt"


def _in_terminal(launch: Launch, invocation: Invocation, context: RunContext) -> tuple[Ended, str]:
    """Until a program prints something, it is shown that time passes; one that wants the whole screen shows itself."""
    sys.stdout.flush()
    executable = invocation.entry.command.executable
    elapsed = Elapsed(context.screen.progress, f"/{invocation.entry.name}")
    last_words = bytearray()

    def note(chunk: bytes) -> None:
        elapsed.clear()
        _remember(last_words, chunk)

    wants_screen = executable is not None and executable.interactive
    user = export_of("pisces.processes", "terminal", "UserTerminal")(note=note, may_read=wants_screen)
    with EndSignals() as signals, SuspendSignals(user):
        shown = elapsed.watching(signals.is_stopped)

        def is_stopped() -> bool:
            return signals.is_stopped() if wants_screen or last_words else shown()

        ended: Ended = export_of("pisces.processes", "terminal", "run_in_terminal")(launch, user, is_stopped)
    elapsed.clear()
    return ended, last_words.decode("utf-8", "replace")


def _remember(last_words: bytearray, chunk: bytes) -> None:
    last_words.extend(chunk[-_LAST_WORDS:])
    del last_words[:-_LAST_WORDS]


def _streamed(made: Ready, invocation: Invocation, context: RunContext) -> tuple[Ended, str]:
    """Both streams as they come, made safe unless raw is asked for; the last words on stderr explain a failure."""
    streams: dict[str, BinaryIO] = {OUT: sys.stdout.buffer, ERR: sys.stderr.buffer}
    colours = context.screen.colour
    cleaners = {} if context.arguments.raw else {each: Cleaner(colours=colours) for each in streams}
    last_words = bytearray()

    def show(stream: str, chunk: bytes) -> None:
        if stream == ERR:
            _remember(last_words, chunk)
        streams[stream].write(cleaners[stream].clean(chunk) if cleaners else chunk)
        streams[stream].flush()

    sys.stdout.flush()
    with EndSignals() as signals:
        elapsed = Elapsed(context.screen.progress, f"/{invocation.entry.name}")
        try:
            if context.screen.err_is_terminal:
                ended = _followed(made, invocation, context)(elapsed.before(show), elapsed.watching(signals.is_stopped))
            else:
                ended = _followed(made, invocation, context)(show, signals.is_stopped)
        finally:
            elapsed.clear()
    for stream, cleaner in cleaners.items():
        streams[stream].write(cleaner.end())
        streams[stream].flush()
    return ended, last_words.decode("utf-8", "replace")


def _followed(made: Ready, invocation: Invocation, context: RunContext) -> Callable[[Sink, Stopped], Ended]:
    """How this program is run: by its worker where there is one that stays, else by a start of its own."""
    executable, workers = invocation.entry.command.executable, context.workers
    if workers is not None and executable is not None and executable.worker:
        return lambda sink, is_stopped: workers.call(made.launch, made.words, sink, is_stopped)
    has_no_input = workers is not None or sys.stdin is None or sys.stdin.isatty()
    launch = made.launch.replace(stdin=b"" if has_no_input else None)
    return lambda sink, is_stopped: run(launch, sink, is_stopped)


def _record(ended: Ended, made: Ready, invocation: Invocation, context: RunContext) -> None:
    context.audit.hide(*secrets_in(made.launch.env))
    name, text = f"/{invocation.entry.name}", shlex.join((made.program.path, *made.words))
    seconds = round(ended.seconds, 3)
    context.audit.write(RanRecord("program", name, text, ended.code, ended.signal, seconds, ended.reason))


def _as_json(made: Ready, invocation: Invocation, context: RunContext) -> int:
    with EndSignals() as signals:
        out, errors, ended = captured(made.launch, signals.is_stopped)
    _record(ended, made, invocation, context)
    texts = {"stdout": cleaned(out), "stderr": cleaned(errors)}
    bad = None if ended.code == 0 else failure(ended, made.program, texts["stderr"]).as_json()
    executable = invocation.entry.command.executable
    shown = {
        "command": invocation.entry.name,
        "qualified": invocation.entry.qualified,
        "kind": "program",
        "argv": [made.program.path, *made.words],
        **texts,
        "exit_code": ended.code,
        "signal": ended.signal or None,
        "seconds": round(ended.seconds, 3),
        "context": executable.context if executable else None,
        "sandbox": made.label,
        "problem": bad,
    }
    context.screen.json(shown)
    return _status(ended)


def _reported(ended: Ended, made: Ready, errors: str, where: tuple[Places, Screen]) -> int:
    """A program that ended badly and said why needs no second message."""
    if ended.code != 0 and (
        ended.code is None or ended.reason or not errors.strip() or _is_of_the_system(ended, errors)
    ):
        show_diagnostics([failure(ended, made.program, errors)], *where)
    return _status(ended)


def _is_of_the_system(ended: Ended, errors: str) -> bool:
    """The loader's own complaint, not the program's: 127 and a library that is missing."""
    return ended.code in (126, 127) or "shared librar" in errors or "Library not loaded" in errors


def _status(ended: Ended) -> int:
    if ended.reason == TIMEOUT:
        return _OUT_OF_TIME
    if ended.code is not None:
        return ended.code or FINE
    if ended.signal in signal.Signals.__members__:
        return _KILLED + signal.Signals[ended.signal]
    return PROBLEMS if ended.reason or ended.signal else COULD_NOT_RUN
