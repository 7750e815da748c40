"""What the Markdown dialects share: a template is cut once, and what is put in is never looked at again.

A dialect says with one pattern what in its templates is not plain text. Command lines are filled with quoted
arguments and pass the gate together; files that the text mentions come after it.
"""

from __future__ import annotations

import re

from pisces.commands.prompts.approved_lines import run_approved
from pisces.commands.prompts.line_arguments import Given, filled
from pisces.commands.prompts.mentions import Mention, attachments
from pisces.diagnostics import WARNING, Diagnostic, PiscesError, Rule
from pisces.discovery.markdown_file import markdown_at
from pisces.shapes.prompt import Part, Prompt
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from pisces.commands.prompts.expansion import Expansion
    from pisces.commands.prompts.line_arguments import Fill
    from pisces.commands.prompts.shell_line import ShellOutput
    from pisces.discovery.markdown_file import MarkdownFile

    Piece: TypeAlias = "str | Mention | Line"

ARGUMENTS_UNUSED = Rule("arguments-unused", WARNING, "A prompt has no place for the arguments")


class Line(Value):
    """A command line, as the shell gets it."""

    line: str


class Template(Value):
    """`special` finds all that is not plain text: what `placeholder` finds, and in groups of its own `line`, `fence`
    (command lines) and `at` (mentions). `fill` says what a placeholder stands for, wherever it is.
    """

    text: str
    special: re.Pattern[str]
    placeholder: re.Pattern[str]
    fill: Fill


def markdown_of(expansion: Expansion) -> MarkdownFile:
    """The command's file, read as leniently as any harness reads it."""
    file = markdown_at(expansion.command.path, expansion.command.name, lenient=True)
    if isinstance(file, Diagnostic):
        raise PiscesError(file)
    return file


def substituted(text: str, placeholder: re.Pattern[str], fill: Fill) -> str:
    """Placeholders filled with the words as they were typed, in one pass."""
    return placeholder.sub(lambda match: _value(match, fill), text)


def _value(match: re.Match[str], fill: Fill) -> str:
    value = fill(match)
    if isinstance(value, Given):
        return value.text
    return match[0] if value is None else value


def cut(template: Template, expansion: Expansion) -> list[Piece]:
    """The template in pieces: text that is finished, command lines, mentions."""
    return list(_pieces(template, expansion))


def _pieces(template: Template, expansion: Expansion) -> Iterator[Piece]:
    last = 0
    for match in template.special.finditer(template.text):
        yield template.text[last : match.start()]
        yield _piece(match, template, expansion)
        last = match.end()
    yield template.text[last:]


def _piece(match: re.Match[str], template: Template, expansion: Expansion) -> Piece:
    groups = match.groupdict()
    line = groups.get("line") or groups.get("fence")
    if line:
        line = line.strip()
        return Line(filled(line, template.placeholder, template.fill, expansion)) if line else match[0]
    if groups.get("at"):
        written, path = (substituted(text, template.placeholder, template.fill) for text in (match[0], groups["at"]))
        return Mention(written, path.strip('"'))
    return _value(match, template.fill)


def joined(
    pieces: list[Piece], expansion: Expansion, report: Callable[[str, ShellOutput], str], package: str = ""
) -> Prompt:
    """Runs the lines once the gate has allowed them all; `report` says what of an output becomes text."""
    lines = [piece.line for piece in pieces if isinstance(piece, Line)]
    outputs = iter(run_approved(lines, expansion))
    text = "".join(_text(piece, outputs, report) for piece in pieces)
    named = [piece for piece in pieces if isinstance(piece, Mention)]
    parts, diagnostics = attachments(named, expansion.places, expansion.command.path, package)
    return Prompt((Part(text), *parts), tuple(diagnostics))


def _text(piece: Piece, outputs: Iterator[ShellOutput], report: Callable[[str, ShellOutput], str]) -> str:
    if isinstance(piece, Line):
        return report(piece.line, next(outputs))
    return piece.written if isinstance(piece, Mention) else piece


def plain_prompt(text: str, *diagnostics: Diagnostic) -> Prompt:
    return Prompt((Part(text),), diagnostics)


def unused(expansion: Expansion) -> tuple[Diagnostic, ...]:
    """For dialects that drop the arguments of a prompt without placeholders."""
    if not expansion.args.strip():
        return ()
    message = "the prompt has no placeholder, so the arguments are not in it"
    hint = "add `$ARGUMENTS` where they belong"
    return (ARGUMENTS_UNUSED.at(expansion.command.path, message, hint=hint, about=expansion.command.name),)
