"""The shell's entry: finds the command by its file name, so that each call loads only what it needs."""

from __future__ import annotations

import gc
import os
import sys

from pisces import __version__
from pisces.by_name import export_of, names_in
from pisces.cli._own_imports import install
from pisces.cli._quick_words import quick_words
from pisces.cli._shell_command import COULD_NOT_RUN, FINE, OUTPUT_FORMAT, PROBLEMS, SAFE, ShellCommand
from pisces.diagnostics import PiscesError
from pisces.places import SAFE_VARIABLE, places_here
from pisces.ui.plain import show_diagnostics
from pisces.ui.screen import Screen, screen_here

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

COMMANDS = "pisces.cli"
PATIENCE = 100_000  # objects between two collections: what is found is kept, so looking for garbage in it is in vain
_HELP: tuple[list[str], ...] = ([], ["-h"], ["--help"], ["help"])


def main(argv: Sequence[str] | None = None) -> int:
    gc.set_threshold(PATIENCE)
    if argv is None:  # the process is ours
        install()
    _open_closed_streams()
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        status = _answered(words)
        sys.stdout.flush()  # what cannot be written is said here: on its way out Python would only complain
    except KeyboardInterrupt:  # before the command had begun, or while it ended
        return 130
    except BrokenPipeError:  # the reader has seen enough, as with `| head`
        _forget_output()
        return FINE
    except OSError as error:
        if error.filename is not None or error.errno is None:  # not of a stream that is open: a mistake of ours
            raise
        sys.stderr.write(f"pisces: the output cannot be written: {(error.strerror or '').lower()}\n")
        _forget_output()
        return COULD_NOT_RUN
    if argv is None:
        gc.freeze()  # the process ends here: Python would look through all of it once more
        _end_despite_threads(status)
    return status


def _end_despite_threads(status: int) -> None:
    """Python would wait for threads that a module left behind, perhaps for ever. Their module was named before."""
    threading = sys.modules.get("threading")
    threads = threading.enumerate() if threading is not None else ()
    if threading is not None and any(not each.daemon and each is not threading.main_thread() for each in threads):
        import atexit  # only here

        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _answered(words: list[str]) -> int:
    before = [word for word in words[:1] if word == SAFE]
    words = words[len(before) :]
    name, rest = _command_in(words)
    if not name and _is_for_agent(words):
        name, rest = "_agent", words
    return _run(export_of(COMMANDS, name, "COMMAND"), [*before, *rest]) if name else _helped(words)


def _is_for_agent(words: list[str]) -> bool:
    """`pisces` alone in a terminal, or with options of the agent before anything else."""
    if not words:
        return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
    return words[0].startswith("-") and words[:1] not in (*_HELP, ["-V"], ["--version"])


def _open_closed_streams() -> None:
    """`>&-` closes what everything here takes for granted; whatever is written there is for nobody."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


def _forget_output() -> None:
    """What is still to be written is forgotten: Python would try it again on its way out, and complain."""
    sys.stdout = sys.stderr = None
    _open_closed_streams()


def _run(command: ShellCommand, words: list[str]) -> int:
    screen = screen_here(os.environ, _format_in(words))
    try:
        arguments = quick_words(command, words) or _parsed(command, words, screen)
    except SystemExit as stop:  # help, or a mistake
        status = int(export_of(COMMANDS, "_parser", "shown")(stop, screen))
    else:
        screen = screen_here(os.environ, arguments.output_format)
        status = _ran(command, arguments, screen)
    screen.finish(status)
    return status


def _parsed(command: ShellCommand, words: list[str], screen: Screen) -> Any:
    return export_of(COMMANDS, "_parser", "parser_of")(command, screen.width).parse_args(words)


def _ran(command: ShellCommand, arguments: Any, screen: Screen) -> int:
    try:
        places = places_here()
    except FileNotFoundError:
        screen.note("pisces: the current folder does not exist any more; go to another one")
        return COULD_NOT_RUN
    if arguments.safe:
        places = places.replace(env={**places.env, SAFE_VARIABLE: "1"})
    try:
        return command.run(arguments, places, screen)
    except PiscesError as error:
        show_diagnostics([error.diagnostic], places, screen)
        return PROBLEMS
    except KeyboardInterrupt:
        screen.note("stopped")
        return 130
    except OSError as error:
        if error.filename is None and not isinstance(error, FileNotFoundError):  # of a stream: `main` answers for it
            raise
        show_diagnostics([export_of("pisces", "disk", "disk_fault")(error)], places, screen)
        return PROBLEMS


def _command_in(words: list[str]) -> tuple[str, list[str]]:
    """`extensions list` is the file `extensions_list`, `list` is the file `list`."""
    names = names_in(COMMANDS)
    both = "_".join(words[:2]).replace("-", "_")
    if len(words) > 1 and both in names:
        return both, words[2:]
    return (words[0], words[1:]) if words and words[0] in names else ("", words)


def _helped(words: list[str]) -> int:
    """What is no command: help, the version, a group of commands, or a mistake."""
    screen = screen_here(os.environ, _format_in(words))
    words = _without_format(words)
    if words[:1] in _HELP:
        export_of(COMMANDS, "_help", "show_help")(screen)
    elif words[0] in ("-V", "--version"):
        screen.line(f"pisces {__version__}")
    elif words[1:] in _HELP and any(name.startswith(f"{words[0]}_") for name in names_in(COMMANDS)):
        export_of(COMMANDS, "_help", "show_help")(screen, words[0])
    else:
        export_of(COMMANDS, "_help", "show_unknown")(words, screen)
        screen.finish(COULD_NOT_RUN)
        return COULD_NOT_RUN
    screen.finish(FINE)
    return FINE


def _format_in(words: list[str]) -> str:
    """The output format that is asked for, also where the words are wrong otherwise."""
    return "json" if f"{OUTPUT_FORMAT}=json" in words or [OUTPUT_FORMAT, "json"] in _pairs(words) else "text"


def _without_format(words: list[str]) -> list[str]:
    made = [word for word in words if not word.startswith(f"{OUTPUT_FORMAT}=")]
    while OUTPUT_FORMAT in made:
        at = made.index(OUTPUT_FORMAT)
        del made[at : at + 2]
    return made


def _pairs(words: list[str]) -> list[list[str]]:
    return [words[at : at + 2] for at in range(len(words))]


if __name__ == "__main__":
    sys.exit(main())
