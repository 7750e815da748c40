"""TOML prompt files as Gemini CLI reads them: every `*.toml` below a folder, dotfiles and links included.

The name is the path with `:` between folders; characters outside `[A-Za-z0-9_.-]` become `_`.
"""

from __future__ import annotations

import os
import re

from pisces.diagnostics import ERROR, Diagnostic, Rule
from pisces.discovery.found import Found
from pisces.discovery.harness import Where
from pisces.files import Unreadable, below, read_text, walk
from pisces.formats.fit import noun_of
from pisces.formats.malformed import Malformed
from pisces.formats.position import toml_place
from pisces.formats.toml import parse
from pisces.shapes.command import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


SUFFIX = ".toml"

COMMAND_UNREADABLE = Rule("command-unreadable", ERROR, "A command file cannot be read")
COMMAND_SYNTAX = Rule("command-syntax", ERROR, "A command file is not valid TOML")
COMMAND_NO_PROMPT = Rule("command-no-prompt", ERROR, "A command file has no `prompt` text")
COMMAND_DESCRIPTION = Rule("command-description", ERROR, "A command's `description` is not text")

_NOT_IN_NAMES = re.compile(r"[^a-zA-Z0-9_\-.]")
_DEEPEST = 64  # Gemini CLI has no limit of its own


def find(where: Where) -> Iterator[Found | Diagnostic]:
    for entry in walk(where.path, depth=_DEEPEST, skipped=(), cut=where.run.cuts.append):
        if entry.name.endswith(SUFFIX):
            read = read_command(entry, where.path)
            yield read if isinstance(read, Diagnostic) else where.found(read)


def read_command(file: str | os.DirEntry[str], folder: str) -> Command | Diagnostic:
    """The command that a file below a commands folder makes, or why it makes none."""
    path = os.fspath(file)
    name = command_name(below(folder, path)[: -len(SUFFIX)])
    try:
        text = read_text(file)
        values = parse(text)
    except Unreadable as error:
        return COMMAND_UNREADABLE.at(path, f"the command file {error.message}", about=name)
    except Malformed as error:
        return COMMAND_SYNTAX.at(path, error.message, place=(error.line, error.column), hint=_hint(error), about=name)
    prompt, description = values.get("prompt"), values.get("description")
    if not isinstance(prompt, str):
        message = "`prompt` is missing" if prompt is None else f"`prompt` must be text, not {noun_of(prompt)}"
        return COMMAND_NO_PROMPT.at(path, message, place=toml_place(text, ("prompt",)), about=name)
    if description is not None and not isinstance(description, str):
        message = f"`description` must be text, not {noun_of(description)}"
        return COMMAND_DESCRIPTION.at(path, message, place=toml_place(text, ("description",)), about=name)
    description = description or f"Custom command from {os.path.basename(path)}"
    return Command(name, name, description, path, "gemini", values, "", None, ())


def command_name(relative: str) -> str:
    """Folders become namespaces; every segment is cleaned and cut at 50 characters."""
    segments = [_NOT_IN_NAMES.sub(_underscores, segment) for segment in relative.split(os.sep)]
    return ":".join(segment if len(segment) <= 50 else segment[:47] + "..." for segment in segments)


def _underscores(found: re.Match[str]) -> str:
    """One for each 16-bit unit, of which an emoji has two."""
    return "__" if found[0] > "\uffff" else "_"


def _hint(error: Malformed) -> str:
    if "escape" in error.message.lower():
        return "use single quotes ('...' or '''...''') for text with backslashes"
    return ""
