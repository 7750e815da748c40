"""Skills as the Agent Skills standard has them: folders with a SKILL.md whose header says name and description."""

from __future__ import annotations

import os

from pisces.diagnostics import ERROR, Diagnostic, Rule
from pisces.discovery.found import Found
from pisces.discovery.harness import Where
from pisces.discovery.markdown_file import MarkdownFile, markdown_at
from pisces.discovery.options import SkillFolders, prefixed
from pisces.files import entries, is_folder
from pisces.shapes.skill import Skill

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


FILE = "SKILL.md"

SKILL_INCOMPLETE = Rule("skill-incomplete", ERROR, "A skill's header lacks a field that its harness needs")


def find(where: Where[SkillFolders]) -> Iterator[Found | Diagnostic]:
    for path in skill_files(where):
        yield from skill_at(path, where)


def skill_at(path: str, where: Where[SkillFolders]) -> Iterator[Found | Diagnostic]:
    """The skill of one file, after a warning where its header is odd; or why there is none."""
    options = where.options
    own_name = _own_name(path, options)
    file = markdown_at(path, own_name, lenient=options.lenient)
    if isinstance(file, Diagnostic):
        yield file
        return
    if file.warning:
        yield file.warning
    missing = [field for field in options.needs if not file.text(field)]
    if missing:
        yield _incomplete(file, missing, own_name)
        return
    is_root = os.path.dirname(path) == where.path  # of a whole package, whose folder is often called by its version
    by_folder = options.name_from == "folder" and not is_root
    folder_name = "".join(map(_plain, own_name)) if options.plain else own_name
    name = folder_name if by_folder else file.text("name") or folder_name
    description = file.text("description") or (file.first_line if options.first_line else "")
    yield where.found(Skill(prefixed(name, where), description, path, file.fields, file.body_line))


def skill_files(where: Where[SkillFolders]) -> Iterator[str]:
    """Every skill file below `where.path` that the options allow, by name, parents first."""
    options = where.options
    own = os.path.join(where.path, FILE)
    if options.root and os.path.lexists(own):
        yield own
        return
    if options.loose:
        yield from (each.path for each in entries(where.path) if each.name.endswith(".md") and not is_folder(each))
    pending = [(where.path, options.depth)]
    while pending:
        folder, depth = pending.pop(0)
        for entry in entries(folder):
            if not is_folder(entry) or not _counts(entry, options):
                continue
            path = os.path.join(entry.path, FILE)
            if options.also and not os.path.lexists(path):
                path = os.path.join(entry.path, options.also)
            if os.path.lexists(path):
                yield path
            elif depth > 1:
                pending.append((entry.path, depth - 1))


def _counts(entry: os.DirEntry[str], options: SkillFolders) -> bool:
    if entry.name.startswith(".") and not options.hidden:
        return False
    if entry.name.lower() in options.reserved:
        return False
    other = options.not_with
    return not (other and os.path.lexists(os.path.join(entry.path, *other.split("/"))))


def _own_name(path: str, options: SkillFolders) -> str:
    folder, file = os.path.split(path)
    return os.path.basename(folder) if file in (FILE, options.also) else file.removesuffix(".md")


def _plain(char: str) -> str:
    return char if char in "-_" or (char.isascii() and char.isalnum()) else "-"


def _incomplete(file: MarkdownFile, missing: list[str], about: str) -> Diagnostic:
    fields = " and ".join(f"`{field}`" for field in missing)
    message = f"the header has no {fields}" if file.header else f"the file does not start with a header with {fields}"
    return SKILL_INCOMPLETE.at(file.path, message, place=file.place(), hint=f"add {fields}", about=about)
