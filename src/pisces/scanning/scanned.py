"""The result of a scan. No findings are no proof of safety, and no output may say so."""

from __future__ import annotations

from pisces.diagnostics import Diagnostic
from pisces.value import Value

NOTHING_FOUND = "no findings; this is not proof of safety"


class Scanned(Value):
    """`files` counts what was scanned; `waived` are findings that somebody accepted, with their reasons as hints.

    `hashes` has, for each finding, the SHA-256 of the line it stands in, or of the file where it has none.
    """

    diagnostics: tuple[Diagnostic, ...]
    files: int
    waived: tuple[Diagnostic, ...] = ()
    hashes: tuple[str, ...] = ()
