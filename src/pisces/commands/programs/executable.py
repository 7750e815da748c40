"""Makes an executable command ready to run: checked, verified, decided by the gates, with its own small environment.

Nothing is started here. The program stays open from the check to the start, so what was checked is what runs.
"""

from __future__ import annotations

import os
import shlex
from contextlib import contextmanager

from pisces.by_name import export_of
from pisces.commands.names.argument_words import split_words
from pisces.commands.programs.program import argv_of, checked_program, is_unchanged
from pisces.commands.programs.program_rules import SWAPPED
from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.discovery.package_format import formats_of
from pisces.processes.environment import child_env, search_path
from pisces.processes.launch import Launch, Limits
from pisces.shapes.package import Package
from pisces.shapes.request import ProgramRequest
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.commands.names.resolve import Invocation
    from pisces.commands.programs.program import Program
    from pisces.commands.programs.signatures.publishers import Signer
    from pisces.packages.settings.settings import Setting
    from pisces.places import Places
    from pisces.shapes.executable import Executable
    from pisces.shapes.verdict import Judge

PROGRAM_DENIED = Rule("program-denied", ERROR, "A program was not allowed to run")


_SIGNATURES = "pisces.commands.programs.signatures"
_NO_TRACES = {"PYTHONDONTWRITEBYTECODE": "1"}  # the package stays as it was agreed to, to the last file


class Wishes(Value):
    """What the caller wants of one run. `seconds` replaces the time that the manifest allows."""

    seconds: float | None = None
    output: int = 0
    sandbox: bool = False


class Ready(Value):
    """`label` says honestly how the program is fenced in."""

    program: Program
    launch: Launch
    words: tuple[str, ...]
    label: str = "not sandboxed"


class Call(Value):
    """`words` are the arguments; None means that they are split, with quotes respected, from what was typed."""

    invocation: Invocation
    places: Places
    judge: Judge
    words: tuple[str, ...] | None = None
    wishes: Wishes = Wishes()


@contextmanager
def ready(call: Call) -> Iterator[Ready]:
    """The run that a call would make; `PiscesError` where the program is not fit or not allowed."""
    executable = _executable(call)
    words = tuple(split_words(call.invocation.args)) if call.words is None else call.words
    with checked_program(executable, search_path(call.places.env.get("PATH", os.defpath))) as program:
        signer = _verified(call, program)
        argv = argv_of(program, words)
        declared = _declared(call)
        _decide(call, program, argv, tuple(each.env_var for each in declared))
        if signer is not None and signer.is_new:
            export_of(_SIGNATURES, "publishers", "remember")(signer, call.places)
        seconds = executable.timeout if call.wishes.seconds is None else call.wishes.seconds
        limits = Limits(seconds=seconds, output=call.wishes.output)
        env = {**child_env(call.places.env, {**_values(call, declared), **executable.env}), **_NO_TRACES}
        descriptor = program.opened if program.kind == "elf" else -1
        made = Ready(program, Launch(argv, call.places.cwd, env, limits, descriptor), words)
        if descriptor < 0 and not is_unchanged(program):
            raise PiscesError(SWAPPED.at(program.path, "the program was replaced after it was checked"))
        yield _fenced(made, executable, call) if call.wishes.sandbox or executable.sandbox else made


def _executable(call: Call) -> Executable:
    executable = call.invocation.entry.command.executable
    assert executable is not None, "prompt files are expanded, not run"
    return executable


def _verified(call: Call, program: Program) -> Signer | None:
    """Who signed the program and its package.

    Asked where a key is named or anybody's is remembered: a signature may not vanish.
    """
    executable = _executable(call)
    known = os.path.join(call.places.agent_dir, "publishers.json")
    if not (executable.key or executable.publisher or os.path.lexists(known)):
        return None
    claim = export_of(_SIGNATURES, "publishers", "SignatureClaim")(
        call.invocation.entry.package, executable.publisher, executable.key
    )
    signer: Signer | None = export_of(_SIGNATURES, "verify", "verify_program")(program, claim, call.places)
    if signer is not None:
        export_of(_SIGNATURES, "package", "verify_package")(signer, program.path, call.invocation.entry.command)
    return signer


def _decide(call: Call, program: Program, argv: tuple[str, ...], settings: tuple[str, ...]) -> None:
    entry = call.invocation.entry
    request = ProgramRequest(
        shlex.join(argv),
        call.invocation.raw,
        entry.command.path,
        call.places.cwd,
        program.path,
        entry.package,
        program.identity,
        is_named=entry.named,
        confirm=_executable(call).require_confirm,
        env=tuple(dict.fromkeys((*settings, *_executable(call).env))),
        name=entry.command.name,
        entry=entry.command.fields,
        folder=os.path.realpath(_executable(call).package),
    )
    judged = call.judge(request)
    why, hint = judged.verdict.why, judged.verdict.hint
    if judged.verdict.is_allowed:
        allowed = judged.request
        if isinstance(allowed, ProgramRequest) and allowed.replace(sha256="", changes=()) == request:
            return
        why, hint = f"{judged.changes[-1].who} wants another call", "a program runs as it was checked, or not at all"
    message = f"`{program.path}` did not run: {why}"
    raise PiscesError(PROGRAM_DENIED.at(entry.command.path, message, hint=hint, about=entry.name))


def _declared(call: Call) -> list[Setting]:
    folder, entry = _executable(call).package, call.invocation.entry
    settings_of = export_of("pisces.packages.settings", "settings", "settings_of")
    own = [each.id for each in formats_of(folder) if each.manifest_path(folder) == entry.command.path]
    return [setting for each in own for setting in settings_of(Package(entry.package, folder, {}, each))[0]]


def _values(call: Call, declared: list[Setting]) -> dict[str, str]:
    """The values of the settings that the package declares: the only secrets that it gets."""
    if not declared:
        return {}
    own_values = export_of("pisces.packages.settings", "values", "own_values")
    env: dict[str, str] = own_values(call.invocation.entry.package, _executable(call).package, declared, call.places)
    return env


def _fenced(made: Ready, executable: Executable, call: Call) -> Ready:
    sandboxed = export_of("pisces.processes.sandbox", "fence", "sandboxed")
    launch, label = sandboxed(made.launch, executable.package, call.places)
    return made.replace(launch=launch, label=label)
