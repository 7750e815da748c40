"""The consent card for people: what is dangerous, then all that the package can do, line by line, then its hash.

Nothing is cut. Text of the package is one line each, cannot reach the left margin and has no control characters, so
that no name can look like a line of ours.
"""

from __future__ import annotations

from pisces.packages.card import KINDS, Card, CardLine
from pisces.ui.plain import counted, diagnostic_lines
from pisces.ui.screen import Screen, visible
from pisces.ui.width import broken
from pisces.value import EMPTY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pisces.diagnostics import Diagnostic
    from pisces.places import Places


def card_lines(
    card: Card, screen: Screen, dangers: Mapping[CardLine, str] = EMPTY, above: Iterable[str] = ()
) -> Iterator[str]:
    """`dangers` has reasons that a scan found, beside those that the lines have themselves.

    What is `above` comes before everything that the package can do.
    """
    yield screen.styled(f"{visible(card.name)} {visible(card.version)}", "bold") + f" ({card.format})"
    yield f"from {visible(card.source)}"
    yield f"{counted(card.files, 'file')}, {card.bytes:,} bytes"
    yield from above
    reasons = {line: dangers.get(line) or line.danger for line in card.lines}
    order = {kind: at for at, (kind, _) in enumerate(KINDS)}
    worst = [line for line in card.lines if reasons[line]]
    worst.sort(key=lambda line: (line not in dangers, order[line.kind]))
    if worst:
        yield screen.styled("look at these first:", "red")
        for line in worst:
            yield from _item(f"{line.kind}: {visible(line.text)}", screen)
            yield from _item(f"  because {visible(reasons[line])}", screen)
    for kind, title in KINDS:
        lines = [line for line in card.lines if line.kind == kind]
        if lines:
            yield f"{title}:"
            for line in sorted(lines, key=lambda line: not reasons[line]):
                yield from _item(visible(line.text), screen)
    if not card.lines:
        yield "brings nothing that runs"
    yield f"hash {card.hash}"


def finding_lines(findings: Iterable[Diagnostic], places: Places, screen: Screen) -> Iterator[str]:
    """What the scanner says, with paths in the package."""
    found = [line for each in findings for line in diagnostic_lines(each, places, screen)]
    if found:
        yield screen.styled("the scanner found:", "red")
        for line in found:
            yield from _item(line, screen)


def change_lines(
    added: list[CardLine], removed: list[CardLine], files: list[tuple[str, str]], screen: Screen
) -> Iterator[str]:
    """What an update would change, for somebody who agreed to the version before."""
    yield screen.styled("changes:", "bold")
    for sign, style, lines in (("+", "green", added), ("-", "red", removed)):
        for line in lines:
            yield from (
                screen.styled(part, style) for part in _item(f"{sign} {line.kind}: {visible(line.text)}", screen)
            )
    if not added and not removed:
        yield "  it can do the same as before; only contents changed"
    for state, path in files:
        yield from _item(f"{state} {visible(path)}", screen)


def _item(text: str, screen: Screen) -> Iterator[str]:
    return broken(f"  {text}", screen.err_width)
