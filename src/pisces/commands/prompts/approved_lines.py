"""The command lines of a prompt file: none of them runs before the gates have allowed every one of them."""

from __future__ import annotations

from pisces.commands.prompts.shell_line import LIMITS, shell_output
from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.processes.ended import TIMEOUT
from pisces.shapes.request import LineRequest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.commands.prompts.expansion import Expansion
    from pisces.commands.prompts.shell_line import ShellOutput

LINE_DENIED = Rule("shell-line-denied", ERROR, "A command line of a prompt file was not allowed")
LINE_TIMEOUT = Rule("shell-line-timeout", ERROR, "A command line of a prompt file took too long and was ended")
LINE_NOT_STARTED = Rule("shell-line-not-started", ERROR, "A command line of a prompt file cannot be started")


def run_approved(lines: Sequence[str], expansion: Expansion) -> list[ShellOutput]:
    """The outputs in the order of the lines. A line that occurs twice is asked about once and run twice."""
    approved = {line: _approved(line, expansion) for line in dict.fromkeys(lines)}
    return [_output(approved[line], expansion) for line in lines]


def _approved(line: str, expansion: Expansion) -> LineRequest:
    """The line as it may run: a gate may have changed it."""
    command, cwd = expansion.command, expansion.places.cwd
    judged = expansion.judge(LineRequest(line, expansion.raw, command.path, cwd))
    if not judged.verdict.is_allowed:
        reason = judged.verdict.why or "it was not allowed"
        message = f"`{line}` does not run: {reason}"
        raise PiscesError(LINE_DENIED.at(command.path, message, hint=judged.verdict.hint, about=command.name))
    assert isinstance(judged.request, LineRequest)
    return judged.request


def _output(request: LineRequest, expansion: Expansion) -> ShellOutput:
    limits = LIMITS if expansion.seconds is None else LIMITS.replace(seconds=expansion.seconds)
    output = shell_output(request.exact, request.cwd, expansion.places.env, limits, expansion.fence)
    command = expansion.command
    if output.reason == TIMEOUT and expansion.seconds is not None:
        message = f"`{request.exact}` was ended after {expansion.seconds:g} s"
        hint = "give it more with --timeout; 0 means no limit"
        raise PiscesError(LINE_TIMEOUT.at(command.path, message, hint=hint, about=command.name))
    if output.failure:
        message = f"`{request.exact}` cannot be started: {output.failure}"
        raise PiscesError(LINE_NOT_STARTED.at(command.path, message, about=command.name))
    return output
