"""A variable of Gemini CLI that has a counterpart: every mention of it in the file.

Not safe: a hook or a server runs from then on.
"""

from __future__ import annotations

import re

from pisces.checking.fix import Fix, Spot, TextEdit
from pisces.harnesses.claude.lints.variables import FOREIGN, INSTEAD


def fix(spot: Spot) -> Fix | None:
    named = FOREIGN.search(spot.diagnostic.message)
    if named is None:
        return None
    own = INSTEAD.get(named[1], "/")
    mentions = re.finditer(re.escape(named[0]), spot.text)
    return spot.fix(f"write `{own}`", *(TextEdit(each.start(), each[0], own) for each in mentions), safe=False)
