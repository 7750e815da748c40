"""`pisces run '/name args'`: runs a command with no model. Programs stream, prompt files print the finished prompt."""

from __future__ import annotations

import binascii
import sys

from pisces.audit.record import RanRecord
from pisces.by_name import export_of
from pisces.cli._audit import audit_of, refuse_if_safe
from pisces.cli._packages import add_packages, catalog_for
from pisces.cli._run_gates import add_answers, judge_of
from pisces.cli._run_limits import add_limits, line_fence, places_of, seconds_of
from pisces.cli._shell_command import FINE, PROBLEMS, ShellCommand, add_output_format, add_switches
from pisces.commands.names.resolve import Invocation, resolve
from pisces.commands.prompts.expansion import Expansion
from pisces.commands.prompts.prompt_file import expanded_prompt
from pisces.diagnostics import ERROR, PiscesError
from pisces.processes.clean import cleaned
from pisces.shapes.prompt import TEXT, Part, Prompt
from pisces.ui.plain import show_diagnostics
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.audit.log import AuditLog
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.commands.names.catalog import Catalog
    from pisces.commands.programs.worker import Workers
    from pisces.shapes.verdict import Judge


class RunContext(Value):
    """What the lines of one call share. `workers` is set if lines come from stdin; then programs do not read stdin."""

    arguments: Namespace
    places: Places
    screen: Screen
    commands: Catalog
    judge: Judge
    audit: AuditLog
    workers: Workers | None = None


def _arguments(parser: ArgumentParser) -> None:
    add_packages(parser)
    add_answers(parser)
    add_limits(parser)
    parser.add_argument("--raw", action="store_true", help="pass what is shown on as it is, escape codes and all")
    add_switches(parser)
    add_output_format(parser)
    parser.add_argument(
        "line", nargs="...", metavar="/NAME ...", help="the command and its arguments; - reads one a line from stdin"
    )


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    words = arguments.line[1:] if arguments.line[:1] == ["--"] else arguments.line
    seconds_of(arguments)
    places = places_of(arguments, places, screen)
    refuse_if_safe("command", " ".join(words), places, screen)
    audit = audit_of(places, screen)
    judge = judge_of(arguments, places, screen, audit.judged)
    context = RunContext(arguments, places, screen, catalog_for(arguments, places, screen), judge, audit)
    return _lines(context) if words == ["-"] else _line(words, context)


def _lines(context: RunContext) -> int:
    """Each line of stdin is a command; the exit code is that of the last one that failed."""
    status = FINE
    with export_of("pisces.commands.programs", "worker", "Workers")() as workers:
        for line in sys.stdin:
            if line.strip():
                status = _answered(line, context.replace(workers=workers)) or status
    return status


def _answered(line: str, context: RunContext) -> int:
    """A line that cannot be run is said, and the next one is read."""
    try:
        return _line([line.strip()], context)
    except PiscesError as error:
        show_diagnostics([error.diagnostic], context.places, context.screen)
        context.screen.finish_part(PROBLEMS)
        return PROBLEMS


def _line(words: list[str], context: RunContext) -> int:
    invocation = resolve(" ".join(words), context.commands)
    if invocation.entry.command.executable is None:
        return _prompt(invocation, context)
    status: int = export_of("pisces.cli", "_program", "run_program")(invocation, words, context)
    return status


def _prompt(invocation: Invocation, context: RunContext) -> int:
    places, screen = context.places, context.screen
    command, labels = invocation.entry.command, list[str]()
    expansion = Expansion(command, invocation.raw, invocation.args, places, context.judge)
    if context.arguments.sandbox:
        expansion = expansion.replace(fence=line_fence(command.path, places, labels.append))
    prompt = expanded_prompt(expansion.replace(seconds=seconds_of(context.arguments)))
    context.audit.write(RanRecord("prompt", f"/{invocation.entry.name}", invocation.raw))
    for label in labels:
        screen.note(label)
    if context.arguments.output_format == "json":
        screen.json({**_json(invocation, prompt), "sandbox": ", ".join(labels) or None})
    else:
        is_guarded = screen.is_terminal and not context.arguments.raw
        for part in prompt.parts:
            shown = _shown(part, places)
            screen.text(cleaned(shown) if is_guarded else shown)
        screen.text("" if prompt.text.endswith("\n") else "\n")
        show_diagnostics(prompt.diagnostics, places, screen)
    return PROBLEMS if any(each.severity == ERROR for each in prompt.diagnostics) else FINE


def _shown(part: Part, places: Places) -> str:
    return part.text if part.mime == TEXT else f"[{part.mime}, {len(part.data):,} bytes: {places.shown(part.path)}]"


def _json(invocation: Invocation, prompt: Prompt) -> dict[str, Any]:
    entry = invocation.entry
    return {
        "command": entry.name,
        "qualified": entry.qualified,
        "kind": "prompt",
        "path": entry.command.path,
        "args": invocation.args,
        "parts": [_part(part) for part in prompt.parts],
        "diagnostics": [each.as_json() for each in prompt.diagnostics],
    }


def _part(part: Part) -> dict[str, Any]:
    if part.mime == TEXT:
        return {"text": part.text, **({"path": part.path} if part.path else {})}
    return {"mime": part.mime, "data": binascii.b2a_base64(part.data, newline=False).decode("ascii"), "path": part.path}


_EXAMPLES = (
    ("pisces run '/gallery search terraform'", "a program: its output as it comes"),
    ("pisces run '/git:commit fix the typo'", "a prompt file: the finished prompt"),
    ("pisces run --package ./my-extension '/hello'", "from a folder, for this run only"),
    ("pisces run --output-format json '/review @src'", "the prompt's parts, for programs"),
    ("pisces run - < lines.txt", "many commands in one go; workers stay alive between them"),
)
COMMAND = ShellCommand("run", "run a slash command here, without a model", _EXAMPLES, _arguments, _run)
