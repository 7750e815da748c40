"""The text of a file, so that an edited text can be stored exactly as the file was: encoding, mark and line ends."""

from __future__ import annotations

import codecs
import re

from pisces.value import Value

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_EXAMINED = 8192  # a NUL in so many bytes, and the file is not text: Git's rule
_HALF = re.compile("[\ud800-\udfff]")
_FOREIGN = "surrogateescape"  # bytes that are no UTF-8 come back as they were


class FileText(Value):
    """`text` has `\\n` at each line end if all ends in the file are alike; `newline` is what they are."""

    text: str
    encoding: str = "utf-8"
    mark: bytes = b""
    newline: str = "\n"

    @property
    def shown(self) -> str:
        """For a model: what is no character is U+FFFD."""
        return as_characters(self.text)

    def data_of(self, text: str) -> bytes:
        """Another text as this file stores it. UnicodeEncodeError where it has half a character."""
        ends = text.replace("\n", "\r\n") if self.newline == "\r\n" else text
        return self.mark + ends.encode(self.encoding, _FOREIGN if self.encoding == "utf-8" else "strict")


def file_text(data: bytes) -> FileText | None:
    """None for a file that is no text."""
    mark, encoding = next(((mark, name) for mark, name in _MARKS if data.startswith(mark)), (b"", "utf-8"))
    if encoding == "utf-8" and b"\0" in data[:_EXAMINED]:
        return None
    try:
        text = data[len(mark) :].decode(encoding, _FOREIGN if encoding == "utf-8" else "strict")
    except UnicodeDecodeError:
        return None
    ends = text.count("\r\n")
    if ends and ends == text.count("\n"):
        return FileText(text.replace("\r\n", "\n"), encoding, mark, "\r\n")
    return FileText(text, encoding, mark)


def as_characters(text: str) -> str:
    """Without half characters, which no JSON in UTF-8 can hold."""
    return text if text.isascii() else _HALF.sub("\ufffd", text)


def lines_of(text: str) -> list[str]:
    """Its lines as editors count them: a form feed ends none. Without the empty one behind the last end."""
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]
