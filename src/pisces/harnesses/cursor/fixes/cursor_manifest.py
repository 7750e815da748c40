"""A key inside another that Cursor's closed schema does not have."""

from __future__ import annotations

from pisces.checking.fix import Fix, Spot
from pisces.checking.key_fix import key_fix


def fix(spot: Spot) -> Fix | None:
    return key_fix(spot, ()) if spot.diagnostic.message.startswith("unknown key ") else None
