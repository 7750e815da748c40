"""Every item by kind: where it is, which harnesses load it, and why others do not, with what would change that."""

from __future__ import annotations

from pisces.discovery.state import ACTIVE, INVALID, OFF, REFUSED, SHADOWED, UNTRUSTED, WAITING
from pisces.ui.plain import shortened
from pisces.ui.report.blocks import UNFOLDED, folded, table
from pisces.ui.report.escape import code, name, prose, text
from pisces.ui.report.places_text import place
from pisces.ui.titles import title_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.discovery.capability import Capability
    from pisces.discovery.found import Candidate, Found
    from pisces.discovery.state import State
    from pisces.places import Places
    from pisces.ui.report.survey import Row, Survey

_LONGEST = 200  # characters of a description
_STYLES = {
    OFF: "quiet",
    SHADOWED: "quiet",
    UNTRUSTED: "warn",
    WAITING: "warn",
    INVALID: "bad",
    REFUSED: "bad",
}


def items(survey: Survey) -> str:
    return "".join(_kind(kind, rows, survey.places) for kind, rows in survey.rows) or '<p class="quiet">Nothing.</p>'


def _kind(kind: Capability, rows: Sequence[Row], places: Places) -> str:
    loaded = sum(row.is_loaded for row in rows)
    rest = f", {len(rows) - loaded:,} not" if len(rows) > loaded else ""
    title = kind.plural[0].upper() + kind.plural[1:]
    lines = (_line(row, places) for row in rows)
    inside = table(title, ("name", "where", "loads in", "does not load in"), lines, "items")
    target = f'<div id="{kind.id}">{inside}</div>'  # inside, because a browser unfolds what a link leads into
    return folded(title, f"{loaded:,} load{rest}", target, "open" if len(rows) <= UNFOLDED else "")


def _line(row: Row, places: Places) -> str:
    """Its classes say which columns find it (`h`) and which of them do not load it (`n`); the filter reads them."""
    found, source = row.found, row.found.source
    classes = "".join(
        f" h{column.number}" + ("" if stand.state == ACTIVE else f" n{column.number}") for column, stand in row.stands
    )
    whose = f", package {name(found.package)}" if found.package else ""
    loads = ", ".join(name(column.label) for column, stand in row.stands if stand.state == ACTIVE)
    return (
        f'<tr class="i{classes}{"" if row.is_loaded else " none"}"><th scope="row">{name(row.title)}{_other_names(row)}'
        f'{_detail(row.kind.id, found, places)}</th><td>{place(row.path, places)}<br><small class="quiet">'
        f"{text(source.level)}{whose}</small></td><td>{loads}</td><td>{_reasons(row, places)}</td></tr>"
    )


def _other_names(row: Row) -> str:
    """The names that other harnesses give to the same file."""
    names: dict[str, list[str]] = {}
    for column, stand in row.stands:
        title = title_of(row.kind.id, stand.found.item)
        if title != row.title:
            names.setdefault(title, []).append(name(column.label))
    return "".join(
        f'<br><small class="quiet">{name(each)} in {", ".join(labels)}</small>' for each, labels in names.items()
    )


def _detail(kind: str, found: Found, places: Places) -> str:
    """What tells two of a name apart. Environments, headers and values of settings are never shown."""
    item = found.item
    if kind in ("mcp-servers", "hooks"):
        line = item.launch if kind == "mcp-servers" else str(item.command)
        return f"<br>{code(shortened(line, places))}" if line else ""
    said = item.version if kind == "packages" else getattr(item, "description", "")
    return f'<br><small class="quiet">{text(said, _LONGEST)}</small>' if isinstance(said, str) and said else ""


def _reasons(row: Row, places: Places) -> str:
    """Harnesses with the same reason share a paragraph."""
    said: dict[str, list[str]] = {}
    for column, stand in row.stands:
        if stand.state != ACTIVE:
            said.setdefault(_reason(stand, places), []).append(name(column.label))
    return "".join(f"<p>{', '.join(labels)}: {reason}</p>" for reason, labels in said.items())


def _reason(stand: Candidate, places: Places) -> str:
    winner = stand.winner.source if stand.winner is not None and stand.state == SHADOWED else None
    said = [f'<span class="badge {_STYLES.get(stand.state, "quiet")}">{text(stand.state)}</span>']
    if winner is not None:
        said.append(f"by {place(winner.path, places)}")
    if stand.reason and winner is None:
        said.append(prose(shortened(stand.reason, places)))
    elif winner is not None and winner.harness != stand.found.source.harness:
        said.append(f"({prose(shortened(stand.reason, places))})")
    return " ".join(said) + (_switch(stand.held, places) if stand.held else "")


def _switch(held: State, places: Places) -> str:
    """What decides it, and what would change it."""
    where = f" {place(held.path, places, held.line)}" if held.path else ""
    change = f'<br><span class="quiet">{prose(shortened(held.change, places))}</span>' if held.change else ""
    return where + change
