"""A variable of another program that has a counterpart: every mention of it in the file.

In a text it is safe. In a hook or a server it is not: a program runs from then on.
"""

from __future__ import annotations

import os
import re

from pisces.checking.fix import Fix, Spot, TextEdit
from pisces.harnesses.gemini.lints.variables import FOREIGN, meant

_NAME = re.compile(r"`\$\{?(\w+)\}?`")


def fix(spot: Spot) -> Fix | None:
    named = _NAME.search(spot.diagnostic.message)
    own = _own(named[1], spot) if named else ""
    if not named or not own:
        return None
    bare = rf"|\${named[1]}(?!\w)" if named[1] in FOREIGN else ""
    mentions = re.finditer(rf"\$\{{{named[1]}\}}{bare}", spot.text)
    edits = (TextEdit(each.start(), each[0], own) for each in mentions)
    return spot.fix(f"write `{own}`", *edits, safe=spot.diagnostic.path.endswith(".md"))


def _own(name: str, spot: Spot) -> str:
    if name != "CLAUDE_SKILL_DIR":
        return meant(name) or ""
    folder = os.path.relpath(os.path.dirname(spot.diagnostic.path), spot.subject.folder).replace(os.sep, "/")
    return f"${{extensionPath}}/{folder}" if re.fullmatch(r"skills/[\w.-]+", folder) else ""
