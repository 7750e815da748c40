"""`pisces commands trust PUBLISHER KEY`: takes a publisher's new key, after you compared it with what they say."""

from __future__ import annotations

from pisces.audit.record import ChangedRecord
from pisces.cli._audit import audit_of
from pisces.cli._shell_command import FINE, ShellCommand, add_output_format
from pisces.commands.programs.signatures.publishers import forget, publishers, trust
from pisces.commands.programs.signatures.verify import declared_key
from pisces.diagnostics import ERROR, Diagnostic, PiscesError
from pisces.ui.screen import visible
from pisces.ui.table import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("publisher", nargs="?", metavar="PUBLISHER", help="as the package's manifest names it")
    parser.add_argument("key", nargs="?", metavar="KEY", help="the minisign public key, one line that begins with RW")
    parser.add_argument("--forget", action="store_true", help="forget the publisher instead")
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    if arguments.publisher is None:
        _show(arguments, places, screen)
        return FINE
    name = arguments.publisher
    if arguments.forget:
        forget(name, places)
        audit_of(places, screen).write(ChangedRecord("forgotten", "publisher", name))
        screen.note(f"{visible(name)} is forgotten; the next key of that name counts as the first")
        return FINE
    if arguments.key is None:
        hint = f"pisces commands trust {name} RW..., as the message about the changed key shows it"
        raise PiscesError(Diagnostic("no-key-named", ERROR, f"which key of `{name}` is to be trusted?", hint=hint))
    key = declared_key(arguments.key, "")
    trust(name, key, places)
    audit_of(places, screen).write(ChangedRecord("trusted", "publisher", name, text=key.id))
    screen.note(f"{visible(name)} signs with {key.id} from now on")
    return FINE


def _show(arguments: Namespace, places: Places, screen: Screen) -> None:
    known = publishers(places)
    if arguments.output_format == "json":
        shown = [{"publisher": name, "key": each.key.id, "packages": each.packages} for name, each in known.items()]
        screen.json({"publishers": shown})
        return
    rows = [[visible(name), each.key.id, ", ".join(map(visible, each.packages))] for name, each in known.items()]
    screen.lines(table(rows))
    if not known:
        screen.note("no publisher is known yet: the first signed program of each is remembered")


_EXAMPLES = (
    ("pisces commands trust", "who is known, with which key"),
    ("pisces commands trust acme RWQf6LRC...", "acme signs with this key from now on"),
    ("pisces commands trust acme --forget", "as if acme had never been seen"),
)
_SUMMARY = "the publishers whose signatures are known, and how to accept a new key"
COMMAND = ShellCommand("commands trust", _SUMMARY, _EXAMPLES, _arguments, _run)
