"""`pisces report`: the truth about a workspace as one page that needs nothing else. Looks, never runs anything."""

from __future__ import annotations

import os
import stat
import time

from pisces.atomic import write_atomically
from pisces.cli._shell_command import FINE, ShellCommand, add_output_format, add_switches
from pisces.cli._switches import switches_for
from pisces.diagnostics import ERROR, SEVERITIES, Diagnostic, PiscesError
from pisces.discovery.capabilities import CAPABILITIES
from pisces.discovery.harness import Run
from pisces.ui.plain import counted, summary_of
from pisces.ui.progress import with_progress
from pisces.ui.report.page import MARK, page
from pisces.ui.report.survey import Survey, survey
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen

FILE = "pisces-report.html"
STDOUT = "-"
_HEAD = 2000  # bytes in which a page of ours says that it is one


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", default=FILE, metavar="FILE", help=f"where to write ({FILE}); - for stdout")
    parser.add_argument("--force", action="store_true", help="overwrite a file even if it is no report")
    add_switches(parser)
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    path = "" if arguments.file == STDOUT else places.absolute(arguments.file)
    if path:
        _refuse(path, arguments.file, force=arguments.force)
    switches = switches_for(arguments, places, screen)
    found = survey(places, switches, Run(), with_progress(CAPABILITIES, "looked for", screen))
    html = page(found, time.strftime("%d %B %Y, %H:%M"))
    if path:
        _write(path, arguments.file, html)
    if arguments.output_format == "json":
        screen.json({**_figures(found, path, html), **({} if path else {"html": html})})
    elif path:
        screen.line(f"wrote {visible(arguments.file)} ({counted(len(html.encode()) // 1024 + 1, 'KB', 'KB')})")
        screen.note(summary_of(found.problems))
    else:
        screen.text(html.encode("ascii", "xmlcharrefreplace").decode())  # whatever the encoding of stdout is
    return FINE


def _refuse(path: str, shown: str, *, force: bool) -> None:
    """Before anything is looked for. Devices and folders are never replaced, whatever is asked for."""
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return
    except (OSError, ValueError) as error:
        raise _not_written(shown, _reason(error)) from None
    if not stat.S_ISREG(mode) and not stat.S_ISLNK(mode):
        raise _not_written(shown, "is not a file", "name a file, or - for stdout")
    if not force and not _is_ours(path):
        raise _not_written(shown, "is there, and is no report of pisces", "name another file, or use --force")


def _is_ours(path: str) -> bool:
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return False
        with open(path, "rb") as file:
            return MARK.encode() in file.read(_HEAD)
    except OSError:
        return False


def _write(path: str, shown: str, html: str) -> None:
    try:
        write_atomically(path, html.encode())
    except (OSError, ValueError) as error:
        raise _not_written(shown, _reason(error)) from None


def _reason(error: OSError | ValueError) -> str:
    return f"cannot be written: {(getattr(error, 'strerror', None) or str(error)).lower()}"


def _not_written(shown: str, why: str, hint: str = "") -> PiscesError:
    return PiscesError(Diagnostic("report-not-written", ERROR, f"`{shown}` {why}", hint=hint))


def _figures(found: Survey, path: str, html: str) -> dict[str, Any]:
    rows = [row for _, some in found.rows for row in some]
    severities = [each.severity for each in found.problems]
    return {
        "path": path or None,
        "bytes": len(html.encode()),
        "harnesses": [column.label for column in found.columns],
        "items": len(rows),
        "loaded": sum(row.is_loaded for row in rows),
        "acts": len(found.acting),
        "dangerous": sum(each.dangerous for each in found.acting),
        "problems": {each: severities.count(each) for each in SEVERITIES},
    }


_EXAMPLES = (
    ("pisces report", f"writes {FILE}, to be opened in a browser"),
    ("pisces report ~/audit/tidewater.html", "somewhere else"),
    ("pisces report --harness gemini - | less", "about one program, to stdout"),
)
_SUMMARY = "one page of HTML to look at: what loads where, what runs by itself, problems, what shadows what"
COMMAND = ShellCommand("report", _SUMMARY, _EXAMPLES, _arguments, _run)
