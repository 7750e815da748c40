"""Claude Code's syntax for a shell command. Not safe: the command is run from then on."""

from __future__ import annotations

import re

from pisces.checking.fix import Fix, Spot, TextEdit

_SHELL = re.compile(r"!`([^`\n{}]+)`")


def fix(spot: Spot) -> Fix | None:
    found = _SHELL.match(spot.text, spot.offset) if spot.offset >= 0 else None
    if found is None:
        return None
    own = f"!{{{found[1]}}}"
    return spot.fix(f"write `{own}`", TextEdit(found.start(), found[0], own), safe=False)
