"""Continue's rules and prompts: Markdown at any depth, and `.prompt` files, which are always commands.

A Markdown file is a command where its header says `invokable: true`, else context.
"""

from __future__ import annotations

from pisces.diagnostics import Diagnostic
from pisces.discovery.harness import FinderResults, Where, passed_on
from pisces.discovery.markdown_file import markdown_at
from pisces.discovery.options import MarkdownCommands
from pisces.files import is_file, walk
from pisces.shapes.context_file import ContextFile

_SUFFIXES = (".md", ".prompt")


def find(where: Where) -> FinderResults:
    for entry in walk(where.path, cut=where.run.cuts.append):
        suffix = next((each for each in _SUFFIXES if entry.name.endswith(each)), "")
        if not suffix or not is_file(entry):
            continue
        is_command = suffix == ".prompt" or _is_invokable(entry.path)
        if is_command and where.capability == "commands":
            options = MarkdownCommands(suffixes=(suffix,), name_field="name", lenient=True)
            yield from passed_on(where, options, entry.path)
        elif not is_command and where.capability == "context-files":
            yield where.found(ContextFile(entry.path, where.level))


def _is_invokable(path: str) -> bool:
    file = markdown_at(path, "", lenient=True)
    return not isinstance(file, Diagnostic) and file.fields.get("invokable") is True
