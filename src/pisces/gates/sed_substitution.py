"""`sed -i` with one plain substitution: it changes the files that it names, and does nothing else."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_IN_PLACE = frozenset(("-i", "--in-place"))
_OTHERS = frozenset(("-E", "-r", "--regexp-extended"))
# Without the flags `w`, which writes another file, and `e`, which runs the text.
_SUBSTITUTION = re.compile(r"s/(?>(?:\\[^\n]|[^/\\\n])*)/(?>(?:\\[^\n]|[^/\\\n])*)/[gpiIm0-9]*+")


def is_substitution(words: Sequence[str | None]) -> bool:
    known = [each for each in words if each is not None]
    if len(known) != len(words) or known[:1] != ["sed"]:
        return False
    options = {each for each in known[1:] if each.startswith("-")}
    operands = [each for each in known[1:] if not each.startswith("-")]
    is_plain = bool(options & _IN_PLACE) and options <= _IN_PLACE | _OTHERS
    return is_plain and len(operands) > 1 and _SUBSTITUTION.fullmatch(operands[0]) is not None
