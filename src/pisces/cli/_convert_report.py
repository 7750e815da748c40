"""The report of `pisces convert`: on the screen in the format that is asked for, and in a file."""

from __future__ import annotations

import io
import os

from pisces.atomic import write_atomically
from pisces.by_name import export_of
from pisces.converting.report import reports_json
from pisces.disk import disk_faults
from pisces.ui.conversion import files_line, plan_lines, report_lines, summary_line
from pisces.ui.json_text import json_text
from pisces.ui.screen import Screen, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.cli._shell_command import Namespace, Places
    from pisces.converting.report import ConversionReport

SARIF, MARKDOWN = "sarif", "markdown"
FORMATS = (SARIF, MARKDOWN)
_BY_ENDING = {".json": "json", ".sarif": SARIF, ".md": MARKDOWN}


def show_reports(reports: list[ConversionReport], arguments: Namespace, places: Places, screen: Screen) -> None:
    if arguments.output_format == "text":
        _show(reports, arguments, places, screen)
    elif arguments.output_format == MARKDOWN:
        screen.text(_text(reports, MARKDOWN, places))
    else:
        screen.json(_values(reports, arguments.output_format, places))
    if arguments.report:
        write_report(reports, places.absolute(arguments.report), places)


def write_report(reports: list[ConversionReport], path: str, places: Places) -> None:
    """In the format that the name of the file ends with; as text where that says nothing."""
    ending = _BY_ENDING.get(os.path.splitext(path)[1].lower(), "")
    text = _text(reports, ending, places) if ending else "\n".join(_plain(reports, places)) + "\n"
    with disk_faults(os.path.dirname(path)):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        write_atomically(path, text.encode("utf-8", "backslashreplace"))


def is_only_shown(arguments: Namespace) -> bool:
    return bool(arguments.dry_run or arguments.diff or arguments.check)


def _text(reports: list[ConversionReport], output_format: str, places: Places) -> str:
    if output_format == MARKDOWN:
        text: str = export_of("pisces.ui", "conversion_markdown", "markdown")(reports)
        return text
    return json_text(_values(reports, output_format, places)) + "\n"


def _values(reports: list[ConversionReport], output_format: str, places: Places) -> dict[str, Any]:
    if output_format != SARIF:
        return reports_json(reports)
    every = dict.fromkeys(each for report in reports for each in report.diagnostics)
    values: dict[str, Any] = export_of("pisces.ui", "sarif", "sarif")(list(every), places)
    return values


def _plain(reports: list[ConversionReport], places: Places) -> Iterator[str]:
    """All of a report, without colours and not folded."""
    nowhere = Screen(io.StringIO(), io.StringIO(), {})
    for report in reports:
        yield from report_lines(report, "note", places, nowhere)
        yield summary_line(report, "note")


def _show(reports: list[ConversionReport], arguments: Namespace, places: Places, screen: Screen) -> None:
    for report in reports:
        screen.lines(report_lines(report, arguments.severity, places, screen))
        if arguments.dry_run or (arguments.check and not arguments.diff):
            screen.lines(plan_lines(report.plan, screen))
        if arguments.diff:
            screen.lines(export_of("pisces.ui", "conversion_diff", "diff_lines")(report.plan, report.out, screen))
        screen.note(summary_line(report, arguments.severity))
        writes = not is_only_shown(arguments)
        where = f" in {visible(places.shown(report.out))}" if report.out else ""
        if report.out:
            screen.note(files_line(report.plan, "wrote" if writes else "would write") + where)
        for each in report.plan:
            if each.edited and writes:
                what = "stays, though its source is gone" if each.state == "stale" else "was overwritten"
                screen.note(f"{visible(each.path)} was edited since it was written, and {what}")
