"""The shell's entry: finds the command by its file name, so that each call loads only what it needs."""

from __future__ import annotations

import gc
import os
import sys

from pisces import __version__
from pisces.by_name import export_of, names_in, text_in
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
SUMMARIES = "summaries.txt"  # a command a line: its name, a tab, its summary
PATIENCE = 100_000  # objects between two collections: what is found is kept, so looking for garbage in it is in vain


def main(argv: Sequence[str] | None = None) -> int:
    gc.set_threshold(PATIENCE)
    _open_closed_streams()
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        status = _answered(words)
        sys.stdout.flush()  # what cannot be written is said here: on its way out Python would only complain
    except BrokenPipeError:  # the reader has seen enough, as with `| head`
        sys.stderr.close()
        return PROBLEMS
    except OSError as error:
        if error.filename is not None or error.errno is None:  # not of a stream that is open: a mistake of ours
            raise
        return _given_up(f"the output cannot be written: {(error.strerror or '').lower()}")
    if argv is None:
        gc.freeze()  # the process ends here: Python would look through all of it once more
    return status


def _answered(words: list[str]) -> int:
    if not words or words[0] in ("-h", "--help", "help"):
        return _help()
    if words[0] in ("-V", "--version"):
        sys.stdout.write(f"pisces {__version__}\n")
        return 0
    name, rest = _command_in(words)
    if name:
        return _run(export_of(COMMANDS, name, "COMMAND"), rest)
    asks = _group(words[0]) and words[1:] in ([], ["-h"], ["--help"], ["help"])
    return _help(words[0]) if asks else _unknown(words)


def _open_closed_streams() -> None:
    """`>&-` closes what everything here takes for granted; whatever is written there is for nobody."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


def _run(command: ShellCommand, words: list[str]) -> int:
    try:
        places = places_here()
    except FileNotFoundError:
        return _given_up("the current folder does not exist any more; go to another one")
    screen = screen_here(places.env)
    arguments = quick_words(command, words) or export_of(COMMANDS, "_parser", "parser_of")(command).parse_args(words)
    try:
        return command.run(arguments, places, screen)
    except PiscesError as error:
        show_diagnostics([error.diagnostic], places, screen)
        return PROBLEMS
    except KeyboardInterrupt:
        screen.note("stopped")
        return 130


def _given_up(why: str) -> int:
    """What is still to be written is forgotten: Python would try it again on its way out, and complain."""
    sys.stderr.write(f"pisces: {why}\n")
    sys.stdout = None
    _open_closed_streams()
    return COULD_NOT_RUN


def _command_in(words: list[str]) -> tuple[str, list[str]]:
    """`extensions list` is the file `extensions_list`, `list` is the file `list`."""
    names = names_in(COMMANDS)
    both = "_".join(words[:2]).replace("-", "_")
    if len(words) > 1 and both in names:
        return both, words[2:]
    return (words[0], words[1:]) if words[0] in names else ("", words)


def _group(word: str) -> list[str]:
    return [name for name in names_in(COMMANDS) if name.startswith(f"{word}_")]


def _help(group: str = "") -> int:
    summaries = [line.split("\t") for line in text_in(COMMANDS, SUMMARIES).splitlines()]
    lines = ["pisces finds, checks and runs the extensions of every coding agent.", "", "usage: pisces COMMAND ...", ""]
    lines += [f"  {name:<22} {summary}" for name, summary in summaries if not group or name.startswith(f"{group} ")]
    lines += ["", "pisces COMMAND --help has examples. Exit codes: 0 fine, 1 problems found, 2 could not run."]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


def _unknown(words: list[str]) -> int:
    """Says what was probably meant: `lst` is `list`, `install x` is `extensions install`."""
    from difflib import get_close_matches  # slow to import, and needed only here

    known = [name.replace("_", " ", 1) for name in names_in(COMMANDS)]
    last = get_close_matches(words[0], {name.split()[-1] for name in known}, 1)
    near = [name for name in known if name in last] or [name for name in known if name.split()[-1] in last]
    near = near or get_close_matches(" ".join(words[:2]), known, 1)
    meant = " or ".join(f"`pisces {name}`" for name in near)
    hint = f"did you mean {meant}?" if near else "pisces --help lists them all"
    sys.stderr.write(f"pisces: no command is called `{' '.join(words[:2])}`\n  hint: {hint}\n")
    return COULD_NOT_RUN


if __name__ == "__main__":
    sys.exit(main())
