"""Prompts with `{{args}}`, `@{path}` and `!{line}`, whatever file they stand in.

Files are put in first, then the command lines in the author's text run. Text that came from a file, a command or the
user is never expanded again, where Gemini CLI itself would run a `!{}` that a file put in.
"""

from __future__ import annotations

from pisces.commands.prompts.approved_lines import run_approved
from pisces.commands.prompts.included import Workspace, included
from pisces.commands.prompts.line_arguments import filled
from pisces.diagnostics import Diagnostic, PiscesError
from pisces.formats.injections import Piece, Unclosed, pieces
from pisces.shapes.prompt import Part
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator

    from pisces.commands.prompts.expansion import Expansion
    from pisces.commands.prompts.line_arguments import Given
    from pisces.commands.prompts.shell_line import ShellOutput

ARGS = "{{args}}"
SHELL = "!{"
FILE = "@{"


class BracePrompt(Value):
    """`placeholder` and `given` put arguments into command lines; in the text itself `{{args}}` is what was typed.

    `place` is the line and column of an offset in the text, `unclosed` the diagnostic for braces that are never closed.
    """

    text: str
    placeholder: re.Pattern[str]
    given: Callable[[re.Match[str]], Given]
    place: Callable[[int], tuple[int, int]]
    unclosed: Callable[[int], Diagnostic]


def parts_of(prompt: BracePrompt, expansion: Expansion) -> tuple[list[Part], list[Diagnostic]]:
    """The text in parts, one for each file and each stretch between files."""
    segments, diagnostics = _with_files(prompt, expansion)
    cut = [each if isinstance(each, Part) else _with_lines(each, prompt, expansion) for each in segments]
    lines = [piece.inside for held in cut if not isinstance(held, Part) for piece in held if piece.inside]
    outputs = iter(run_approved(lines, expansion))
    parts = [each if isinstance(each, Part) else Part(_joined(each, expansion.args, outputs)) for each in cut]
    return parts, diagnostics


def _with_files(prompt: BracePrompt, expansion: Expansion) -> tuple[list[Part | Piece], list[Diagnostic]]:
    """Files in their places; the placeholder of a missing file stays in the author's text."""
    if FILE not in prompt.text:
        return [Piece(prompt.text, 0)], []
    segments: list[Part | Piece] = []
    diagnostics: list[Diagnostic] = []
    workspace = Workspace(expansion.places.cwd)
    for piece in _pieces(prompt, prompt.text, FILE, 0):
        if piece.inside is None:
            segments.append(piece)
            continue
        found = included(piece.inside, workspace, expansion.command.path, prompt.place(piece.start))
        segments += [piece.replace(inside=None)] if found.missing else found.parts
        diagnostics += found.diagnostics
    return segments, diagnostics


def _with_lines(segment: Piece, prompt: BracePrompt, expansion: Expansion) -> list[Piece]:
    """Text and command lines, with the arguments put into the lines."""
    found = _pieces(prompt, segment.written, SHELL, segment.start)
    return [
        piece.replace(inside=filled(piece.inside, prompt.placeholder, prompt.given, expansion))
        if piece.inside
        else piece
        for piece in found
    ]


def _pieces(prompt: BracePrompt, text: str, trigger: str, start: int) -> list[Piece]:
    try:
        return pieces(text, trigger, start)
    except Unclosed as unclosed:
        raise PiscesError(prompt.unclosed(unclosed.start)) from None


def _joined(held: list[Piece], args: str, outputs: Iterator[ShellOutput]) -> str:
    """An empty `!{}` is taken out."""
    texts = []
    for piece in held:
        if piece.inside is None:
            texts.append(piece.written.replace(ARGS, args))
        elif piece.inside:
            texts.append(next(outputs).reported(piece.inside))
    return "".join(texts)
