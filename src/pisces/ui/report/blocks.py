"""The two blocks that sections are made of: a table that scrolls where it is too wide, and a part that folds."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

UNFOLDED = 40  # rows; more than that hide what follows


def scrolling(label: str, inside: str) -> str:
    """The keyboard can reach it, and so scroll it."""
    return f'<div class="wide" role="region" aria-label="{label}" tabindex="0">{inside}</div>'


def table(label: str, heads: Sequence[str], rows: Iterable[str], style: str = "plain") -> str:
    """`rows` are elements; `label` and `style` are words of ours."""
    columns = "".join(f'<th scope="col">{each}</th>' for each in heads)
    body = "".join(rows)
    return scrolling(label, f'<table class="{style}"><thead><tr>{columns}</tr></thead><tbody>{body}</tbody></table>')


def folded(title: str, note: str, inside: str, state: str = "open") -> str:
    """`state` is `open`, or empty."""
    heading = f'<h3>{title} <small class="quiet">{note}</small></h3>'
    return f"<details {state}><summary>{heading}</summary>{inside}</details>"
