"""The top of the page: the verdict, the figures, and how much of each kind each harness loads."""

from __future__ import annotations

from pisces.diagnostics import ERROR, WARNING
from pisces.discovery.state import ACTIVE
from pisces.ui.plain import counted
from pisces.ui.report.blocks import table
from pisces.ui.report.escape import name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.ui.report.survey import Column, Survey


def verdict(survey: Survey) -> str:
    """One sentence. Silence is no proof of safety, and is not called one."""
    foreign = sum(each.dangerous and not each.yours for each in survey.acting)
    dangerous = sum(each.dangerous for each in survey.acting)
    if foreign:
        said = f"{_things(foreign)} of this project would run by {_itself(foreign)} and {_looks(foreign)} dangerous."
        return f'<p class="verdict bad"><a href="#acts">{said}</a> Look before you start an agent here.</p>'
    if dangerous:
        said = f"{_things(dangerous)} of yours would run by {_itself(dangerous)} and {_looks(dangerous)} dangerous."
        return f'<p class="verdict warn"><a href="#acts">{said}</a></p>'
    return '<p class="verdict">Nothing that runs by itself here looks dangerous. That is no proof of safety.</p>'


def figures(survey: Survey) -> str:
    rows = [row for _, some in survey.rows for row in some]
    loaded = sum(row.is_loaded for row in rows)
    severities = [each.severity for each in survey.problems]
    dangerous = sum(each.dangerous for each in survey.acting)
    tiles = (
        ("acts", dangerous, "dangerous", "bad" if dangerous else ""),
        ("acts", len(survey.acting), "run by themselves", ""),
        ("items", loaded, "items load", ""),
        ("items", len(rows) - loaded, "do not load anywhere", ""),
        ("problems", severities.count(ERROR), "errors", "bad" if ERROR in severities else ""),
        ("problems", severities.count(WARNING), "warnings", "warn" if WARNING in severities else ""),
    )
    made = (
        f'<li class="{style}"><a href="#{at}"><b>{number:,}</b> {what}</a></li>' for at, number, what, style in tiles
    )
    return f'<ul class="figures">{"".join(made)}</ul>'


def matrix(survey: Survey) -> str:
    """Harness by kind: how many load, of how many that are found."""
    heads = [f'<a href="#{kind.id}">{kind.plural}</a>' for kind, _ in survey.rows]
    counts = _counts(survey)
    rows = (_line(column, survey, counts) for column in survey.columns)
    said = '<p class="quiet">How many items each program loads here, of those that it finds.</p>'
    return said + table("Programs by kind", ("program", *heads, '<a href="#problems">problems</a>'), rows, "matrix")


def _counts(survey: Survey) -> dict[tuple[int, str], list[int]]:
    """For each column and kind: how many load, and how many do not."""
    counts: dict[tuple[int, str], list[int]] = {}
    for kind, rows in survey.rows:
        for column, stand in (each for row in rows for each in row.stands):
            counts.setdefault((column.number, kind.id), [0, 0])[stand.state != ACTIVE] += 1
    return counts


def _line(column: Column, survey: Survey, counts: dict[tuple[int, str], list[int]]) -> str:
    note = ' <small class="quiet">not set up</small>' if column.is_set_up is False else ""
    problems = f'<td class="warn">{column.problems:,}</td>' if column.problems else "<td></td>"
    cells = "".join(_cell(*counts.get((column.number, kind.id), (0, 0))) for kind, _ in survey.rows)
    return f'<tr><th scope="row">{name(column.label)}{note}</th>{cells}{problems}</tr>'


def _cell(loaded: int, rest: int) -> str:
    if not loaded and not rest:
        return "<td></td>"
    return f"<td><b>{loaded:,}</b>{f' <small>of {loaded + rest:,}</small>' if rest else ''}</td>"


def _things(number: int) -> str:
    return counted(number, "thing")


def _itself(number: int) -> str:
    return "itself" if number == 1 else "themselves"


def _looks(number: int) -> str:
    return "looks" if number == 1 else "look"
