"""The fix for a TOML text with backslashes that are no escapes, as in patterns: each is doubled.

Not safe where the same text has an escape that TOML knows and the author may mean otherwise, as `\\b` in a pattern.
"""

from __future__ import annotations

import re

from pisces.checking.fix import Fix, Spot, TextEdit

_TEXT = re.compile(
    r'"""[^"\\]*+(?>(?:(?:\\.|"(?!""))[^"\\]*+)*)"""|\'\'\'(?>(?:[^\']|\'(?!\'\'))*)\'\'\''
    r'|"[^"\\\n]*+(?>(?:\\.[^"\\\n]*+)*)"|\'[^\'\n]*+\'|#[^\n]*',
    re.DOTALL,
)
_PAIR = re.compile(r"\\(.)", re.DOTALL)
_VALID = 'btnfr"\\uU \t\r\n'
_DOUBTFUL = "bfuU"


def toml_escapes(spot: Spot) -> Fix | None:
    found = next((each for each in _TEXT.finditer(spot.text) if each.start() <= spot.offset < each.end()), None)
    if found is None or not found[0].startswith('"'):
        return None
    pairs = list(_PAIR.finditer(found[0]))
    edits = [TextEdit(found.start() + each.start(), each[0], "\\" + each[0]) for each in pairs if each[1] not in _VALID]
    is_certain = not any(each[1] in _DOUBTFUL for each in pairs)
    return spot.fix("write each backslash twice", *edits, safe=is_certain)
