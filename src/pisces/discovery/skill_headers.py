"""Skills whose program reads headers in its own way. Most headers mean the same to everybody, and are read once."""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.diagnostics import ERROR, Diagnostic
from pisces.discovery.finders import skill_folders
from pisces.discovery.found import Found
from pisces.discovery.options import prefixed
from pisces.discovery.state import INVALID, State
from pisces.files import Unreadable, read_text
from pisces.shapes.skill import Skill
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from pisces.discovery.harness import FinderResults, Where
    from pisces.discovery.options import SkillFolders


class SkillHeader(Value):
    """`flaw` is why the program does not load the skill."""

    fields: dict[str, Any]
    flaw: str = ""
    name: str = ""
    description: str = ""
    body_line: int = 1


def skills_read(where: Where[SkillFolders], is_plain: Callable[[Skill], bool], reader: str) -> FinderResults:
    """Where a header is not plain, `reader` decides: a module with `skill_header`, from a text to a SkillHeader."""
    for path in skill_folders.skill_files(where):
        results = list(skill_folders.skill_at(path, where))
        only = results[0] if len(results) == 1 else None
        plain = isinstance(only, Found) and is_plain(only.item)
        yield from results if plain else _read(path, results, where, reader)


def _read(path: str, results: list[Found | Diagnostic], where: Where[SkillFolders], reader: str) -> FinderResults:
    package, _, module = reader.rpartition(".")
    try:
        header: SkillHeader = export_of(package, module, "skill_header")(read_text(path))
    except Unreadable:
        yield from results
        return
    if header.flaw:
        state = State(INVALID, f"{where.label} does not load it: {header.flaw}", path, only_here=True)
        yield from (each if isinstance(each, Diagnostic) else each.replace(held=each.held or state) for each in results)
        return
    name = header.name or os.path.basename(os.path.dirname(path))
    yield from (each for each in results if isinstance(each, Diagnostic) and each.severity != ERROR)
    yield where.found(Skill(prefixed(name, where), header.description, path, header.fields, header.body_line))
