"""A progress line on stderr for work that takes longer than a second, and only where somebody is looking."""

from __future__ import annotations

from time import monotonic

from pisces.ui.screen import visible
from pisces.ui.width import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeVar

    from pisces.ui.screen import Screen

    Each = TypeVar("Each")

PATIENCE = 1.0
EVERY = 0.1


def reporter(screen: Screen) -> Callable[[str], None]:
    """Shows lines. One that ends with a carriage return is for terminals only, and the next line takes its place."""

    def report(text: str) -> None:
        if not text.endswith("\r"):
            screen.note(visible(text))
        elif screen.err_is_terminal:
            line = visible(text.rstrip("\r"))
            screen.progress(cut(line, screen.err_width - 1) if screen.err_width else line)

    return report


def with_progress(items: Iterable[Each], verb: str, screen: Screen) -> Iterator[Each]:
    """The items, with `verb 120` shown while they are worked on."""
    if not screen.err_is_terminal:
        yield from items
        return
    started = shown = monotonic()
    visible = False
    for number, item in enumerate(items, 1):
        yield item
        now = monotonic()
        if now - started > PATIENCE and now - shown > EVERY:
            screen.progress(f"{verb} {number:,} ({now - started:.0f} s)")
            shown, visible = now, True
    if visible:
        screen.progress("")
