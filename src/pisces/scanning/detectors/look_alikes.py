"""NearWords with letters of two alphabets, so that one name looks like another."""

from __future__ import annotations

import re

from pisces.diagnostics import NOTE, WARNING, Diagnostics, Rule
from pisces.scanning.detector import Detector
from pisces.scanning.page import BINARY, LINK, TEXT, Page, excerpt
from pisces.scanning.roles import DOC

LOOK_ALIKE = Rule("scan-look-alike", WARNING, "A word mixes letters of two alphabets that look the same")

# Cyrillic, Greek and full-width letters that pass for Latin ones.
_PASSING = "аеорсухіјѕһԁԛԝАВЕКМНОРСТУХІЈЅοανιρτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"
_SUSPECTS = {*_PASSING, *map(chr, range(0xFF21, 0xFF3B)), *map(chr, range(0xFF41, 0xFF5B))}
# Followed by a Latin letter: Russian endings behind a Latin word are how people write.
_MIXED = re.compile(rf"(?<![^\W\d_])[A-Za-z]{{0,30}}[{_PASSING}\uff21-\uff3a\uff41-\uff5a]{{1,3}}[A-Za-z]{{1,30}}")
_FOREIGN = re.compile(rf"[^\W\d_A-Za-z{_PASSING}\uff21-\uff3a\uff41-\uff5a]")


def _find(page: Page) -> Diagnostics:
    if not page.name.isascii():
        for found in filter(_is_disguise, _MIXED.finditer(page.name)):
            yield LOOK_ALIKE.at(page.path, f"the file name: {_message(found)}")
    if page.kind == TEXT and not page.text.isascii() and page.odd & _SUSPECTS:
        for found in filter(_is_disguise, _MIXED.finditer(page.text)):
            finding = page.finding(
                LOOK_ALIKE, found.start(), _message(found), hint="write it with letters of one alphabet"
            )
            yield finding.replace(severity=NOTE) if page.role == DOC else finding


def _is_disguise(found: re.Match[str]) -> bool:
    """At least half Latin and three letters long: a Greek letter before a unit is not a disguise."""
    word = found[0]
    latin = sum(each.isascii() for each in word)
    return len(word) > 3 and latin * 2 >= len(word) and not _FOREIGN.search(word)


def _message(found: re.Match[str]) -> str:
    odd = ", ".join(f"U+{ord(each):04X}" for each in dict.fromkeys(found[0]) if not each.isascii())
    return f"`{excerpt(found[0])}` has {odd} among Latin letters"


DETECTOR = Detector("words in letters of two alphabets", _find, kinds=(TEXT, BINARY, LINK))
