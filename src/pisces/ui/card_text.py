"""The consent card for people: what the package can do, line by line, then its hash."""

from __future__ import annotations

from pisces.packages.card import KINDS, Card, CardLine
from pisces.ui.plain import counted
from pisces.ui.screen import Screen, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


MOST_LINES = 40  # of one kind; the rest is counted, and `--full-card` shows it


def card_lines(card: Card, screen: Screen, *, most: int = MOST_LINES) -> Iterator[str]:
    yield screen.styled(f"{visible(card.name)} {visible(card.version)}", "bold") + f" ({card.format})"
    yield f"from {visible(card.source)}"
    yield f"{counted(card.files, 'file')}, {card.bytes:,} bytes"
    for kind, title in KINDS:
        texts = card.of_kind(kind)
        if texts:
            yield f"{title}:"
            yield from (f"  {visible(text)}" for text in texts[:most])
            if len(texts) > most:
                yield f"  and {len(texts) - most:,} more"
    if not card.lines:
        yield "brings nothing that runs"
    yield f"hash {card.hash}"


def change_lines(
    added: list[CardLine], removed: list[CardLine], files: list[tuple[str, str]], screen: Screen
) -> Iterator[str]:
    """What an update would change, for somebody who agreed to the version before."""
    yield screen.styled("changes:", "bold")
    yield from (screen.styled(f"  + {line.kind}: {visible(line.text)}", "green") for line in added)
    yield from (screen.styled(f"  - {line.kind}: {visible(line.text)}", "red") for line in removed)
    if not added and not removed:
        yield "  it can do the same as before; only contents changed"
    for state, path in files[:MOST_LINES]:
        yield f"  {state} {visible(path)}"
    if len(files) > MOST_LINES:
        yield f"  and {len(files) - MOST_LINES:,} more files"
