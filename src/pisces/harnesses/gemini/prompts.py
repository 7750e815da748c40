"""Gemini CLI's TOML prompts: `{{args}}`, `@{path}` and `!{line}`; without `{{args}}`, the typed line comes last.

Inside `!{}` the arguments are one quoted word. What came from a file, a command or the user is never looked at again,
where Gemini CLI itself would run a `!{}` that a file put in.
"""

from __future__ import annotations

import os
import re

from pisces.check.pages import Pages
from pisces.commands.prompts.approved_lines import run_approved
from pisces.commands.prompts.included import Workspace, included
from pisces.commands.prompts.injections import Piece, Unclosed, pieces
from pisces.commands.prompts.line_arguments import Given, filled
from pisces.commands.prompts.line_report import reported
from pisces.diagnostics import Diagnostic, PiscesError
from pisces.discovery.finders.toml_commands import read_command
from pisces.formats.injections import UNCLOSED, injections
from pisces.harnesses.gemini.command_prompts import CommandPrompt
from pisces.harnesses.gemini.lints.commands import COMMAND_FILE_IN_SHELL, COMMAND_INJECTION
from pisces.shapes.prompt import TEXT, Part, Prompt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.commands.prompts.expansion import Expansion
    from pisces.commands.prompts.shell_line import ShellOutput
    from pisces.shapes.command import Command

ARGS = "{{args}}"
SHELL = "!{"
FILE = "@{"
_PLACEHOLDER = re.compile(re.escape(ARGS))


def expand(expansion: Expansion) -> Prompt:
    command = _prompt_of(expansion.command)
    segments, diagnostics = _with_files(command, expansion.places.cwd)
    torn = [each if isinstance(each, Part) else _with_lines(each, command, expansion) for each in segments]
    lines = [piece.inside for held in torn if not isinstance(held, Part) for piece in held if piece.inside]
    outputs = iter(run_approved(lines, expansion))
    parts = [each if isinstance(each, Part) else Part(_joined(each, expansion.args, outputs)) for each in torn]
    if expansion.args and ARGS not in command.prompt:
        parts = _appended(parts, expansion.raw)
    return Prompt(tuple(parts), tuple(diagnostics))


def _prompt_of(command: Command) -> CommandPrompt:
    """The prompt of a command file; what its finder would have said of it where it has none."""
    read = read_command(command.path, os.path.dirname(command.path))
    if isinstance(read, Diagnostic):
        raise PiscesError(read)
    pages = Pages()
    values = pages.toml(command.path)
    return CommandPrompt(command.name, command.path, pages, values, values["prompt"])


def _with_files(command: CommandPrompt, cwd: str) -> tuple[list[Part | Piece], list[Diagnostic]]:
    """Files in their places; the rest, with placeholders of what is missing, is still the author's own text."""
    if FILE not in command.prompt:
        return [Piece(command.prompt, 0)], []
    segments: list[Part | Piece] = []
    diagnostics: list[Diagnostic] = []
    workspace = Workspace(cwd)
    for piece in _pieces(command, command.prompt, FILE, 0):
        if piece.inside is None:
            segments.append(piece)
            continue
        found = included(piece.inside, workspace, command.path, command.place(piece.start))
        segments += [piece.replace(inside=None)] if found.missing else found.parts
        diagnostics += found.diagnostics
    return segments, diagnostics


def _with_lines(segment: Piece, command: CommandPrompt, expansion: Expansion) -> list[Piece]:
    """Text and command lines, the arguments put into the lines."""
    found = _pieces(command, segment.written, SHELL, segment.start)
    return [piece.replace(inside=_line(piece.inside, expansion)) if piece.inside else piece for piece in found]


def _line(inside: str, expansion: Expansion) -> str:
    """One quoted word, as in Gemini CLI; where the author's own quotes stand around it, what is safe inside of them."""
    args = expansion.args
    given = Given(args, (args,) if args else ())
    return filled(inside, _PLACEHOLDER, lambda _: given, expansion)


def _pieces(command: CommandPrompt, text: str, trigger: str, start: int) -> list[Piece]:
    try:
        return pieces(text, trigger, start)
    except Unclosed as unclosed:
        raise PiscesError(_tear(command, unclosed.start)) from None


def _tear(command: CommandPrompt, start: int) -> Diagnostic:
    place = command.place(start)
    if any(begin == start and end != UNCLOSED for begin, end in injections(command.prompt, SHELL)):
        message = "a `@{...}` stands inside `!{...}`, which tears the command line apart"
        hint = "name the file in the command line itself"
        return COMMAND_FILE_IN_SHELL.at(command.path, message, place=place, hint=hint, about=command.name)
    message = f"`{command.prompt[start : start + 2]}` is not closed"
    hint = "braces must be balanced, in quotes too; move the shell command into a script"
    return COMMAND_INJECTION.at(command.path, message, place=place, hint=hint, about=command.name)


def _joined(held: list[Piece], args: str, outputs: Iterator[ShellOutput]) -> str:
    """An empty `!{}` is taken out."""
    texts = []
    for piece in held:
        if piece.inside is None:
            texts.append(piece.written.replace(ARGS, args))
        elif piece.inside:
            texts.append(reported(piece.inside, next(outputs)))
    return "".join(texts)


def _appended(parts: list[Part], raw: str) -> list[Part]:
    if not parts:
        return [Part(raw)]
    last = parts[-1]
    if last.mime != TEXT:
        return [*parts, Part(f"\n\n{raw}")]
    return [*parts[:-1], last.replace(text=f"{last.text}\n\n{raw}")]
