"""Something that its harness does not take for an item of its kind: all that is known is a name and a file."""

from __future__ import annotations

from pisces.value import Value


class Rejected(Value):
    name: str
    path: str
