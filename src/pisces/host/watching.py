"""Whether anything changed that a host reads: the places where harnesses look, and the folders of packages.

Only asked for names, times and sizes, when somebody wants to know: there is no timer and no thread.
"""

from __future__ import annotations

import os

from pisces.discovery.capabilities import PACKAGES
from pisces.discovery.harness import all_harnesses, looked_places
from pisces.gates.trusted import trust_file
from pisces.gates.user_rules import rules_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pisces.host.host import Host
    from pisces.places import Places

_MOST = 20_000  # files of one look at everything
_DEEPEST = 6
_SETTINGS = (".json", ".toml", ".yml", ".yaml")
_SKIPPED = frozenset(("node_modules", "__pycache__", ".git", ".venv", "sessions", "audit", "projects", "tmp", "logs"))


class FileWatch:
    """`changed` compares with the last time that it was asked; the first time everything is new. It may be called in a
    thread: it reads the disk and nothing of the host. `renew` looks for packages again. `is_by_answers` says that the
    last change was in the files that answers of the user are stored in.
    """

    def __init__(self, host: Host) -> None:
        self._host = host
        self._seen: frozenset[tuple[str, int, int]] = frozenset()
        self._answers = {trust_file(host.places), rules_file(host.places)}
        self.is_by_answers = False
        self.renew()

    def renew(self) -> None:
        self._packages = tuple(str(each.item.path) for each in self._host.found(PACKAGES))

    def changed(self) -> bool:
        before = self._seen
        self._seen = frozenset(_marks((*watched_places(self._host.places), *self._packages)))
        changed = {path for path, _, _ in before ^ self._seen}
        self.is_by_answers = changed <= self._answers
        return bool(changed)


def watched_places(places: Places) -> set[str]:
    """A place that is a whole folder, of the user or of the project, counts with the files that have a known name."""
    found = {trust_file(places), rules_file(places)}
    for harness in all_harnesses():
        roots = {places.cwd, places.home, harness.user_path(places)}
        found |= {os.path.normpath(path) for path in looked_places(harness, places)} - roots
        own = {places.agent_dir, harness.user_path(places), places.absolute(harness.project_dir)}
        found |= {path for folder in own - {places.cwd, places.home} for path in _settings_in(folder)}
        names = (*harness.context_names, *harness.own_files, *harness.home_files)
        folders = (*places.ancestors(), harness.user_path(places))
        found |= {os.path.join(folder, name) for folder in folders for name in names if not name.startswith("/")}
    return found


def _settings_in(folder: str) -> list[str]:
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    return [os.path.join(folder, name) for name in names if name.endswith(_SETTINGS)]


def _marks(paths: Iterable[str]) -> Iterator[tuple[str, int, int]]:
    left = _MOST
    for path in dict.fromkeys(paths):
        for mark in _below(path, _DEEPEST):
            yield mark
            left -= 1
            if left <= 0:
                return


def _below(path: str, depth: int) -> Iterator[tuple[str, int, int]]:
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return
    yield path, status.st_mtime_ns, status.st_size
    if depth <= 0 or not os.path.isdir(path):
        return
    try:
        names = sorted(os.listdir(path))
    except OSError:
        return
    for name in names:
        if name not in _SKIPPED:
            yield from _below(os.path.join(path, name), depth - 1)
