"""Claude Code's settings files, strongest first: managed, local, project, user."""

from __future__ import annotations

from pisces.discovery.finders import settings_files
from pisces.discovery.options import SettingsFiles
from pisces.harnesses.claude.settings import sources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.diagnostics import Diagnostic
    from pisces.discovery.found import Found
    from pisces.discovery.harness import Where
    from pisces.harnesses.claude import WithSettings


def find(where: Where[WithSettings]) -> Iterator[Found | Diagnostic]:
    for level, path in sources(where):
        yield from settings_files.find(where.given(SettingsFiles(), path).replace(level=level))
