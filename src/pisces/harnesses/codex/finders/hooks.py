"""Codex's hooks of a project, from here up to its root. In a linked worktree they are those of the main checkout."""

from __future__ import annotations

import os

from pisces.discovery.harness import FinderResults, Where, passed_on
from pisces.discovery.options import GroupedHooks
from pisces.harnesses.codex import EVENTS
from pisces.harnesses.codex.layers import CONFIG, Layers

_FILES = {
    "hooks.json": GroupedHooks(events=EVENTS),
    CONFIG: GroupedHooks(events=EVENTS, syntax="toml"),
}


def find(where: Where) -> FinderResults:
    if where.harness is None:
        return
    layers = Layers(where.harness, where.places, where.run)
    for name, options in _FILES.items():
        for folder in layers.folders:
            if folder != where.places.home and os.path.isdir(os.path.join(folder, ".codex")):
                path = os.path.join(layers.checked_out(folder), ".codex", name)
                yield from passed_on(where, options, path)
