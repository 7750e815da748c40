"""A loss report for a pull request: a table of counts, then the losses that matter, the rest folded away.

Text of a package can be no markup, no link and no mention of somebody.
"""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, NOTE, SEVERITIES, WARNING
from pisces.ui.plain import counted
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pisces.converting.fate import Fate
    from pisces.converting.report import ConversionReport
    from pisces.diagnostics import Diagnostic

_SPECIAL = re.compile(r"://|www\.|[\\`*_\[\]#|~<>&@]")
_SPELLED = {"<": "&lt;", ">": "&gt;", "&": "&amp;", "@": "&#64;", "#": "&#35;", "|": "&#124;"}
_SPELLED |= {"://": "&#58;//", "www.": "www&#46;"}  # code hosts make links of addresses
_MOST = 200  # losses of one severity: comments of code hosts have a limit
_MOST_OPEN = 20  # warnings that are not folded away


def markdown(reports: list[ConversionReport]) -> str:
    plugin = reports[0].converted.plugin
    lines = [f"## Conversion of {escaped(f'{plugin.name} {plugin.version}'.strip())}", ""]
    lines += ["| target | mapped | approximated | dropped | widened | errors | warnings | notes |"]
    lines += ["| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for report in reports:
        severities = [each.severity for each in report.diagnostics]
        numbers = [*report.counts.values(), *(severities.count(each) for each in SEVERITIES)]
        lines.append(f"| {report.converted.target} | {' | '.join(map(str, numbers))} |")
    for report in reports:
        lines += _details(report)
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """One line that shows exactly this text. What stands between two backticks is code, in which nothing is markup."""
    parts = " ".join(visible(text).split()).split("`")
    if len(parts) % 2 == 0 or not all(part.strip() for part in parts[1::2]):
        return _escaped("`".join(parts))
    return "".join(f"`{part}`" if at % 2 else _escaped(part) for at, part in enumerate(parts))


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda found: _SPELLED.get(found[0], f"\\{found[0]}"), text)


def _details(report: ConversionReport) -> Iterator[str]:
    others = (*report.converted.diagnostics, *report.problems)
    for severity, title in ((ERROR, "error"), (WARNING, "warning"), (NOTE, "note")):
        rows = [*_loss_rows(each for each in report.losses if each.severity == severity)]
        rows += [_problem_row(each) for each in others if each.severity == severity]
        if not rows:
            continue
        heading = f"{report.converted.target}: {counted(len(rows), title)}"
        more = [f"- and {len(rows) - _MOST:,} more"] if len(rows) > _MOST else []
        rows = [*rows[:_MOST], *more]
        if severity == ERROR or (severity == WARNING and len(rows) <= _MOST_OPEN):
            yield from ("", f"### {heading}", "", *rows)
        else:
            yield from ("", f"<details><summary>{heading}</summary>", "", *rows, "", "</details>")


def _loss_rows(losses: Iterable[Fate]) -> Iterator[str]:
    for each in losses:
        place = f"{each.path}:{each.line}" if each.line else each.path
        field = f", {escaped(each.field)}" if each.field else ""
        fix = f" *{escaped(each.fix)}*" if each.fix else ""
        where = f" ({escaped(place)}{field})" if place else ""
        yield f"- **{each.kind}** {escaped(each.subject)}{where}: {escaped(each.why)}{fix} ({escaped(each.code)})"


def _problem_row(each: Diagnostic) -> str:
    hint = f" *{escaped(each.hint)}*" if each.hint else ""
    where = f"{escaped(each.path)}: " if each.path else ""
    return f"- {where}{escaped(each.message)}{hint} ({escaped(each.code)})"
