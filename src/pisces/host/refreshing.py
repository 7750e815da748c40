"""Reads again what an open host has read: whatever changed on disk holds from then on, as trust is now.

Nothing is carried over that somebody would have to agree to: a thing of the project that changed is compared with what
was agreed to, as at the start, and does not run where it differs.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pisces.host.chosen import Chosen, chosen_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pisces.host.options import HostOptions
    from pisces.host.wiring import Wired
    from pisces.modules.entry import ModuleEntry

_MOST_FILES = 2000  # of one module's folder
_SKIPPED = frozenset(("node_modules", "__pycache__", ".git", ".venv"))


async def refreshed(wired: Wired, options: HostOptions) -> Chosen:
    chosen = chosen_in(wired.places, options)
    trust = chosen.trust
    is_trusted = trust.knows(wired.places.cwd) or trust.covers_all(wired.places.cwd)
    wired.facts = wired.facts.replace(is_trusted=is_trusted)
    wired.kinds.forget()
    wired.guards.refresh(trust)
    wired.instructing.refresh()
    wired.submitting.refresh()
    running = chosen.entries.running
    now = fingerprints(running)
    changed = {path for path, each in now.items() if wired.fingerprints.get(path, each) != each}
    wired.fingerprints = now
    await wired.modules.rearrange(running, changed)
    wired.drop_skill_tool()
    await wired.servers.refresh()
    return chosen


def fingerprints(entries: Sequence[ModuleEntry]) -> Mapping[str, tuple[int, ...]]:
    """Of each module, what the system says of its files."""
    return {entry.path: _fingerprint(entry) for entry in entries}


def _fingerprint(entry: ModuleEntry) -> tuple[int, ...]:
    found: list[int] = [_mark(entry.path)]
    seen = 0
    for folder, folders, files in os.walk(entry.folder) if entry.folder else ():
        folders[:] = sorted(name for name in folders if name not in _SKIPPED)
        found += (_mark(os.path.join(folder, name)) for name in sorted(files)[: _MOST_FILES - seen])
        seen += len(files)
        if seen >= _MOST_FILES:
            break
    return tuple(found)


def _mark(path: str) -> int:
    try:
        status = os.stat(path)
    except OSError:
        return 0
    return hash((path, status.st_mtime_ns, status.st_size, status.st_ino))
