"""What shadows what, drawn: on the left the file that a name leads to, on the right those that it hides.

The same is said in words beside each item, so that nobody needs the picture.
"""

from __future__ import annotations

import os

from pisces.discovery.state import SHADOWED
from pisces.ui.plain import counted
from pisces.ui.report.blocks import scrolling
from pisces.ui.report.escape import plain
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.discovery.found import Source
    from pisces.places import Places
    from pisces.ui.report.survey import Survey

_WIDTH, _BOX, _HEIGHT, _STEP = 960, 420, 46, 56
_HEAD, _GAP = 28, 18
_LETTERS = 55  # of the fixed-width font that fit into a box
_MOST_NAMES = 30
_MOST_LOSERS = 8


class Shadow(Value):
    """One file hides others. `losers` has the labels of the harnesses in which each is hidden, by path."""

    kind: str
    title: str
    path: str
    losers: dict[str, list[str]]


def picture(survey: Survey) -> str:
    shadows = _shadows(survey)
    if not shadows:
        return '<p class="quiet">Nothing: no two items of one kind want the same name.</p>'
    drawn, parts, top = shadows[:_MOST_NAMES], [], 0
    for shadow in drawn:
        parts.append(f'<g transform="translate(0 {top})">{_drawn(shadow, survey.places)}</g>')
        top += _height(shadow)
    rest = len(shadows) - len(drawn)
    more = f"<p>And {counted(rest, 'more name')}: see the items below.</p>" if rest else ""
    hidden = sum(len(each.losers) for each in shadows)
    said = f"{counted(hidden, 'item')} hidden by {counted(len(shadows), 'other')} of the same name"
    title = f'<title id="shadows-title">{said}</title>'
    svg = f'<svg viewBox="0 0 {_WIDTH} {top}" role="img" aria-labelledby="shadows-title">{title}{"".join(parts)}</svg>'
    return scrolling("What shadows what", svg) + more


def _shadows(survey: Survey) -> list[Shadow]:
    """By kind and name. A file does not shadow itself, whatever link leads to it."""
    found: dict[tuple[str, str, str], Shadow] = {}
    reals: dict[str, str] = {}
    for kind, rows in survey.rows:
        stands = ((row, column, stand) for row in rows for column, stand in row.stands if stand.state == SHADOWED)
        for row, column, stand in stands:
            winner = stand.winner.source if stand.winner else None
            if winner is None or _real(winner, reals) == _real(stand.found.source, reals):
                continue
            empty = Shadow(kind.singular, row.title, winner.path, {})
            shadow = found.setdefault((kind.id, row.title, winner.path), empty)
            shadow.losers.setdefault(row.path, []).append(column.label)
    return list(found.values())


def _real(source: Source, reals: dict[str, str]) -> str:
    """Each path is looked up once."""
    if source.path not in reals:
        reals[source.path] = os.path.realpath(source.path)
    return reals[source.path]


def _height(shadow: Shadow) -> int:
    boxes = min(len(shadow.losers), _MOST_LOSERS) + (len(shadow.losers) > _MOST_LOSERS)
    return _HEAD + boxes * _STEP + _GAP


def _drawn(shadow: Shadow, places: Places) -> str:
    losers = list(shadow.losers.items())
    more = [("", [f"and {counted(len(losers) - _MOST_LOSERS, 'more file')}"])] if len(losers) > _MOST_LOSERS else []
    parts = [f'<text class="head" y="16">{_cut(shadow.title, 90)} <tspan class="dim">{shadow.kind}</tspan></text>']
    where = dict.fromkeys(label for _, labels in losers for label in labels)
    parts.append(
        _box(0, _HEAD, "wins", (_cut_path(shadow.path, places), f"has the name in {_cut(', '.join(where), 50)}"))
    )
    for number, (path, labels) in enumerate([*losers[:_MOST_LOSERS], *more]):
        top = _HEAD + number * _STEP
        said = f"hidden in {_cut(', '.join(labels), 60)}" if path else labels[0]
        parts.append(_line(top + _HEIGHT // 2))
        parts.append(_box(_WIDTH - _BOX, top, "loses", (_cut_path(path, places), said)))
    return "".join(parts)


def _box(left: int, top: int, style: str, lines: tuple[str, str]) -> str:
    """The inner picture clips what is wider than the box."""
    return (
        f'<svg x="{left}" y="{top}" width="{_BOX}" height="{_HEIGHT}"><rect class="{style}" x="1" y="1" rx="6" '
        f'width="{_BOX - 2}" height="{_HEIGHT - 2}"/><text class="path" x="12" y="19">{lines[0]}</text>'
        f'<text class="dim" x="12" y="36">{lines[1]}</text></svg>'
    )


def _line(end: int) -> str:
    start, left, right = _HEAD + _HEIGHT // 2, _BOX, _WIDTH - _BOX
    middle = (left + right) // 2
    arrow = f"M{right - 8} {end - 4}l7 4l-7 4"
    return f'<path class="line" d="M{left} {start}C{middle} {start} {middle} {end} {right - 2} {end}{arrow}"/>'


def _cut_path(path: str, places: Places) -> str:
    """The end of a path says more than its beginning."""
    shown = places.shown(path) if path else ""
    return plain(shown if len(shown) <= _LETTERS else "…" + shown[-_LETTERS + 1 :])


def _cut(words: str, longest: int) -> str:
    return plain(words if len(words) <= longest else words[: longest - 1] + "…")
