"""Context files that are empty, or import files that do not exist."""

from __future__ import annotations

import os
import re

from pisces.checking.lint import Lint
from pisces.checking.subject import Subject
from pisces.diagnostics import ERROR, WARNING, Diagnostics, Rule
from pisces.formats.malformed import place_at

CONTEXT_FOLDER = Rule("context-folder", ERROR, "A context file is a folder")
CONTEXT_EMPTY = Rule("context-empty", WARNING, "A context file is empty")
CONTEXT_IMPORT = Rule("context-import", WARNING, "A context file imports a file that does not exist")

_IMPORT = re.compile(r"(?:^|(?<=\s))@(\.{1,2}/[^\s`\"'<>()\[\],;]+)", re.MULTILINE)
_CODE = re.compile(r"^ {0,3}(```|~~~).*?(?:^ {0,3}\1|\Z)|`[^`\n]*`", re.DOTALL | re.MULTILINE)


def _find(subject: Subject) -> Diagnostics:
    for path in dict.fromkeys(found.item.path for found in subject.every("context-files")):
        if os.path.isdir(path):
            yield CONTEXT_FOLDER.at(path, f"`{os.path.basename(path)}` is a folder")
            continue
        data = subject.pages.data(path)
        if data is not None and not data.strip():
            yield CONTEXT_EMPTY.at(path, "there is nothing in it")
        elif data and (b"@./" in data or b"@../" in data):
            yield from _imports(path, subject.pages.text(path))


def _imports(path: str, text: str) -> Diagnostics:
    plain = _CODE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), text)
    seen: set[str] = set()
    for found in _IMPORT.finditer(plain):
        name = found[1].rstrip(".:!?")
        if name not in seen and not os.path.exists(os.path.join(os.path.dirname(path), name)):
            seen.add(name)
            yield CONTEXT_IMPORT.at(path, f"`@{name}` does not exist", place=place_at(text, found.start(1) - 1))


LINT = Lint("context files and what they import", _find)
