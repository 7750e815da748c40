"""Claude Code's settings files, strongest first: managed, local, project, user."""

from __future__ import annotations

from pisces.discovery.finders import settings_files
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.options import SettingsFiles
from pisces.harnesses.claude import WithSettings
from pisces.harnesses.claude.settings import sources


def find(where: Where[WithSettings]) -> FinderResults:
    for level, path in sources(where):
        yield from settings_files.find(where.given(SettingsFiles(), path).replace(level=level))
