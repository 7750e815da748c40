"""The text of an answer that is still growing, in a file beside the transcript: a process that is killed loses little.

Its first line is the id of the entry that the answer follows, so that a file that was left behind is known as old.
"""

from __future__ import annotations

import os
from contextlib import suppress

from pisces.agent.transcript_lines import make_private, open_to_read
from pisces.audit.log_file import CAREFULLY, FILE_MODE

_FILE = "partial"
_MOST = 32 << 20  # bytes that are read
_HEAD = 128  # bytes of the longest first line


def add_partial(folder: str, leaf: str, text: str, *, is_first: bool) -> None:
    """What the disk refuses is only missing after a crash: the answer itself is written by the transcript, which says
    what is wrong with the disk.
    """
    how = os.O_WRONLY | CAREFULLY | ((os.O_CREAT | os.O_EXCL) if is_first else os.O_APPEND)
    head = f"{leaf}\n" if is_first else ""
    with suppress(OSError):
        make_private(folder)
        if is_first:  # never through what is there: it may be another file's second name, or open to others
            drop_partial(folder)
        with open(os.open(os.path.join(folder, _FILE), how, FILE_MODE), "wb") as file:
            file.write((head + text).encode("utf-8", "replace"))


def partial_after(folder: str, leaf: str) -> str:
    """The text that was growing behind this entry; empty if there is none."""
    try:
        with open_to_read(os.path.join(folder, _FILE)) as file:
            if file.readline(_HEAD) != f"{leaf}\n".encode():
                return ""
            return file.read(_MOST).decode("utf-8", "ignore")
    except OSError:
        return ""


def drop_partial(folder: str) -> None:
    with suppress(OSError):
        os.remove(os.path.join(folder, _FILE))
