"""`sed -i` with one plain substitution: it changes the files that it names, and does nothing else.

GNU's `sed` alone reads it so. That of macOS and BSD takes the word after `-i` as a suffix and the next one, here a
file, as its script, which may write any other.
"""

from __future__ import annotations

import re
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_IN_PLACE = frozenset(("-i", "--in-place"))
_OTHERS = frozenset(("-E", "-r", "--regexp-extended"))
_WITH_GNU = ("linux", "win32", "cygwin")
# Without the flags `w`, which writes another file, and `e`, which runs the text.
_SUBSTITUTION = re.compile(r"s/(?>(?:\\[^\n]|[^/\\\n])*)/(?>(?:\\[^\n]|[^/\\\n])*)/[gpiIm0-9]*+")


def is_substitution(words: Sequence[str | None], system: str = sys.platform) -> bool:
    known = [each for each in words if each is not None]
    if len(known) != len(words) or known[:1] != ["sed"] or system not in _WITH_GNU:
        return False
    options = {each for each in known[1:] if each.startswith("-")}
    operands = [each for each in known[1:] if not each.startswith("-")]
    is_plain = bool(options & _IN_PLACE) and options <= _IN_PLACE | _OTHERS
    return is_plain and len(operands) > 1 and _SUBSTITUTION.fullmatch(operands[0]) is not None
