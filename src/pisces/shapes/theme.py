"""A colour theme brought by a package or found in a harness's themes folder."""

from __future__ import annotations

from pisces.value import Value


class Theme(Value):
    name: str
    path: str
