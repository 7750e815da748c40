"""Slash commands as Markdown files: `fix.md` is `/fix`, and subfolders become part of the name.

The path may be a single file.
"""

from __future__ import annotations

import os

from pisces.diagnostics import Diagnostic
from pisces.discovery.found import Found
from pisces.discovery.harness import Where
from pisces.discovery.markdown_file import MarkdownFile, markdown_at
from pisces.discovery.options import MarkdownCommands, prefixed
from pisces.files import entries, is_folder, walk, without_suffix
from pisces.shapes.command import Command
from pisces.shapes.field import hint_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def find(where: Where[MarkdownCommands]) -> Iterator[Found | Diagnostic]:
    for path, name in _files(where):
        file = markdown_at(path, name, lenient=where.options.lenient)
        if isinstance(file, Diagnostic):
            yield file
            continue
        if file.warning:
            yield file.warning
        yield where.found(_command(where, file, name))


def _command(where: Where[MarkdownCommands], file: MarkdownFile, name: str) -> Command:
    options = where.options
    if options.name_field:
        name = file.text(options.name_field) or name
    description = file.text("description") or (file.first_line[:100] if options.first_line else "")
    return Command(
        name,
        prefixed(name, where),
        description,
        file.path,
        options.dialect or where.harness_id,
        file.fields,
        _hint(file),
        None,
        (),
    )


def _hint(file: MarkdownFile) -> str:
    found = (hint_text(file.fields.get(key)) for key in ("argument-hint", "argument_hint", "argumentHint"))
    return next(filter(None, found), "")


def _files(where: Where[MarkdownCommands]) -> Iterator[tuple[str, str]]:
    """Every command file with the name that its place gives it."""
    options, suffixes = where.options, where.options.suffixes
    if os.path.isfile(where.path):
        if options.name or where.path.lower().endswith(suffixes):
            yield where.path, options.name or without_suffix(os.path.basename(where.path), suffixes)
        return
    for entry in (
        walk(where.path, skipped=options.skipped, cut=where.run.cuts.append)
        if options.recursive
        else entries(where.path)
    ):
        if not (entry.name.lower() if options.any_case else entry.name).endswith(suffixes) or is_folder(entry):
            continue
        if not options.readme and entry.name.lower() == "readme.md":
            continue
        inside = without_suffix(os.path.relpath(entry.path, where.path), suffixes).split(os.sep)
        if options.skills and len(inside) > 1 and _is_skill(os.path.dirname(entry.path)):
            if entry.name != "SKILL.md":
                continue  # one of the skill's own papers
            inside.pop()
        yield entry.path, options.separator.join(inside)


def _is_skill(folder: str) -> bool:
    return os.path.lexists(os.path.join(folder, "SKILL.md"))
