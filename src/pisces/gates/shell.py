"""Every command that a shell line may run, read without running it. What cannot be read is said, never left out.

Rules judge what comes back. A rule that allows needs a line that is plain; one that denies looks at everything.
"""

from __future__ import annotations

from pisces.gates.shell_commands import Commands
from pisces.shapes.shell_line import ShellLine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def shell_line(text: str) -> ShellLine:
    """A line as sh or bash would read it. Never raises."""
    found = Commands()
    is_single = found.add_script(text)
    is_simple = is_single and len(found.commands) == 1 and None not in found.commands[0].words
    return _line(text, found, is_compound=not is_simple)


def argv_line(words: Sequence[str]) -> ShellLine:
    """A program that is started with its arguments, without a shell around it."""
    found = Commands()
    text = " ".join(words)
    found.add_words(tuple(words), text)
    return _line(text, found, is_compound=len(found.commands) != 1)


def typed_line(text: str) -> ShellLine:
    """Text that is typed into a program that runs already, which may be a shell: there `!` repeats old commands."""
    line = shell_line(text.replace("\r", "\n"))
    unusual = any(sign < " " and sign not in "\n\t" for sign in line.text) or "!" in text
    return line.replace(problem=line.problem or "keys that a shell takes for a command") if unusual else line


def _line(text: str, found: Commands, *, is_compound: bool) -> ShellLine:
    problem = found.problems[0] if found.problems else ""
    return ShellLine(text, tuple(found.commands), problem, is_compound or bool(problem), found.has_groups)
