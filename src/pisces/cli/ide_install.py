"""`pisces ide install`: puts a companion into an editor, and says what exactly was done, or why it cannot be."""

from __future__ import annotations

import shlex

from pisces.cli._shell_command import FINE, ShellCommand, add_output_format
from pisces.ide.detect import detected
from pisces.ide.install import Plan, editor_for, installed, plan
from pisces.ide.process_tree import process_tree
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("editor", nargs="?", metavar="EDITOR", help="default: the one that this terminal belongs to")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done")
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    here = None if arguments.editor else detected(places.env, process_tree(places.env).ide.command)
    made = plan(editor_for(arguments.editor or "", here), places)
    said = "" if arguments.dry_run else installed(made)
    if arguments.output_format == "json":
        screen.json({**_as_json(made), "installed": not arguments.dry_run, "said": said or None})
        return FINE
    doing = "would run" if arguments.dry_run else "ran"
    if made.argv:
        screen.line(f"{doing} {visible(shlex.join(made.argv))}")
    else:
        copying = "would copy" if arguments.dry_run else "copied"
        screen.line(f"{copying} {visible(places.shown(made.source))} to {visible(places.shown(made.target))}")
    for line in said.splitlines() if made.argv else ():
        screen.note(f"  | {visible(line)}")
    if made.then and not arguments.dry_run:
        screen.note(f"now {made.then}")
    return FINE


def _as_json(made: Plan) -> dict[str, object]:
    return {
        "editor": made.editor.name,
        "display_name": made.editor.display_name,
        "companion": made.companion,
        "argv": list(made.argv) or None,
        "source": made.source or None,
        "target": made.target or None,
        "then": made.then or None,
    }


_EXAMPLES = (
    ("pisces ide install", "into the editor of this terminal"),
    ("pisces ide install vscode --dry-run", "only say what would be run"),
)
COMMAND = ShellCommand("ide install", "puts a companion into an editor", _EXAMPLES, _arguments, _run)
