"""`@path` in Claude Code's context files, as 2.1.325 does it: a file that is imported follows the one that imports it.

Paths count from the real file, `~/` is home, `#part` is cut off; code, and HTML other than inline tags, import nothing.
Four files deep, each file once in all. Only files whose ending says that they are text. A file of the project, or of
the administrator, imports from outside of the current directory only if the user has agreed to that; the user's own
file from anywhere. A header is not part of the text, nor are comments; `paths` in it makes the text conditional.
"""

from __future__ import annotations

import os
import re

from pisces.diagnostics import Diagnostic
from pisces.discovery.conditions import with_files
from pisces.discovery.found import USER
from pisces.discovery.harness import Where
from pisces.discovery.markdown_file import MarkdownFile, markdown_in
from pisces.files import Unreadable
from pisces.formats.markdown_prose import paragraphs, without_comments
from pisces.harnesses.claude.trust import known_state, project_keys
from pisces.instructions.context_reader import IMPORT_UNREADABLE, ContextReader, ContextText
from pisces.instructions.rooms import Room, room_in
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_DEEPEST = 5  # files on one branch, the context file itself among them
_IMPORT = re.compile(r"(?:(?<=\s)|\A)@((?:[^\s\\]|\\ )+)")
_START = re.compile(r"\./|~/|/.|[A-Za-z0-9._-]", re.ASCII)
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()\s]*\)")
_TEXT_FILES = frozenset(
    """
    .md .txt .text .json .yaml .yml .toml .xml .csv .html .htm .css .scss .sass .less .js .ts .tsx .jsx .mjs .cjs .mts
    .cts .py .pyi .pyw .rb .erb .rake .go .rs .java .kt .kts .scala .c .cpp .cc .cxx .h .hpp .hxx .cs .swift .sh .bash
    .zsh .fish .ps1 .bat .cmd .env .ini .cfg .conf .config .properties .sql .graphql .gql .proto .vue .svelte .astro
    .ejs .hbs .pug .jade .php .pl .pm .lua .r .dart .ex .exs .erl .hrl .clj .cljs .cljc .edn .hs .lhs .elm .ml .mli .f
    .f90 .f95 .for .cmake .make .makefile .gradle .sbt .rst .adoc .asciidoc .org .tex .latex .lock .log .diff .patch
    """.split()
)


class ClaudeImports(Value):
    """`room` is for the context file, `reach` for what it imports."""

    reader: ContextReader
    room: Room
    reach: Room


def texts(path: str, room: Room, reader: ContextReader) -> Iterator[ContextText]:
    anywhere = room.level == USER or _has_agreed(reader)
    reach = Room(level=room.level) if anywhere else room_in(reader.places.cwd, level=room.level)
    yield from _texts(path, (), ClaudeImports(reader, room, reach))


def _has_agreed(reader: ContextReader) -> bool:
    """Whether the user has answered Claude Code's question about imports from outside with yes."""
    file = known_state(Where(reader.places, reader.run, "", "", ""))
    keys = (*project_keys(reader.places), "hasClaudeMdExternalIncludesApproved")
    return file is not None and file.part(keys) is True


def _texts(path: str, branch: tuple[str, ...], imports: ClaudeImports) -> Iterator[ContextText]:
    real = os.path.realpath(path)
    if real in imports.reader.seen or len(branch) >= _DEEPEST:
        return
    file = _read(path, branch, imports)
    if file is None or not file.body.strip():
        return
    imports.reader.seen.add(real)
    is_rule = not branch and f"{os.sep}rules{os.sep}" in path
    condition = with_files(file.fields.get("paths")) if is_rule else None
    text = without_comments(file.body)
    yield ContextText(path, text, branch[-1] if branch else "", condition.reason if condition else "")
    for name in dict.fromkeys(_names(file.body)):
        if not imports.reader.next_import():
            return
        folder = imports.reader.places.replace(cwd=os.path.dirname(real))
        yield from _texts(folder.absolute(name), (*branch, path), imports)


def _read(path: str, branch: tuple[str, ...], imports: ClaudeImports) -> MarkdownFile | None:
    if branch and os.path.splitext(path)[1].lower() not in ("", *_TEXT_FILES):
        if os.path.exists(path):
            message = f"`{imports.reader.shown(path)}`, which it imports, is no text file by its name"
            imports.reader.report(IMPORT_UNREADABLE.at(branch[-1], message))
        return None
    try:
        text = (
            imports.reader.imported(path, imports.reach, branch[-1])
            if branch
            else imports.reader.text(path, imports.room)
        )
    except Unreadable:  # reported already
        return None
    file = None if text is None else markdown_in(text, path, "", lenient=True)
    return None if isinstance(file, Diagnostic) else file


def _names(text: str) -> Iterator[str]:
    """What the prose imports. In an item of a list, Claude Code looks between backticks too."""
    for paragraph in paragraphs(text) if "@" in text else ():
        prose = _LINK.sub(r" \1 ", paragraph.text).replace("*", " ")
        looked_at = f"{paragraph.raw}\n{prose}" if paragraph.is_item else prose
        written = (match[1].partition("#")[0].replace("\\ ", " ") for match in _IMPORT.finditer(looked_at))
        yield from (name for name in written if _START.match(name))
