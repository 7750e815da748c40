"""Slash commands as Markdown files: `fix.md` is `/fix`, and subfolders become part of the name.

Options, all of them optional:
    dialect      what the prompt is written in ("claude", "opencode", "codex" ...); default: the provider's id
    separator    between subfolder and file name; default ":"
    recursive    whether subfolders count; default True
    suffix       how the files' names end; default ".md"
    prefix       put before `final_name`; `{package}` stands for the package's name
    skills       a subfolder with a SKILL.md is one command, named like the subfolder; default False
    first_line   the body's first line stands for a missing description; default False
    name         the command's name, for a path that is a single file; default that of the file
    name_field   a header field that replaces the file's own name; default none
    lenient      a header that is not YAML is a warning, and the command stays; default False
The path may be a single file.
"""

from __future__ import annotations

import os

from pisces.diagnostics import Diagnostic
from pisces.discovery.markdown_file import markdown_at
from pisces.discovery.naming import prefixed
from pisces.files import entries, is_folder, walk
from pisces.shapes.command import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.discovery.found import Found
    from pisces.discovery.harness import Where
    from pisces.discovery.markdown_file import MarkdownFile


def find(where: Where) -> Iterator[Found | Diagnostic]:
    for path, name in _files(where):
        file = markdown_at(path, name, lenient=bool(where.options.get("lenient")))
        if isinstance(file, Diagnostic):
            yield file
            continue
        if file.warning:
            yield file.warning
        yield where.found(_command(where, file, name))


def _command(where: Where, file: MarkdownFile, name: str) -> Command:
    options = where.options
    if options.get("name_field"):
        name = file.text(options["name_field"]) or name
    description = file.text("description") or (file.first_line[:100] if options.get("first_line") else "")
    return Command(
        name,
        prefixed(name, where),
        description,
        file.path,
        options.get("dialect", where.provider),
        file.fields,
        _hint(file),
        None,
        (),
    )


def _hint(file: MarkdownFile) -> str:
    """`argument-hint: [file]` is a list to YAML and a text to its author."""
    value = file.fields.get("argument-hint")
    if isinstance(value, list):
        return " ".join(f"[{word}]" for word in value)
    return file.text("argument-hint", "argument_hint", "argumentHint")


def _files(where: Where) -> Iterator[tuple[str, str]]:
    """Every command file with the name that its place gives it."""
    suffix: str = where.options.get("suffix", ".md")
    separator: str = where.options.get("separator", ":")
    if os.path.isfile(where.path):
        yield where.path, where.options.get("name") or os.path.basename(where.path).removesuffix(suffix)
        return
    recursive = where.options.get("recursive", True)
    for entry in walk(where.path) if recursive else entries(where.path):
        if not entry.name.endswith(suffix) or is_folder(entry):
            continue
        inside = os.path.relpath(entry.path, where.path).removesuffix(suffix).split(os.sep)
        if where.options.get("skills") and len(inside) > 1 and _is_skill(os.path.dirname(entry.path)):
            if entry.name != "SKILL.md":
                continue  # one of the skill's own papers
            inside.pop()
        yield entry.path, separator.join(inside)


def _is_skill(folder: str) -> bool:
    return os.path.lexists(os.path.join(folder, "SKILL.md"))
