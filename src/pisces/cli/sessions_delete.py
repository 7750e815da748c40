"""`pisces sessions delete SESSION`: removes a conversation from the disk, after a question."""

from __future__ import annotations

from pisces.agent.transcript_places import delete_session
from pisces.audit.record import ChangedRecord
from pisces.cli._audit import audit_of
from pisces.cli._sessions import add_session, transcript_meant
from pisces.cli._shell_command import FINE, PROBLEMS, ShellCommand, add_output_format
from pisces.gates.judge import USER
from pisces.ui.asking import answer_to, can_ask
from pisces.ui.plain import counted
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.agent.transcript import Transcript
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen


def _arguments(parser: ArgumentParser) -> None:
    add_session(parser)
    parser.add_argument("--yes", action="store_true", help="without the question, for scripts")
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    transcript = transcript_meant(arguments.session, places)
    refusal = _refusal(transcript, arguments, screen)
    if refusal:
        screen.failed(refusal, "`--yes` deletes without a question")
        return PROBLEMS
    delete_session(transcript.path)
    who = "--yes" if arguments.yes else USER
    audit_of(places, screen).write(ChangedRecord("deleted", "session", transcript.id, path=transcript.path, who=who))
    if arguments.output_format == "json":
        screen.json({"deleted": transcript.id, "path": transcript.path})
    else:
        screen.note(f"deleted: {transcript.id}")
    return FINE


def _refusal(transcript: Transcript, arguments: Namespace, screen: Screen) -> str:
    """Why nothing is deleted; empty where somebody said yes."""
    if arguments.yes:
        return ""
    if not can_ask(screen):
        return "nobody can be asked here, so nothing is deleted"
    totals = transcript.totals
    title = visible(totals.name or totals.first or "nothing was said")
    screen.note(f"{transcript.id}  {title}  ({counted(totals.messages, 'message')}, {visible(totals.cwd)})")
    said_yes = answer_to("Delete it for good? [y/N] ", screen).strip().lower() in ("y", "yes")
    return "" if said_yes else "nothing is deleted"


_EXAMPLES = (
    ("pisces sessions delete 4f1c09ab", "shows which one it is, and asks"),
    ("pisces sessions delete last --yes", "without the question, for scripts"),
)
COMMAND = ShellCommand("sessions delete", "removes a session from the disk", _EXAMPLES, _arguments, _run)
