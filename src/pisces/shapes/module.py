"""An extension module found on disk: code that would be run, not yet imported by anybody."""

from __future__ import annotations

from pisces.value import Value


class Module(Value):
    """`language` is python, typescript or javascript; `folder` is the module's own, empty for a loose file."""

    name: str
    path: str
    language: str
    folder: str = ""
