"""`pisces sessions show SESSION`: the end of a conversation, or all of it."""

from __future__ import annotations

from itertools import islice

from pisces.agent.transcript_entry import MESSAGE
from pisces.agent.transcript_markdown import markdown_of, session_facts
from pisces.cli._sessions import add_session, transcript_meant
from pisces.cli._shell_command import FINE, ShellCommand, add_output_format
from pisces.diagnostics import ERROR, Diagnostic, PiscesError
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen

_NEWEST = "20"


def _arguments(parser: ArgumentParser) -> None:
    add_session(parser)
    parser.add_argument("--last", metavar="N", default=_NEWEST, help=f"the newest N messages ({_NEWEST}); 0 for all")
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    transcript, last = transcript_meant(arguments.session, places), _count(arguments.last)
    backwards = (each for each in transcript.newest() if arguments.output_format == "text" or each.kind == MESSAGE)
    entries = list(islice(backwards, last or None))[::-1]
    if arguments.output_format == "json":
        messages = [{**each.as_json(), **transcript.whole(each)} for each in entries]
        screen.json({"facts": dict(session_facts(transcript)), "path": transcript.path, "messages": messages})
        return FINE
    for block in markdown_of(transcript, entries):
        screen.lines(block.removesuffix("\n").split("\n"))
    for label, value in session_facts(transcript):
        screen.note(f"{label}: {visible(value)}")
    return FINE


def _count(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    hint = "as in --last 20; 0 means all"
    raise PiscesError(Diagnostic("bad-last", ERROR, f"`--last {text}` is not a number", hint=hint))


_EXAMPLES = (
    ("pisces sessions show last", "how the last session ended"),
    ("pisces sessions show 4f1c09ab --last 0", "all of another one"),
)
COMMAND = ShellCommand("sessions show", "the end of a session, or all of it", _EXAMPLES, _arguments, _run)
