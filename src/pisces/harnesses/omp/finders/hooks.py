"""Hooks as oh-my-pi has them: files in `hooks/pre` and `hooks/post`, named for the tool that they watch.

A file is code that would be run, so its path stands for the command.
"""

from __future__ import annotations

import os

from pisces.discovery.harness import FinderResults, Where
from pisces.files import entries, is_file
from pisces.shapes.hook import Hook


def find(where: Where) -> FinderResults:
    for event in ("pre", "post"):
        for entry in entries(os.path.join(where.path, event)):
            if is_file(entry) and not entry.name.startswith("."):
                tool = os.path.splitext(entry.name)[0]
                yield where.found(Hook(event, tool, entry.path, entry.path, "omp", {}, {}, (), entry.name, "module"))
