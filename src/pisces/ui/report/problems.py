"""What is wrong, with file, line and column, the worst first."""

from __future__ import annotations

from pisces.diagnostics import ERROR, NOTE, SEVERITIES, WARNING
from pisces.ui.plain import shortened
from pisces.ui.report.blocks import UNFOLDED, folded, table
from pisces.ui.report.escape import prose, text
from pisces.ui.report.places_text import place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.diagnostics import Diagnostic
    from pisces.places import Places
    from pisces.ui.report.survey import Survey

_TITLES = {ERROR: "Errors", WARNING: "Warnings", NOTE: "Notes"}
_STYLES = {ERROR: "bad", WARNING: "warn", NOTE: "quiet"}


def problems(survey: Survey) -> str:
    if not survey.problems:
        return '<p class="quiet">None.</p>'
    return "".join(
        _group(severity, [each for each in survey.problems if each.severity == severity], survey.places)
        for severity in SEVERITIES
    )


def badge(problem: Diagnostic) -> str:
    return f'<span class="badge {_STYLES[problem.severity]}">{problem.severity}</span>'


def _group(severity: str, some: Sequence[Diagnostic], places: Places) -> str:
    if not some:
        return ""
    title = _TITLES[severity]
    ordered = sorted(some, key=lambda each: (places.shown(each.path), each.line, each.column))
    rows = (_line(each, places) for each in ordered)
    inside = table(title, ("where", "what is wrong", "rule"), rows, "problems")
    return folded(title, f"{len(some):,}", inside, "open" if severity == ERROR or len(some) <= UNFOLDED else "")


def _line(problem: Diagnostic, places: Places) -> str:
    where = place(problem.path, places, problem.line, problem.column) if problem.path else ""
    hint = f'<br><span class="quiet">{prose(shortened(problem.hint, places))}</span>' if problem.hint else ""
    message = prose(shortened(problem.message, places))
    return f'<tr><td>{where}</td><td>{message}{hint}</td><td class="quiet">{text(problem.code)}</td></tr>'
