"""What the scan could not read, so that no findings are not taken for a result."""

from __future__ import annotations

from pisces.diagnostics import NOTE, WARNING, Diagnostics, Rule
from pisces.scanning.detector import Detector
from pisces.scanning.page import BINARY, UNREAD, Page

UNREAD_PART = Rule("scan-unread", WARNING, "A part of the package was not looked at")


def _find(page: Page) -> Diagnostics:
    if page.why:
        finding = UNREAD_PART.at(page.path, page.why)
        yield finding.replace(severity=NOTE) if page.kind == BINARY else finding


DETECTOR = Detector("what could not be looked at", _find, kinds=(UNREAD, BINARY))
