"""Skills as Gemini CLI finds them: `SKILL.md` and `*/SKILL.md`, one level deep, hidden folders left out.

The header is YAML; where that fails or lacks a text name and description, a line parser has a second look.
"""

from __future__ import annotations

import os
import re

from pisces.diagnostics import ERROR, WARNING, Diagnostic, Diagnostics, Rule
from pisces.discovery.harness import FinderResults, Where
from pisces.files import Unreadable, below, entries, is_folder, read_bytes, walk
from pisces.formats.frontmatter import FIRST_LINE, body_line, header_of, simple_fields
from pisces.formats.json import JsonObject
from pisces.formats.malformed import Malformed
from pisces.formats.yaml import parse
from pisces.shapes.skill import Skill

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

FILE = "SKILL.md"

SKILL_UNREADABLE = Rule("skill-unreadable", ERROR, "A SKILL.md cannot be read")
SKILL_NO_HEADER = Rule("skill-no-header", ERROR, "A SKILL.md does not start with a YAML header")
SKILL_NO_NAME = Rule("skill-no-name", ERROR, "A SKILL.md header lacks a name or a description")
SKILL_TOO_DEEP = Rule("skill-too-deep", ERROR, "A skill lies deeper than one folder")
SKILL_FILE_CASE = Rule("skill-file-case", WARNING, "A skill file is not spelled SKILL.md")

_NOT_IN_NAMES = re.compile(r'[:\\/<>*?"|]')


def find(where: Where) -> FinderResults:
    taken: dict[str, bool] = {}
    listed = entries(where.path)
    files = _named_so(where, listed) if where.package else {}
    for path in _skill_files(listed):
        read = read_skill(files.get(path, path))
        if isinstance(read, Diagnostic) and read.code == SKILL_UNREADABLE.code and _is_none(path):
            continue
        taken[path] = isinstance(read, Skill)
        yield read if isinstance(read, Diagnostic) else where.found(read)
    if where.package:
        yield from _misplaced(where.path, list(files.values()), taken)


def read_skill(file: str | os.DirEntry[str]) -> Skill | Diagnostic:
    """The skill that Gemini CLI makes of a file, or why it makes none."""
    path = os.fspath(file)
    try:
        header = header_of(read_bytes(file))
    except Unreadable as error:
        return SKILL_UNREADABLE.at(path, f"the skill file {error.message}", about=_about(path))
    if header is None:
        return SKILL_NO_HEADER.at(path, "the file does not start with a `---` header", place=(1, 1), about=_about(path))
    fields = _fields(header)
    if fields is None:
        message = "the header has no `name` and `description`"
        return SKILL_NO_NAME.at(path, message, place=(FIRST_LINE, 1), about=_about(path))
    name, description, found = fields
    return Skill(_NOT_IN_NAMES.sub("-", name), description, path, found, body_line(header))


def _about(path: str) -> str:
    return os.path.basename(os.path.dirname(path))


def _fields(header: str) -> tuple[str, str, JsonObject] | None:
    """Name, description and the header as found; where it is not YAML, only what the line parser reads of it."""
    if ":" not in header:
        return None  # no key in it has a text
    try:
        parsed = parse(header)
    except Malformed:
        parsed = None
    if isinstance(parsed, dict):
        name, description = parsed.get("name"), parsed.get("description")
        if isinstance(name, str) and isinstance(description, str):
            return name, description, parsed
    simple = simple_fields(header)
    if "name" in simple and "description" in simple:
        return simple["name"], simple["description"], parsed if isinstance(parsed, dict) else {**simple}
    return None


def _skill_files(listed: list[os.DirEntry[str]]) -> Iterator[str]:
    """Where skills would be, best first. Most folders have one, so whether it is there is left to whoever reads it."""
    itself = ""
    for entry in listed:
        if entry.name == FILE and not is_folder(entry):
            itself = entry.path
        elif is_folder(entry) and not entry.name.startswith(".") and entry.name != "node_modules":
            yield entry.path + os.sep + FILE
    if itself:
        yield itself


def _is_none(path: str) -> bool:
    """A folder of that name is no skill; a link that leads nowhere is one that cannot be read."""
    return not os.path.lexists(path) or os.path.isdir(path)


def _named_so(where: Where, listed: list[os.DirEntry[str]]) -> dict[str, os.DirEntry[str]]:
    """Every file below a folder that is called as skills are, at any depth and in any case."""
    files = walk(where.path, skipped=(), listed=listed, cut=where.run.cuts.append)
    return {entry.path: entry for entry in files if entry.name.lower() == "skill.md"}


def _misplaced(folder: str, files: list[os.DirEntry[str]], taken: dict[str, bool]) -> Diagnostics:
    """Files that would be skills elsewhere. A link to a skill that loads hides nothing."""
    asked = any(entry.path not in taken for entry in files)
    loaded = {_identity(path) for path, loads in taken.items() if loads and asked}
    for entry in files:
        inside = below(folder, entry.path).split(os.sep)
        about = inside[-2] if len(inside) > 1 else ""
        if entry.name == FILE and entry.path not in taken and os.path.exists(entry.path):
            if _identity(entry.path) not in loaded:
                yield SKILL_TOO_DEEP.at(entry.path, f"`{'/'.join(inside)}` is not looked at", about=about)
        elif entry.name != FILE and len(inside) <= 2:
            yield SKILL_FILE_CASE.at(entry.path, f"`{entry.name}` must be spelled `SKILL.md`", about=about)


def _identity(path: str) -> tuple[int, int]:
    found = os.stat(path)
    return found.st_dev, found.st_ino
