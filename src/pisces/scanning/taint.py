"""Which names of a program hold what came from the network: line by line, from assignment to assignment.

This is light on purpose: no scopes, no branches. A name that held it once holds it to the end of the file.
"""

from __future__ import annotations

import re

from pisces.scanning.page import Page

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_ASSIGNED = re.compile(
    r"^\s{0,200}(?:export\s|const\s|let\s|var\s|async\s|await\s|with\s"
    r"|\$){0,3}\s{0,4}[\[{(]?\s{0,4}(?P<name>[\w.]{1,60})"
    r"(?:\s{0,4}:\s{0,4}[\w.\[\]<>]{1,60})?\s{0,4}[})\]]?\s{0,4}=(?![=>])(?P<value>.{1,1000})"
)
_WITH = re.compile(r"\bas\s{1,4}(?P<name>\w{1,60})\s{0,4}:")
_ARROW = re.compile(r"\(?(?P<name>\w{1,40})\)?\s{0,4}=>")
_DEFINED = re.compile(
    r"^\s{0,200}(?:export\s{1,4}|async\s{1,4}|default\s{1,4}){0,3}(?:def|function)\s{1,4}(?P<name>\w{1,60})\s{0,4}\("
)
_RETURNED = re.compile(r"^\s{0,200}return\b(?P<value>.{0,1000})")
_NAME = re.compile(r"[A-Za-z_]\w{0,60}")
_NOT_NAMES = frozenset("self this const let var await async with return data text content".split())
_LONGEST_LINE = 2000
_MOST_LINES = 20_000


def tainted_lines(page: Page, source: re.Pattern[str]) -> Iterator[tuple[int, str, set[str]]]:
    """Offset, text and names that hold it in each line, after the first line that takes something in."""
    names: set[str] = set()
    function = ""
    first = source.search(page.text)
    offset = max(0, page.text.rfind("\n\n", 0, first.start())) if first else len(page.text)
    for number, line in enumerate(page.text[offset:].split("\n")):
        if number > _MOST_LINES:
            return
        short = line[:_LONGEST_LINE]
        defined = _DEFINED.match(short)
        function = defined["name"] if defined else function
        names |= _taken(short, source, names)
        returned = _RETURNED.match(short)
        if (
            function
            and returned
            and (source.search(returned["value"]) or names & set(_NAME.findall(returned["value"])))
        ):
            names.add(function)
        if names or source.search(short):
            yield offset, short, names
        offset += len(line) + 1


def _taken(line: str, source: re.Pattern[str], names: set[str]) -> set[str]:
    found = source.search(line)
    assigned = _ASSIGNED.match(line)
    value = assigned["value"] if assigned else ""
    new: set[str] = set()
    if assigned and (source.search(value) or names & set(_NAME.findall(value))):
        new.add(assigned["name"].rpartition(".")[2])
    opened = _WITH.search(line)
    if opened and found:
        new.add(opened["name"])
    arrows = _ARROW.finditer(line) if found or (".then(" in line and names) else ()
    new |= {each["name"] for each in arrows}
    return new - _NOT_NAMES if not assigned else new
