"""What a server says of itself, without the values that it was given: a program that fails prints its settings."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pisces.formats.masking import HIDDEN, masked

if TYPE_CHECKING:
    from pisces.mcp.plan import ServerPlan

_SHORTEST = 6  # a shorter value is in every other word


def without_values(text: str, plan: ServerPlan) -> str:
    """Also without what looks like a secret. Paths stay: they say what is wrong."""
    given = [plan.env.get(name, "") for name in plan.env_names]
    words = [word for header in plan.headers.values() for word in (header, *header.split())]
    for value in sorted({*given, *words}, key=len, reverse=True):
        if len(value) >= _SHORTEST and value in text and not os.path.exists(value):
            text = text.replace(value, HIDDEN)
    return masked(text)
