"""Qwen Code's Markdown commands: Gemini's `{{args}}`, `@{path}` and `!{line}` in a body that is trimmed.

Files come in their places, and the typed line follows the text where there is no `{{args}}`. In a line, `$ARGUMENTS`
means the arguments too; there they are quoted, word by word.
"""

from __future__ import annotations

import re

from pisces.commands.names.argument_words import split_words
from pisces.commands.prompts.approved_lines import run_approved
from pisces.commands.prompts.included import Workspace, included
from pisces.commands.prompts.injections import Unclosed, pieces
from pisces.commands.prompts.line_arguments import Given, filled
from pisces.commands.prompts.line_report import reported
from pisces.commands.prompts.markdown_prompt import Line, markdown_of
from pisces.diagnostics import PiscesError
from pisces.harnesses.gemini.lints.commands import COMMAND_INJECTION
from pisces.shapes.prompt import Part, Prompt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.commands.prompts.expansion import Expansion
    from pisces.commands.prompts.injections import Piece
    from pisces.diagnostics import Diagnostic

    Segment = str | Line | Part

ARGS = "{{args}}"
_IN_A_LINE = re.compile(r"(?P<one>\{\{args\}\})|\$ARGUMENTS")


def expand(expansion: Expansion) -> Prompt:
    text = markdown_of(expansion).body.replace("\r\n", "\n").strip()
    segments, diagnostics = _segments(text, expansion)
    outputs = iter(run_approved([each.line for each in segments if isinstance(each, Line)], expansion))
    texts = [reported(each.line, next(outputs)) if isinstance(each, Line) else each for each in segments]
    parts = [each if isinstance(each, Part) else Part(each) for each in texts]
    if expansion.args and ARGS not in text:
        parts.append(Part(f"\n\n{expansion.raw}"))
    return Prompt(tuple(_merged(parts)), tuple(diagnostics))


def _segments(text: str, expansion: Expansion) -> tuple[list[Segment], list[Diagnostic]]:
    """Files in their places; the rest, with the placeholders of files that are missing, is still the author's text."""
    segments: list[Segment] = []
    diagnostics: list[Diagnostic] = []
    workspace = Workspace(expansion.places.cwd)
    for piece in _pieces(text, "@{", expansion):
        if piece.inside is None:
            segments += _with_lines(piece.written, expansion)
            continue
        found = included(piece.inside, workspace, expansion.command.path)
        segments += _with_lines(piece.written, expansion) if found.missing else found.parts
        diagnostics += found.diagnostics
    return segments, diagnostics


def _with_lines(text: str, expansion: Expansion) -> list[Segment]:
    return [
        piece.written.replace(ARGS, expansion.args)
        if piece.inside is None
        else Line(filled(piece.inside, _IN_A_LINE, lambda match: _given(match, expansion.args), expansion))
        for piece in _pieces(text, "!{", expansion)
        if piece.inside != ""  # `!{}` is taken out
    ]


def _given(match: re.Match[str], args: str) -> Given:
    return Given(args, ((args,) if args else ()) if match["one"] else tuple(split_words(args)))


def _pieces(text: str, trigger: str, expansion: Expansion) -> list[Piece]:
    try:
        return pieces(text, trigger)
    except Unclosed:
        command = expansion.command
        hint = "braces must be balanced, in quotes too; move the shell command into a script"
        raise PiscesError(
            COMMAND_INJECTION.at(command.path, f"`{trigger}` is not closed", hint=hint, about=command.name)
        ) from None


def _merged(parts: list[Part]) -> list[Part]:
    """Text that follows text is one part with it, unless one of them is a file's."""
    merged: list[Part] = []
    for part in parts:
        if merged and not (part.path or merged[-1].path):
            merged[-1] = Part(merged[-1].text + part.text)
        else:
            merged.append(part)
    return merged
