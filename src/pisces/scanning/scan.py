"""`scan`: everything suspicious in a folder, in the order of its files. Nothing is run or fetched."""

from __future__ import annotations

from itertools import islice

from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostic, Diagnostics, Rule
from pisces.discovery.package_format import real_folder
from pisces.places import Places
from pisces.scanning.detector import Detector, all_detectors
from pisces.scanning.known_files import known_files
from pisces.scanning.page import Page
from pisces.scanning.pages import pages_of
from pisces.scanning.roles import is_example
from pisces.scanning.scanned import Scanned
from pisces.scanning.waivers import Waiving, waivers_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MORE_FINDINGS = Rule("scan-more-findings", WARNING, "A file has more findings of one kind than are listed")

MOST_OF_A_KIND = 500
_LESS = {ERROR: WARNING, WARNING: NOTE, NOTE: NOTE}


def scan(folder: str, places: Places, waiver_files: Sequence[str] = (), today: str = "") -> Scanned:
    """Waivers come from the user and the project, and from `waiver_files`; never from inside the folder by itself.

    `today` is a date as `2026-01-31`, for waivers that end; empty means now.
    """
    root = real_folder(places.absolute(folder), places)
    waiving = Waiving(waivers_for(root, places, waiver_files), today)
    detectors = all_detectors()
    files = 0
    for page in pages_of(root, known_files(root)):
        files += 1
        waiving.judge(page, _in_order(findings(page, detectors)))
    return waiving.scanned(files)


def findings(page: Page, detectors: Iterable[Detector]) -> Diagnostics:
    """What the detectors report about one page; less severe in tests and examples."""
    for detector in detectors:
        if page.kind not in detector.kinds:
            continue
        found = detector.find(page)
        is_less_severe = not detector.everywhere and is_example(page.name)
        for each in islice(found, MOST_OF_A_KIND):
            yield each.replace(severity=_LESS[each.severity]) if is_less_severe else each
        if next(found, None) is not None:
            message = f"there are more than {MOST_OF_A_KIND} findings of one kind ({detector.title})"
            yield MORE_FINDINGS.at(page.path, message)


def _in_order(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    return sorted(dict.fromkeys(found), key=lambda each: (each.line, each.column, each.code, each.message))
