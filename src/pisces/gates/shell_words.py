"""What the text says about a word of a shell line: its letters after quotes, and whether they are all there is."""

from __future__ import annotations

from pisces.formats.shell.syntax import Literal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.formats.shell.syntax import ShellWord

    Words = tuple[str | None, ...]


def word_text(word: ShellWord) -> str | None:
    """None where the shell puts something in, or makes several words of it."""
    if word.braces or not all(isinstance(part, Literal) for part in word.parts):
        return None
    return "".join(part.text for part in word.parts if isinstance(part, Literal))


def is_pattern(word: ShellWord) -> bool:
    """Whether the shell replaces it with names of files that it finds."""
    bare = [part.text for part in word.parts if isinstance(part, Literal) and not part.quoted]
    return any(sign in text for text in bare for sign in "*?[")


def hides_a_program(word: ShellWord) -> bool:
    """Whether a word that names a program names another one when the line runs."""
    first = word.parts[0] if word.parts else None
    is_home = isinstance(first, Literal) and not first.quoted and first.text[:1] in ("~", "=")
    text = word_text(word)
    return text is None or is_home or (is_pattern(word) and text != "[")
