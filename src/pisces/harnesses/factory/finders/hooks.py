"""Hooks of Droid in one `.factory` folder: the first of its three places that exists; or those of one file.

Events stand below `hooks`, or at the top of a file that has nothing but hooks.
"""

from __future__ import annotations

import os

from pisces.discovery.config_file import LENIENT, ConfigFile, read_object
from pisces.discovery.finders.grouped_hooks import hooks_in
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.options import GroupedHooks
from pisces.harnesses.factory import EVENTS

_OWN_FILES = ("hooks.json", os.path.join("hooks", "hooks.json"))
_SETTINGS = ("settings.json", "settings.local.json")


def find(where: Where) -> FinderResults:
    if os.path.isfile(where.path):
        yield from _file(where, where.path)
        return
    own = [path for path in _paths(where, _OWN_FILES) if os.path.lexists(path)][:1]
    for path in own or _paths(where, _SETTINGS):
        yield from _file(where, path)


def _paths(where: Where, names: tuple[str, ...]) -> list[str]:
    return [os.path.join(where.path, name) for name in names]


def _file(where: Where, path: str) -> FinderResults:
    return read_object(path, LENIENT, where.run, lambda file: _hooks(file, where))


def _hooks(file: ConfigFile, where: Where) -> FinderResults:
    bare = "hooks" not in file.value and os.path.basename(file.path) not in _SETTINGS
    options = GroupedHooks(dialect="factory", events=EVENTS)
    yield from hooks_in(file, () if bare else ("hooks",), where.given(options, file.path))
