"""A skill without a name gets that of its folder, which is what most harnesses call it anyway."""

from __future__ import annotations

import os
import re

from pisces.checking.fix import Fix, Spot, TextEdit

_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def fix(spot: Spot) -> Fix | None:
    folder = os.path.basename(os.path.dirname(spot.diagnostic.path))
    file = spot.subject.pages.markdown(spot.diagnostic.path)
    line = spot.text.find("\n") + 1
    if file is None or file.warning or not line or not spot.text.startswith("---") or not _SLUG.fullmatch(folder):
        return None
    if "name" in file.fields or not isinstance(file.fields.get("description"), str):
        return None
    end = "\r\n" if spot.text[line - 2 : line] == "\r\n" else "\n"
    return spot.fix(f"add `name: {folder}`", TextEdit(line, "", f"name: {folder}{end}"))
