"""What of an editor's context may be shared: no private files, ten files, newest first, only the newest active, 16 Ki.

The order and the limits are Gemini CLI's. Leaving out private files is an addition. The companion applies the rules
before it sends, the client again before the model reads, because other companions may not apply them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from fnmatch import fnmatch
from itertools import islice

from pisces.formats.js_text import first_units
from pisces.shapes.ide_context import MOST_FILES, MOST_SELECTED, Cursor, IdeContext, OpenFile

PRIVATE = (  # hold secrets, by their names
    *(".env", ".env.*", "*.pem", "*.key", "*.p12", "*.pfx", "*.kdbx", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"),
    *(".netrc", ".pgpass", ".npmrc", ".pypirc"),
)
TRUNCATED = "... [TRUNCATED]"
MOST_PATH = 4096  # characters; longer ones would only fill the model's context


def is_private(path: str, patterns: Iterable[str] = PRIVATE) -> bool:
    """Whether the file's name matches a pattern, regardless of case."""
    name = path.replace("\\", "/").rpartition("/")[2].lower()
    return any(fnmatch(name, pattern.lower()) for pattern in patterns)


def sendable(context: IdeContext, private: tuple[str, ...] = PRIVATE) -> IdeContext:
    """As the companion sends it: only files that exist."""

    def is_shared(path: str) -> bool:
        return os.path.isabs(path) and not is_private(path, private) and os.path.isfile(path)

    return _newest(context, is_shared, _valid)


def normalised(context: IdeContext, private: tuple[str, ...] = PRIVATE) -> IdeContext:
    """As the model may see it, whatever the companion has sent."""
    return _newest(context, lambda path: len(path) <= MOST_PATH and not is_private(path, private), _limited)


def inactive(file: OpenFile) -> OpenFile:
    return file.replace(is_active=False, cursor=None, selected_text="")


def _newest(
    context: IdeContext, is_shared: Callable[[str], bool], active: Callable[[OpenFile], OpenFile]
) -> IdeContext:
    newest_first = sorted(context.open_files, key=lambda file: file.timestamp, reverse=True)
    shared = islice((file for file in newest_first if is_shared(file.path)), MOST_FILES)
    files = (active(file) if file is newest_first[0] and file.is_active else inactive(file) for file in shared)
    return context.replace(open_files=tuple(files))


def _valid(file: OpenFile) -> OpenFile:
    cursor = file.cursor and Cursor(max(1, file.cursor.line), max(1, file.cursor.character))
    return file.replace(cursor=cursor, selected_text=first_units(file.selected_text, MOST_SELECTED, "ignore"))


def _limited(file: OpenFile) -> OpenFile:
    start = first_units(file.selected_text, MOST_SELECTED, "surrogatepass")
    return file if start == file.selected_text else file.replace(selected_text=start + TRUNCATED)
