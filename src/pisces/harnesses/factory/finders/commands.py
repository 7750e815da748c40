"""Commands of Droid: Markdown files and scripts in the folder itself, named by their file's name as a slug.

A script is a file that begins with `#!`. What it prints goes into the conversation.
"""

from __future__ import annotations

import os

from pisces.discovery.harness import FinderResults, Where, passed_on
from pisces.discovery.options import MarkdownCommands
from pisces.files import entries, is_file
from pisces.shapes.command import Command
from pisces.shapes.executable import APPENDED, Executable


def find(where: Where) -> FinderResults:
    for entry in entries(where.path):
        if not is_file(entry):
            continue
        stem, suffix = os.path.splitext(entry.name)
        name = _slug(stem)
        if suffix in (".md", ".mdx"):
            yield from passed_on(where, MarkdownCommands(name=name, dialect="factory", lenient=True), entry.path)
        elif _is_script(entry.path):
            runs = Executable(entry.path, where.path, require_confirm=True, context=APPENDED)
            yield where.found(Command(name, name, "", entry.path, "factory", {}, "", runs))


def _slug(stem: str) -> str:
    small = stem.lower().replace(" ", "-")
    return "".join(letter for letter in small if letter.isascii() and (letter.isalnum() or letter in "-_"))


def _is_script(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return False
