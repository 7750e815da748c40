"""The commands of a shell line that cannot be read: cut at every sign that may begin one, whatever is quoted.

That finds too many rather than too few. None of them is plain, so this serves only rules that deny or ask.
"""

from __future__ import annotations

import re

from pisces.shapes.shell_line import LineCommand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_CUT = re.compile(r"[;&|()`\n{}]+")
_IGNORED = str.maketrans("", "", "'\"\\$")
_SKIPPED = re.compile(r"(?:[A-Za-z_]\w*\+?=.*|!|if|then|elif|else|while|until|do|time|[0-9]*[<>].*)\Z", re.DOTALL)
_ASSIGNED = re.compile(r"[A-Za-z_]\w*\+?=")
_MOST = 400
_MOST_STARTS = 6


def rough_commands(text: str, wrappers: tuple[str, ...]) -> Iterator[LineCommand]:
    found = 0
    for piece in _CUT.split(text):
        for words in _starts(piece.translate(_IGNORED).split()):
            found += 1
            yield LineCommand(words, piece.strip(), wrappers, is_plain=False)
        if found >= _MOST:
            return


def _starts(words: list[str]) -> Iterator[tuple[str, ...]]:
    """The command behind what comes before one. Nobody knows where a value with blanks in it ends."""
    start = 0
    while start < len(words) and _SKIPPED.match(words[start]):
        start += 1
    ends = _MOST_STARTS if any(_ASSIGNED.match(each) for each in words[:start]) else 1
    for number in range(start, min(start + ends, len(words))):
        yield tuple(words[number:])
