"""A byte order mark says nothing in UTF-8: it goes."""

from __future__ import annotations

from pisces.checking.fix import Fix, Spot, TextEdit


def fix(spot: Spot) -> Fix | None:
    if not spot.text.startswith("\ufeff"):
        return None
    return spot.fix("remove the byte order mark", TextEdit(0, "\ufeff", ""))
