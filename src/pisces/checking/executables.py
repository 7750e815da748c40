"""The programs that a target's manifest makes commands, and the places of their fields in it."""

from __future__ import annotations

from pisces.checking.subject import Subject
from pisces.shapes.command import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def is_binary(keys: tuple[str | int, ...]) -> bool:
    """Whether these keys lead to the path of such a program."""
    return keys[:1] == ("commands",) and keys[2:] == ("binary",)


def executables(subject: Subject) -> Iterator[Command]:
    for found in subject.every("commands"):
        if found.item.executable:
            yield found.item


def executable_place(subject: Subject, command: Command, *keys: str | int) -> tuple[int, int]:
    return subject.pages.json_place(command.path, ("commands", command.name, *keys))
