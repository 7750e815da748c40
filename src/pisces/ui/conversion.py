"""A loss report for people: grouped by component, the worst first, then what was written."""

from __future__ import annotations

from pisces.converting.output import NEW, SAME, STALE, written
from pisces.diagnostics import SEVERITIES
from pisces.ui.plain import counted, diagnostic_lines, summary_of
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pisces.converting.fate import Fate
    from pisces.converting.output import PlannedFile
    from pisces.converting.report import ConversionReport
    from pisces.places import Places
    from pisces.ui.screen import Screen

_STYLE = {"error": "red", "warning": "yellow", "note": "cyan"}


def report_lines(report: ConversionReport, least: str, places: Places, screen: Screen) -> Iterator[str]:
    """Losses down to a severity, by component."""
    shown = SEVERITIES[: SEVERITIES.index(least) + 1]
    groups: dict[tuple[str, str], list[Fate]] = {}
    for fate in report.losses:
        if fate.severity in shown:
            groups.setdefault((fate.subject, fate.path), []).append(fate)
    for (subject, path), fates in groups.items():
        place = f"  {screen.styled(visible(path), 'dim')}" if path else ""
        yield f"{screen.styled(visible(subject), 'bold')}{place}"
        for fate in fates:
            yield from _fate_lines(fate, screen)
    others = (*report.converted.diagnostics, *report.problems)
    for each in sorted(others, key=lambda each: SEVERITIES.index(each.severity)):
        if each.severity in shown:
            yield from diagnostic_lines(each, places, screen)


def _fate_lines(fate: Fate, screen: Screen) -> Iterator[str]:
    where = ", ".join(filter(None, (f"line {fate.line}" if fate.line else "", visible(fate.field))))
    severity = screen.styled(fate.severity, _STYLE[fate.severity])
    code = screen.styled(f"[{fate.code}]", "dim")
    yield f"  {severity} {code} {fate.kind}{f' ({where})' if where else ''}: {visible(fate.why)}"
    if fate.fix:
        yield f"    {screen.styled('hint:', 'cyan')} {visible(fate.fix)}"


def summary_line(report: ConversionReport, least: str) -> str:
    """`gemini: 12 mapped, 1 dropped; 1 error, 2 notes (--severity note shows the rest)`."""
    shown = SEVERITIES[: SEVERITIES.index(least) + 1]
    counts = ", ".join(f"{number:,} {kind}" for kind, number in report.counts.items() if number)
    hidden = [each.severity for each in report.diagnostics if each.severity not in shown]
    worst = min(hidden, key=SEVERITIES.index, default="")
    advice = f" (--severity {SEVERITIES[-1] if worst else ''} shows the rest)" if worst else ""
    return f"{report.converted.target}: {counts or 'nothing to convert'}; {summary_of(report.diagnostics)}{advice}"


def files_line(plan: Iterable[PlannedFile], verb: str) -> str:
    """`wrote 3 files: 1 new, 2 changed; 4 are the same`, or that nothing is to be written."""
    every = list(plan)
    changed = written(every)
    same = sum(each.state == SAME for each in every)
    if not changed:
        return f"nothing to write: {counted(same, 'file')} as before"
    states = [each.state for each in changed]
    counts = (
        (states.count(NEW), "new"),
        (len(states) - states.count(NEW) - states.count(STALE), "changed"),
        (states.count(STALE), "removed"),
    )
    what = ", ".join(f"{number:,} {word}" for number, word in counts if number)
    return f"{verb} {counted(len(changed), 'file')}: {what}" + (f"; {same:,} as before" if same else "")


def plan_lines(plan: Iterable[PlannedFile], screen: Screen) -> Iterator[str]:
    """One line for each file that differs."""
    styles = {NEW: "green", STALE: "red"}
    for each in written(plan):
        word = "removed" if each.state == STALE else each.state
        edited = "  (edited since it was written)" if each.edited else ""
        yield f"{screen.styled(f'{word:<8}', styles.get(each.state, 'yellow'))} {visible(each.path)}{edited}"
