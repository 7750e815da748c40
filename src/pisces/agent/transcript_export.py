"""A session in another form: Markdown, one HTML file, or the lines of its branch with all texts in them."""

from __future__ import annotations

import os

from pisces.agent.transcript_entry import line_of
from pisces.audit.log_file import FILE_MODE
from pisces.by_name import export_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.agent.transcript import Transcript

MARKDOWN, HTML, LINES = EXPORT_FORMATS = ("markdown", "html", "jsonl")


def exported(transcript: Transcript, form: str) -> Iterator[str]:
    """In pieces of text."""
    if form != LINES:
        yield from export_of("pisces.agent", f"transcript_{form}", form)(transcript)
        return
    for entry in transcript.branch:
        yield line_of(entry.replace(fields=transcript.whole(entry))).decode("utf-8")


def write_export(transcript: Transcript, form: str, path: str) -> int:
    """Only the user can read the file, if it is new. Returns its size; raises `OSError`."""
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FILE_MODE), "wb") as file:
        return sum(file.write(part.encode("utf-8", "replace")) for part in exported(transcript, form))
