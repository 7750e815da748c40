"""The status line: the most important word first, and what does not fit is left out from the end."""

from __future__ import annotations

from pisces.ui.terminal.cells import cells, clipped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_BETWEEN = " · "


def status_line(words: Iterable[str], width: int) -> str:
    """`words` in the order of their importance. The first is cut rather than left out."""
    made = ""
    for word in filter(None, words):
        longer = f"{made}{_BETWEEN}{word}" if made else clipped(word, width)
        if cells(longer) <= width:
            made = longer
    return made


def tokens_word(tokens: int) -> str:
    if tokens < 1000:
        return str(tokens)
    return f"{tokens / 1000:.1f}k" if tokens < 100_000 else f"{tokens // 1000}k"


def cost_word(cost: float | None) -> str:
    """Empty where nobody knows the price: a cost is never said to be nothing."""
    if cost is None:
        return ""
    return f"${cost:.2f}" if cost >= 0.995 or cost == 0 else f"${cost:.3f}"
