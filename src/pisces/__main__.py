"""The shell's entry: finds the command by its file name, so that each call loads only what it needs."""

from __future__ import annotations

import gc
import sys

from pisces import __version__
from pisces.by_name import export_of, names_in
from pisces.cli._quick_words import quick_words
from pisces.cli._shell_command import COULD_NOT_RUN, PROBLEMS, ShellCommand
from pisces.diagnostics import PiscesError
from pisces.places import places_here
from pisces.ui.plain import show_diagnostics
from pisces.ui.screen import screen_here

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = "pisces.cli"
PATIENCE = 100_000  # objects between two collections: what is found is kept, so looking for garbage in it is in vain


def main(argv: Sequence[str] | None = None) -> int:
    gc.set_threshold(PATIENCE)
    words = list(sys.argv[1:] if argv is None else argv)
    if not words or words[0] in ("-h", "--help", "help"):
        return _help()
    if words[0] in ("-V", "--version"):
        sys.stdout.write(f"pisces {__version__}\n")
        return 0
    if words[0] not in names_in(COMMANDS):
        return _unknown(words[0])
    return _run(export_of(COMMANDS, words[0], "COMMAND"), words[1:])


def _run(command: ShellCommand, words: list[str]) -> int:
    places = places_here()
    screen = screen_here(places.env)
    arguments = quick_words(command, words) or export_of(COMMANDS, "_parser", "parser_of")(command).parse_args(words)
    try:
        return command.run(arguments, places, screen)
    except PiscesError as error:
        show_diagnostics([error.diagnostic], places, screen)
        return PROBLEMS
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader has seen enough, as with `| head`
        sys.stderr.close()
        return PROBLEMS


def _help() -> int:
    lines = ["pisces finds, checks and runs the extensions of every coding agent.", "", "usage: pisces COMMAND ...", ""]
    for name in names_in(COMMANDS):
        lines.append(f"  {name:<12} {export_of(COMMANDS, name, 'COMMAND').summary}")
    lines += ["", "pisces COMMAND --help has examples. Exit codes: 0 fine, 1 problems found, 2 could not run."]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


def _unknown(word: str) -> int:
    known = names_in(COMMANDS)
    near = [name for name in known if name.startswith(word[:2])] or known
    sys.stderr.write(f"pisces: no command is called `{word}`\n  hint: {', '.join(near)} (pisces --help)\n")
    return COULD_NOT_RUN


if __name__ == "__main__":
    sys.exit(main())
