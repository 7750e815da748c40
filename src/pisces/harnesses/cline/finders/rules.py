"""Cline's rules: Markdown and text files directly in a folder, or the single file that stands in its place."""

from __future__ import annotations

import os

from pisces.discovery.harness import FinderResults, Where
from pisces.files import entries, is_file
from pisces.shapes.context_file import ContextFile

_SUFFIXES = (".md", ".markdown", ".txt")


def find(where: Where) -> FinderResults:
    if os.path.isfile(where.path):
        yield where.found(ContextFile(where.path, where.level))
        return
    for entry in entries(where.path):
        if entry.name.lower().endswith(_SUFFIXES) and is_file(entry):
            yield where.found(ContextFile(entry.path, where.level))
