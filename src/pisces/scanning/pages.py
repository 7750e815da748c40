"""Every entry below a folder as a page. Links are not followed, pipes are not opened, and reading is bounded.

Of a `.git` folder only what runs is looked at: its config and its hooks.
"""

from __future__ import annotations

import os
import stat

from pisces.files import MAX_BYTES, Unreadable, entries, read_bytes
from pisces.scanning.known_files import KnownFiles
from pisces.scanning.page import BINARY, LINK, SPECIAL, TEXT, Page, lowered
from pisces.scanning.roles import is_named_as_text, role_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_ENTRIES = 50_000
DEEPEST = 64
HEAD = 4096
MOST_HELD = 64 * 1024 * 1024

_OPEN_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_OPEN_FLAGS |= getattr(os, "O_NOFOLLOW", 0)
_RUN_BY_GIT = ("config", "hooks")
_UTF16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


def pages_of(path: str, known: KnownFiles) -> Iterator[Page]:
    """In the order of names, folders after the files of the same folder; for a single file, that one."""
    if not os.path.isdir(path):
        folder, name = os.path.split(path)
        yield page_at(folder, name, known)
        return
    for number, (name, why) in enumerate(_names(path), 1):
        if number > MOST_ENTRIES:
            yield Page(path, "", known, why=f"has more than {MOST_ENTRIES:,} entries; the rest was not looked at")
            return
        yield Page(path, name, known, why=why) if why else page_at(path, name, known)


def held_pages(path: str, known: KnownFiles) -> list[Page]:
    """All pages at once. Those beyond the first `MOST_HELD` bytes give up their content; `renewed` reads it again."""
    pages: list[Page] = []
    held = 0
    for page in pages_of(path, known):
        held += len(page.data)
        pages.append(page if held <= MOST_HELD else _emptied(page))
    return pages


def renewed(page: Page) -> Page:
    if not page.is_emptied:
        return page
    again = page_at(page.folder, page.name, page.known)
    again.started, again.role = page.started, page.role
    again.is_loaded, again.acts, again.is_reference = page.is_loaded, page.acts, page.is_reference
    return again


def _emptied(page: Page) -> Page:
    page.data, page.text, page.lowered, page.is_emptied = b"", "", "", True
    return page


def _names(folder: str) -> Iterator[tuple[str, str]]:
    """Names relative to the folder, with `/`: files with an empty reason, skipped folders with the reason."""
    pending = [""]
    while pending:
        above = pending.pop()
        here = os.path.join(folder, *above.split("/"))
        if not os.access(here, os.R_OK | os.X_OK):
            yield above, "cannot be opened"
        deeper = []
        for entry in filter(lambda each: not above.endswith(".git") or each.name in _RUN_BY_GIT, entries(here)):
            name = f"{above}/{entry.name}" if above else entry.name
            if not _is_real_folder(entry):
                yield name, ""
            elif name.count("/") >= DEEPEST:
                yield name, "is nested too deeply"
            else:
                deeper.append(name)
        pending.extend(reversed(deeper))


def _is_real_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def page_at(folder: str, name: str, known: KnownFiles) -> Page:
    """The page of one file; what cannot be read says why."""
    page = Page(folder, name, known)
    try:
        status = os.lstat(page.path)
    except (OSError, ValueError) as error:
        page.why = f"cannot be looked at: {getattr(error, 'strerror', None) or error}".lower()
        return page
    page.size = status.st_size
    if stat.S_ISLNK(status.st_mode):
        page.kind = LINK
    elif not stat.S_ISREG(status.st_mode):
        page.kind = SPECIAL
    elif status.st_size > MAX_BYTES:
        page.kind, page.data = BINARY, _head(page.path)
        page.why = f"is {status.st_size:,} bytes; only its beginning was looked at"
    else:
        _read(page)
    return page


def _read(page: Page) -> None:
    try:
        page.data = read_bytes(page.path)
    except Unreadable as error:
        page.why = error.message
        return
    page.kind = BINARY if _is_binary(page) else TEXT
    if page.kind == TEXT:
        page.is_recoded = page.data[:2] in _UTF16
        page.text = page.data.decode(_UTF16.get(page.data[:2], "utf-8"), "replace")
        page.lowered = lowered(page.text)
        page.role = role_of(page.name, page.text, page.known)


def _is_binary(page: Page) -> bool:
    if b"\0" not in page.data[:HEAD] or page.data[:2] in _UTF16:
        return False
    # A shell skips NUL characters, so one of them does not make a script harmless.
    return not (page.data.startswith(b"#!") or is_named_as_text(page.name, page.known))


def _head(path: str) -> bytes:
    try:
        handle = os.open(path, _OPEN_FLAGS)
    except (OSError, ValueError):
        return b""
    try:
        return os.read(handle, HEAD)
    except OSError:
        return b""
    finally:
        os.close(handle)
