"""`pisces sessions export SESSION`: a conversation as Markdown, as one HTML file, or as the lines of its branch."""

from __future__ import annotations

from pisces.agent.transcript_export import EXPORT_FORMATS, MARKDOWN, exported, write_export
from pisces.cli._sessions import add_session, transcript_meant
from pisces.cli._shell_command import FINE, ShellCommand, add_output_format
from pisces.diagnostics import PiscesError
from pisces.disk import disk_fault
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen


def _arguments(parser: ArgumentParser) -> None:
    add_session(parser)
    parser.add_argument("--format", choices=EXPORT_FORMATS, default=MARKDOWN, help="what to make of it")
    parser.add_argument("--out", metavar="FILE", help="where to write it; default: here, to be piped")
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    transcript = transcript_meant(arguments.session, places)
    if not arguments.out:
        for part in exported(transcript, arguments.format):
            screen.text(part)
        return FINE
    path = places.absolute(arguments.out)
    try:
        size = write_export(transcript, arguments.format, path)
    except OSError as error:
        raise PiscesError(disk_fault(error, path)) from None
    if arguments.output_format == "json":
        screen.json({"session": transcript.id, "format": arguments.format, "path": path, "bytes": size})
    else:
        screen.note(f"written: {visible(places.shown(path))}, {size:,} bytes; what was said may be private")
    return FINE


_EXAMPLES = (
    ("pisces sessions export last > talk.md", "the last session as Markdown"),
    ("pisces sessions export 4f1c09ab --format html --out talk.html", "one file, without scripts"),
    ("pisces sessions export last --format jsonl", "the lines of its branch, with all texts in them"),
)
_SUMMARY = "a session as Markdown, HTML or JSON lines"
COMMAND = ShellCommand("sessions export", _SUMMARY, _EXAMPLES, _arguments, _run)
