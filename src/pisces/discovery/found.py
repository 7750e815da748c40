"""An item with where it came from, and what became of it."""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

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


class Found(Value):
    """`package` is the name of the package that brought the item, empty for loose files."""

    item: Any
    source: Source
    package: str = ""


class Candidate(Value):
    """A found item after dedup: `winner` is who took its key, `reason` says so in words."""

    found: Found
    state: str
    reason: str = ""
    winner: Found | None = None
