"""Claude Code's settings files, strongest first: managed, local, project, user.

Option `managed`: the folder of the machine's administrator, by operating system.
"""

from __future__ import annotations

from pisces.discovery.finders import settings_files
from pisces.harnesses.claude.settings import sources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.diagnostics import Diagnostic
    from pisces.discovery.found import Found
    from pisces.discovery.harness import Where


def find(where: Where) -> Iterator[Found | Diagnostic]:
    for level, path in sources(where):
        yield from settings_files.find(where.replace(level=level, path=path, options={}))
