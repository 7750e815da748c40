"""Extensions that are linked: the folder in the store has a note of where the package is, and no manifest."""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.discovery.harness import FinderResults, Where
from pisces.files import entries, is_folder
from pisces.harnesses.gemini import MANIFEST

_MANIFEST = os.sep + MANIFEST


def find(where: Where) -> FinderResults:
    for entry in entries(where.path):
        if is_folder(entry) and not os.path.lexists(entry.path + _MANIFEST):
            yield from export_of("pisces.harnesses.gemini", "enabled", "linked_package")(entry.path, where)
