"""MCP servers that skills bring: a file in the folder of each skill of a skills folder."""

from __future__ import annotations

import os

from pisces.discovery.harness import FinderResults, Where, passed_on
from pisces.discovery.options import SkillServers
from pisces.files import entries, is_folder


def find(where: Where[SkillServers]) -> FinderResults:
    for entry in entries(where.path):
        if is_folder(entry) and any(each.name.lower() == "skill.md" for each in entries(entry.path)):
            yield from passed_on(where, where.options.then, os.path.join(entry.path, where.options.file))
