"""Variables in plain strings of a package: lines of hooks, arguments, addresses and headers of servers."""

from __future__ import annotations

from pisces.converting.reading import reader_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.converting.prompt_text import PromptText


def text_with_variables(text: str, harness: str) -> PromptText:
    """The text in parts, by the rules of the harness that it was written for. Only variables are parts."""
    return reader_of(harness).variables(text)
