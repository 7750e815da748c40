"""Skills as the Agent Skills standard has them: folders with a SKILL.md whose header says name and description.

Options, all of them optional:
    needs        header fields without which the skill is dropped; default ("name", "description")
    name_from    "header" (then the folder, unless `needs` has the name) or "folder"; default "header"
    depth        how many folders down: 1 is `*/SKILL.md` only, the standard's rule; default 1
    root         a SKILL.md in the folder itself counts, and then nothing below it; default False
    loose        Markdown files in the folder itself are skills too, named by their file; default False
    hidden       folders with a leading dot count; default True
    not_with     folders that also hold this file are something else, such as ".claude-plugin/plugin.json"; default ""
    reserved     folder names that are never skills, in small letters; default ()
    first_line   the body's first line stands for a missing description; default False
    prefix       put before the name; `{package}` stands for the package's name
    lenient      a header that is not YAML is a warning, and the skill stays; default False
"""

from __future__ import annotations

import os

from pisces.diagnostics import ERROR, Diagnostic, Rule
from pisces.discovery.markdown_file import markdown_at
from pisces.discovery.naming import prefixed
from pisces.files import entries, is_folder
from pisces.shapes.skill import Skill

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from pisces.discovery.found import Found
    from pisces.discovery.harness import Where
    from pisces.discovery.markdown_file import MarkdownFile

FILE = "SKILL.md"

SKILL_INCOMPLETE = Rule(
    "skill-incomplete",
    ERROR,
    "A skill's header lacks a field that its harness needs",
    "The model decides by name and description whether to read a skill; without them the skill is left out.",
    "---\nname: review\n---\n# Review",
    "---\nname: review\ndescription: Reviews a change. Use when asked for a review.\n---\n# Review",
)


def find(where: Where) -> Iterator[Found | Diagnostic]:
    for path in skill_files(where):
        yield from skill_at(path, where)


def skill_at(path: str, where: Where) -> Iterator[Found | Diagnostic]:
    """The skill of one file, after a warning where its header is odd; or why there is none."""
    options = where.options
    own_name = _own_name(path)
    file = markdown_at(path, own_name, lenient=bool(options.get("lenient")))
    if isinstance(file, Diagnostic):
        yield file
        return
    if file.warning:
        yield file.warning
    missing = [field for field in options.get("needs", ("name", "description")) if not file.text(field)]
    if missing:
        yield _incomplete(file, missing, own_name)
        return
    name = own_name if options.get("name_from") == "folder" else file.text("name") or own_name
    description = file.text("description") or (file.first_line if options.get("first_line") else "")
    yield where.found(Skill(prefixed(name, where), description, path, file.fields, file.body_line))


def skill_files(where: Where) -> Iterator[str]:
    """Every skill file below `where.path` that the options allow, by name, parents first."""
    options = where.options
    own = os.path.join(where.path, FILE)
    if options.get("root") and os.path.lexists(own):
        yield own
        return
    if options.get("loose"):
        yield from (each.path for each in entries(where.path) if each.name.endswith(".md") and not is_folder(each))
    pending = [(where.path, int(options.get("depth", 1)))]
    while pending:
        folder, depth = pending.pop(0)
        for entry in entries(folder):
            if not is_folder(entry) or not _counts(entry, options):
                continue
            path = os.path.join(entry.path, FILE)
            if os.path.lexists(path):
                yield path
            elif depth > 1:
                pending.append((entry.path, depth - 1))


def _counts(entry: os.DirEntry[str], options: Mapping[str, Any]) -> bool:
    if entry.name.startswith(".") and not options.get("hidden", True):
        return False
    if entry.name.lower() in options.get("reserved", ()):
        return False
    other = options.get("not_with", "")
    return not (other and os.path.lexists(os.path.join(entry.path, *other.split("/"))))


def _own_name(path: str) -> str:
    folder, file = os.path.split(path)
    return os.path.basename(folder) if file == FILE else file.removesuffix(".md")


def _incomplete(file: MarkdownFile, missing: list[str], about: str) -> Diagnostic:
    fields = " and ".join(f"`{field}`" for field in missing)
    message = f"the header has no {fields}" if file.header else f"the file does not start with a header with {fields}"
    return SKILL_INCOMPLETE.at(file.path, message, place=file.place(), hint=f"add {fields}", about=about)
