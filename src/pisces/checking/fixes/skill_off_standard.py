"""A name that differs from its folder in capitals and blanks. Not safe: somebody may call the skill by its name."""

from __future__ import annotations

import os
import re

from pisces.checking.fix import Fix, Spot, TextEdit

_NAME = re.compile(r"name:[ \t]*([\"']?)([^\r\n\"'#]+?)\1[ \t]*(?=[\r\n])")
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def fix(spot: Spot) -> Fix | None:
    folder = os.path.basename(os.path.dirname(spot.diagnostic.path))
    found = _NAME.match(spot.text, spot.offset) if spot.offset >= 0 else None
    if found is None or not _SLUG.fullmatch(folder) or found[2] == folder:
        return None
    if re.sub(r"[\W_]+", "-", found[2].lower()).strip("-") != folder:
        return None
    return spot.fix(f"write `{folder}`", TextEdit(found.start(), found[0], f"name: {folder}"), safe=False)
