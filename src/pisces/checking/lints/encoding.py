"""How files are written: UTF-8 without a byte order mark and without NUL; names that can be shown."""

from __future__ import annotations

from pisces.checking.lint import Lint
from pisces.checking.subject import Subject
from pisces.diagnostics import ERROR, WARNING, Diagnostics, Rule

NOT_UTF8 = Rule("not-utf8", WARNING, "A file is not UTF-8")
BYTE_ORDER_MARK = Rule("byte-order-mark", WARNING, "A file begins with a byte order mark")
NUL_CHARACTER = Rule("nul-character", ERROR, "A file has a NUL character in it")
UNPRINTABLE_NAME = Rule("unprintable-name", WARNING, "A name has characters that cannot be seen")

_MARK = b"\xef\xbb\xbf"
_NAMED = ("packages", "commands", "skills", "subagents", "mcp-servers", "themes")


def _find(subject: Subject) -> Diagnostics:
    found = [each.item.path for kinds in subject.found.values() for kind in kinds.values() for each in kind]
    rejected = [each for diagnostics in subject.rejected.values() for each in diagnostics]
    marked = {each.path for each in rejected if "byte order mark" in each.message}  # a reader has said so
    for path in dict.fromkeys([*found, *(each.path for each in rejected)]):
        data = subject.pages.data(path) if path else None
        if data:
            yield from _flaws(path, data.removeprefix(_MARK) if path in marked else data)
    for kind in _NAMED:
        for each in subject.every(kind):
            if not str(each.item.name).isprintable():
                message = f"the name {str(each.item.name)!r} has characters that cannot be seen"
                yield UNPRINTABLE_NAME.at(each.item.path, message, about=str(each.item.name))


def _flaws(path: str, data: bytes) -> Diagnostics:
    if data.startswith(_MARK):
        yield BYTE_ORDER_MARK.at(path, "the file begins with a byte order mark", place=(1, 1), hint="save it without")
    if b"\0" in data:
        yield NUL_CHARACTER.at(path, "the file has a NUL character", place=_place(data, data.index(b"\0")))
        return
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"byte 0x{data[error.start]:02x} is not UTF-8"
        yield NOT_UTF8.at(path, message, place=_place(data, error.start), hint="save the file as UTF-8")


def _place(data: bytes, offset: int) -> tuple[int, int]:
    before = data[:offset].decode("utf-8", "replace")
    return before.count("\n") + 1, len(before) - before.rfind("\n")


LINT = Lint("how files are written", _find)
