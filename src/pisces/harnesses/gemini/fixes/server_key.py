"""A field of an MCP server that Gemini CLI does not read."""

from __future__ import annotations

from pisces.checking.fix import Fix, Spot
from pisces.checking.key_fix import key_fix
from pisces.harnesses.gemini.lints.servers import SHAPES


def fix(spot: Spot) -> Fix | None:
    return key_fix(spot, SHAPES)
