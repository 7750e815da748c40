"""Links to places outside of the package, and entries that are not files."""

from __future__ import annotations

import os

from pisces.diagnostics import ERROR, NOTE, Diagnostics, Rule
from pisces.scanning.detector import Detector
from pisces.scanning.page import LINK, SPECIAL, Page, excerpt

LINK_OUT = Rule("scan-link-out", ERROR, "A link leads out of the package")
SPECIAL_FILE = Rule("scan-special-file", ERROR, "An entry is a named pipe, a socket or a device")


def _find(page: Page) -> Diagnostics:
    if page.kind == SPECIAL:
        yield SPECIAL_FILE.at(page.path, "this is no file", hint="it was not opened")
        return
    try:
        target = os.readlink(page.path)
        inside, real = os.path.realpath(page.folder), os.path.realpath(page.path)
    except (OSError, ValueError):
        yield LINK_OUT.at(page.path, "the link cannot be followed")
        return
    if os.path.isabs(target) or (real != inside and not real.startswith(inside.rstrip(os.sep) + os.sep)):
        yield LINK_OUT.at(page.path, f"the link leads to `{excerpt(target)}`")
    elif not os.path.exists(real):
        finding = LINK_OUT.at(page.path, f"the link leads to `{excerpt(target)}`, which does not exist")
        yield finding.replace(severity=NOTE)


DETECTOR = Detector("links that lead out of the package", _find, kinds=(LINK, SPECIAL), everywhere=True)
