"""Names that a target accepts, each once."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_NOT_SLUG = re.compile(r"[^a-z0-9]+")
_NOT_IN_FILES = re.compile(r"[^\w.-]+")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)
LONGEST = 64  # characters of a name that is also one of a file


def slug(name: str, fallback: str = "unnamed") -> str:
    """Lower-case letters, digits and single dashes; no name that some system keeps for itself."""
    plain = _NOT_SLUG.sub("-", name.lower()).strip("-")[:LONGEST].strip("-") or fallback
    return f"{plain}-1" if _RESERVED.fullmatch(plain) else plain


def file_name(name: str, fallback: str = "unnamed", longest: int = LONGEST) -> str:
    """A name that every file system takes, as near to the given one as that allows."""
    plain = _NOT_IN_FILES.sub("-", name).strip("-.")[:longest].rstrip("-.") or fallback
    return f"{plain}-" if _RESERVED.fullmatch(plain) else plain


class UniqueNames:
    """Names that were given out. Case does not tell two names apart."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = {each.casefold() for each in taken}
        self._numbers: dict[str, int] = {}

    def __contains__(self, name: str) -> bool:
        return name.casefold() in self._taken

    def unique(self, wanted: str) -> str:
        """The name, with the lowest number behind it that makes it free; it is taken from now on."""
        name = wanted
        if name.casefold() in self._taken:
            number = self._numbers.get(wanted.casefold(), 2)
            while (name := f"{wanted}-{number}").casefold() in self._taken:
                number += 1
            self._numbers[wanted.casefold()] = number + 1
        self._taken.add(name.casefold())
        return name


def unique(wanted: str, taken: Iterable[str]) -> str:
    """The name, or one with a number behind it, that is none of those that are taken."""
    return UniqueNames(taken).unique(wanted)
