"""What a command of a shell line gets: its arguments and its stdin, with the user's words in them."""

from __future__ import annotations

import re

from pisces.formats.shell.syntax import HOLE
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    Taint: TypeAlias = frozenset[int]

UNKNOWN = "\1"  # stands in the text of an argument for what only the shell will know
OWN_PATH = "\2"  # stands there for a path of ours, such as the folder of the package
CLEAN: Taint = frozenset()
WORLD: Taint = frozenset((-1,))  # what a program prints, or a folder holds: all that the line has stored may be in it
_PATTERN = re.compile(r"[*?\[]|\{\}")


class Argument(Value):
    """A word as a command gets it. `text` has HOLE for the user's words and UNKNOWN for what the shell puts in.

    `marks` says for each HOLE whose words those are. `splits` is set if the shell may make several words of it,
    `is_list` if it is a placeholder for any number of words, `is_file` if it names a pipe that
    a command of the line fills, `is_found` if a program prints a part of it, or the shell finds it in a folder.
    """

    text: str
    marks: tuple[Taint, ...] = ()
    splits: bool = False
    is_list: bool = False
    is_file: bool = False
    is_found: bool = False

    @property
    def taint(self) -> Taint:
        return CLEAN.union(*self.marks)

    @property
    def held(self) -> Taint:
        """Whose words may be in it, also by way of what the line has stored."""
        return self.taint | (WORLD if self.is_found else CLEAN)

    @property
    def is_literal(self) -> bool:
        return self.is_known and not self.splits

    @property
    def is_known(self) -> bool:
        return not any(sign in self.text for sign in (HOLE, UNKNOWN, OWN_PATH))

    @property
    def begins_with_words(self) -> bool:
        return self.text.startswith(HOLE)


class CommandCall(Value):
    """A command with what it gets: `arguments`, its own name first, and whose words come in by its stdin."""

    arguments: tuple[Argument, ...]
    stdin: Taint

    @property
    def taint(self) -> Taint:
        return self.stdin.union(*(each.taint for each in self.arguments))


def file_stem(argument: Argument) -> str:
    """A file's name without folders and ending: `cd`, `mv` and `import` leave no more of it. Empty if only the shell
    will know it."""
    name = argument.text.removeprefix("if=").rsplit("/", 1)[-1]
    if not Argument(name).is_known or _PATTERN.search(name):
        return ""
    return name.lstrip(".").split(".")[0] or name


def joined(arguments: Sequence[Argument]) -> Argument:
    """Several arguments as one text with blanks between them, as `eval` and `ssh` do it."""
    marks = tuple(mark for each in arguments for mark in each.marks)
    is_found = any(each.is_found for each in arguments)
    return Argument(" ".join(each.text for each in arguments), marks, is_found=is_found)
