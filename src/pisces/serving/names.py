"""Names that every client takes: letters, digits, `_` and `-`, short enough for the prefix that a client puts before.

A name depends on the real one alone, unless another thing has it already: so it stays the same from start to start.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import sha256

LONGEST = 48  # of the 64 that model APIs take: a client adds `mcp__NAME__`
_SEPARATORS = re.compile("[:./ ]+")
_REFUSED = re.compile("[^a-zA-Z0-9_-]+")


def served_names(real: Iterable[str], taken: Iterable[str] = ()) -> dict[str, str]:
    """Each real name with the one it is served under. Earlier ones come first; nobody gets one of `taken`."""
    used, served = set(taken), dict[str, str]()
    for name in dict.fromkeys(real):
        made = _plain(name)
        number = 0
        while made in used:
            made = _marked(name, f"{name}\0{number}" if number else name)
            number += 1
        used.add(made)
        served[name] = made
    return served


def _plain(name: str) -> str:
    """The name with its separators replaced; with a mark where it would lose more than that."""
    made = _SEPARATORS.sub("_", name)
    return made if 0 < len(made) <= LONGEST and not _REFUSED.search(made) else _marked(name, name)


def _marked(name: str, text: str) -> str:
    mark = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{_REFUSED.sub('_', _SEPARATORS.sub('_', name))[: LONGEST - 9]}_{mark}"
