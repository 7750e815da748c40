"""An item with where it came from, and what became of it."""

from __future__ import annotations

from pisces.discovery.of_kind import KindOut, OfKindOut
from pisces.value import Value

USER = "user"
PROJECT = "project"
MANAGED = "managed"  # by the administrator of this machine

ACTIVE = "active"
SHADOWED = "shadowed"
DISABLED = "disabled"
INVALID = "invalid"


class Source(Value):
    """`path` is absolute and names the file that speaks for the item."""

    harness: str
    label: str
    path: str
    level: str


class Found(OfKindOut[KindOut]):
    """`package` is the name of the package that brought the item, empty for loose files."""

    item: KindOut
    source: Source
    package: str = ""


class Candidate(OfKindOut[KindOut]):
    """A found item after dedup: `state` is active, shadowed, disabled or invalid.

    `winner` is who took its key, `reason` says so in words.
    """

    found: Found[KindOut]
    state: str
    reason: str = ""
    winner: Found[KindOut] | None = None
