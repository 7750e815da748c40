"""`pisces --help`: the commands that people need first, then all others in groups. No command is loaded for it."""

from __future__ import annotations

from pisces.by_name import names_in, text_in
from pisces.ui.width import folded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.ui.screen import Screen

COMMANDS = "pisces.cli"
SUMMARIES = "summaries.txt"  # a command a line: its name, a tab, its summary
FIRST = ("list", "why", "doctor", "check", "extensions install", "run")
_TITLES = {"extensions": "packages", "commands": "slash commands", "modules": "modules", "ide": "editors"}
_NAMES = 22
_AGENT = (
    ("pisces", "in this terminal"),
    ('pisces -p "PROMPT"', "one answer; text can be piped in (pisces -p --help)"),
)
_WIDE = 60  # columns


def show_help(screen: Screen, group: str = "") -> None:
    """All commands, or those that begin with a word."""
    summaries = dict(line.split("\t") for line in text_in(COMMANDS, SUMMARIES).splitlines())
    screen.line("pisces finds, checks and runs the extensions of every coding agent.")
    if not group:
        screen.lines(["", screen.styled("the agent:", "bold")])
        screen.lines(line for name, summary in _AGENT for line in _lines(name, summary, screen.width))
    screen.lines(["", "usage: pisces COMMAND ..."])
    for title, names in _groups(list(summaries), group):
        screen.lines(["", screen.styled(f"{title}:", "bold")])
        screen.lines(line for name in names for line in _lines(name, summaries[name], screen.width))
    screen.line()
    screen.line("pisces COMMAND --help has examples. Exit codes: 0 fine, 1 problems found, 2 could not run.")
    screen.line("pisces --safe COMMAND, or PISCES_SAFE=1: everything is listed, nothing that was found runs.")


_ALL = 'pisces --help lists them all; pisces -p "PROMPT" asks the agent'


def show_unknown(words: list[str], screen: Screen) -> None:
    """Says what was probably meant: `lst` is `list`, `install x` is `extensions install`."""
    from difflib import get_close_matches  # slow to import, and needed only here

    known = [name.replace("_", " ", 1) for name in names_in(COMMANDS)]
    group = [name for name in known if name.startswith(f"{words[0]} ")]
    last = get_close_matches(words[0], {name.split()[-1] for name in known}, 1) if not group else []
    near = [name for name in known if name in last] or [name for name in known if name.split()[-1] in last]
    near = near or get_close_matches(" ".join(words[:2]), group or known, 1)
    meant = " or ".join(f"`pisces {name}`" for name in near)
    everything = f"pisces {words[0]} lists them all" if group else _ALL
    hint = f"did you mean {meant}?" if near else everything
    screen.failed(f"pisces: no command is called `{' '.join(words[:2])}`", hint)


def _groups(names: list[str], only: str) -> Iterator[tuple[str, list[str]]]:
    if only:
        yield _TITLES.get(only, only), [name for name in names if name.startswith(f"{only} ")]
        return
    rest = [name for name in names if name not in FIRST]
    alone = [name for name in rest if " " not in name]
    yield "the first six", [name for name in FIRST if name in names]
    yield "more", alone
    for word in dict.fromkeys(name.split(" ")[0] for name in rest if " " in name):
        yield _TITLES.get(word, word), [name for name in rest if name.startswith(f"{word} ")]


def _lines(name: str, summary: str, width: int) -> Iterator[str]:
    """Side by side, or below each other where the terminal is narrow."""
    beside = not width or width >= _WIDE
    start = f"  {name:<{_NAMES}} " if beside else "      "
    first, *rest = folded(summary, max(width - len(start), 1) if width else 0, 0)
    if not beside:
        yield f"  {name}"
    yield start + first
    yield from (" " * len(start) + line for line in rest)
