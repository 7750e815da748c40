"""A key of a hook or of its group that Gemini CLI does not read."""

from __future__ import annotations

from pisces.checking.fix import Fix, Spot
from pisces.checking.key_fix import key_fix
from pisces.harnesses.gemini.lints.hooks import GROUP_KEYS, KEYS


def fix(spot: Spot) -> Fix | None:
    return key_fix(spot, GROUP_KEYS if spot.diagnostic.message.endswith(" here") else KEYS)
