"""Programs that switch off what protects the machine, or that hide what they did there."""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, NOTE, Diagnostics, Rule
from pisces.scanning.clues import clue, seen
from pisces.scanning.detector import Detector
from pisces.scanning.page import Page, excerpt

DEFENCES_OFF = Rule("scan-defences-off", ERROR, "What protects the machine is switched off")

_SIGNS = (
    clue(
        "switches the scan of scripts off",
        r"\bamsi(?:InitFailed|Utils|ScanBuffer)\b",
        *("amsiinitfailed", "amsiutils", "amsiscanbuffer"),
        flags=re.I,
    ),
    clue(
        "switches the virus scanner off",
        r"\b(?:Add|Set)-MpPreference\b[^\n]{0,80}-(?:Exclusion\w{4,12}|Disable\w{4,40})"
        r"|\bDisableAntiSpyware\b|\bsc(?:\.exe)?\s{1,4}(?:stop|delete|config)\s{1,4}WinDefend\b",
        *("add-mppreference", "set-mppreference", "disableantispyware", "windefend"),
        flags=re.I,
    ),
    clue(
        "switches a wall of the system off",
        r"\bspctl[\s\"',\[]{1,8}--(?:master|global)-disable\b|\bcsrutil[\s\"',\[]{1,8}disable\b"
        r"|\bnetsh[\s\"',\[]{1,8}advfirewall[\s\"',]{1,8}set[\s\"',]{1,8}\w{1,20}[\s\"',]{1,8}state[\s\"',]{1,8}off\b",
        *("spctl", "csrutil", "netsh"),
        flags=re.I,
    ),
    clue(
        "lets everybody be the administrator",
        r"\bNOPASSWD:\s{0,4}ALL\b[^\n]{0,80}(?:sudoers|tee\b|>>?)|(?:sudoers|tee\b|>>?)[^\n]{0,80}\bNOPASSWD:\s{0,4}ALL\b",
        "nopasswd",
        before=120,
    ),
)


def _find(page: Page) -> Diagnostics:
    for each, found in seen(page, _SIGNS):
        finding = page.weighed_in_program(DEFENCES_OFF, found.start(), f"`{excerpt(found[0])}` {each.what}")
        yield finding if finding.severity == ERROR else finding.replace(severity=NOTE)  # what a guard looks for


DETECTOR = Detector("defences that are switched off", _find, in_plain_text=True)
