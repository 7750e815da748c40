"""Subagents as Markdown files: the header says name, description and tools, the body is the system prompt.

The path may be a single file.
"""

from __future__ import annotations

import os

from pisces.diagnostics import ERROR, Diagnostic, Rule
from pisces.discovery.found import Found
from pisces.discovery.harness import Where
from pisces.discovery.markdown_file import MarkdownFile, markdown_at
from pisces.discovery.options import MarkdownAgents, prefixed
from pisces.files import entries, is_folder, walk, without_suffix
from pisces.shapes.field import words_of
from pisces.shapes.subagent import Subagent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


SUBAGENT_INCOMPLETE = Rule("subagent-incomplete", ERROR, "A subagent's header lacks a field that its harness needs")

SUBAGENT_NAME = Rule("subagent-name", ERROR, "A subagent's name is reserved")


def find(where: Where[MarkdownAgents]) -> Iterator[Found | Diagnostic]:
    for path, place in _files(where):
        file = markdown_at(path, place.split("/")[-1], lenient=where.options.lenient)
        if isinstance(file, Diagnostic):
            yield file
            continue
        if file.warning:
            yield file.warning
        missing = [field for field in where.options.needs if not file.text(field)]
        if not missing and where.options.no_colon and ":" in file.text("name"):
            yield _reserved(file)
        elif not missing:
            yield where.found(_subagent(where, file, place))
        elif file.header or not where.options.quiet:
            yield _incomplete(file, missing, place)


def _subagent(where: Where[MarkdownAgents], file: MarkdownFile, place: str) -> Subagent:
    *folders, stem = place.split("/")
    header_name = "" if where.options.name_from == "file" else file.text("name")
    if not header_name or where.options.nested:
        name = where.options.separator.join([*folders, header_name or stem])
    else:
        name = header_name
    name, description, model = prefixed(name, where), file.text("description"), file.text("model")
    tools = words_of(file.fields.get("tools"))
    return Subagent(name, description, file.path, file.fields, file.body, "local", tools, model, ())


def _incomplete(file: MarkdownFile, missing: list[str], place: str) -> Diagnostic:
    fields = " and ".join(f"`{field}`" for field in missing)
    message = f"the header has no {fields}" if file.header else f"there is no header with {fields}"
    return SUBAGENT_INCOMPLETE.at(
        file.path, message, place=file.place(), hint=f"add {fields}", about=file.text("name") or place.split("/")[-1]
    )


def _reserved(file: MarkdownFile) -> Diagnostic:
    name = file.text("name")
    message = f"the name `{name}` has a colon, which is reserved for subagents of plugins"
    return SUBAGENT_NAME.at(
        file.path, message, place=file.place("name"), hint=f"write `name: {name.replace(':', '-')}`", about=name
    )


def _files(where: Where[MarkdownAgents]) -> Iterator[tuple[str, str]]:
    """Every agent file with its place below the folder, without the suffix, with slashes."""
    options, suffixes = where.options, where.options.suffixes
    if os.path.isfile(where.path):
        if where.path.lower().endswith(suffixes):
            yield where.path, without_suffix(os.path.basename(where.path), suffixes)
        return
    for entry in (
        walk(where.path, skipped=options.skipped, cut=where.run.cuts.append)
        if options.recursive
        else entries(where.path)
    ):
        if not options.readme and entry.name.lower() == "readme.md":
            continue
        if (entry.name.lower() if options.any_case else entry.name).endswith(suffixes) and not is_folder(entry):
            yield entry.path, without_suffix(os.path.relpath(entry.path, where.path), suffixes).replace(os.sep, "/")
