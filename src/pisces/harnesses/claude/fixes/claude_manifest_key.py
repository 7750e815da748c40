"""A key of a plugin's manifest that Claude Code does not read."""

from __future__ import annotations

from pisces.checking.fix import Fix, Spot
from pisces.checking.key_fix import key_fix
from pisces.harnesses.claude.manifest_shape import FIELDS


def fix(spot: Spot) -> Fix | None:
    return key_fix(spot, FIELDS)
