"""A key that Cursor's schema does not have."""

from __future__ import annotations

from pisces.checking.fix import Fix, Spot
from pisces.checking.key_fix import key_fix
from pisces.harnesses.cursor.manifest_shape import MANIFEST_SHAPE


def fix(spot: Spot) -> Fix | None:
    return key_fix(spot, tuple(MANIFEST_SHAPE.optional))
