"""Block scalars: `|` preserves lines, `>` folds them. The header decides about line ends at the end."""

from __future__ import annotations

import re

from pisces.formats.yaml.reader import YamlReader

_HEADER = r"[|>](?:([-+])([1-9])?|([1-9])([-+])?)?(?:[ \t]+(?:#[^\n]*)?)?\n"
_SPACES = r" *"
_END = "\0"


def block_scalar(reader: YamlReader, indent: int) -> str:
    """The text of a block scalar indented by at least `indent`."""
    header = re.compile(_HEADER).match(reader.text, reader.at)
    if header is None:
        raise reader.malformed("a block scalar's header may hold an indentation from 1 to 9 and one of `+` and `-`")
    folding = reader.text[reader.at] == ">"
    chomping = header[1] or header[4] or ""
    width = header[2] or header[3]
    lines, blank = _lines(reader, header.end(), indent, indent + int(width) - 1 if width else None)
    text = _folded(lines) if folding else "\n".join(lines)
    if text.endswith(_END):
        return text.removesuffix(_END)  # and is not chomped, whatever the header says
    if chomping == "+":
        return text + "\n" * (blank + 1 if lines else blank)
    return text + "\n" if lines and not chomping else text


def _lines(reader: YamlReader, at: int, indent: int, fixed: int | None) -> tuple[list[str], int]:
    """The lines without their indentation, and the number of blank lines after the last."""
    text, spaces = reader.text, re.compile(_SPACES)
    lines: list[str] = []
    blank = 0
    depth = indent if fixed is None else fixed
    while True:
        found = spaces.match(text, at)
        lead = found.end() - at if found else 0
        if fixed is not None:
            lead = min(lead, fixed)
        else:
            depth = max(depth, lead)
        if text[at + lead] == "\n":
            blank += 1
            at += lead + 1
            continue
        if lead < depth or text[at + lead] == "\0":
            break
        fixed = depth
        end = text.index("\n", at + lead)
        reader.check_printable(at, end)
        lines.extend([""] * blank)
        lines.append(text[at + lead : end])
        blank = 0
        at = end + 1
    reader.at = at + lead
    reader.line_start, reader.indent, reader.tabbed = at, lead, False
    if depth == 0:  # at the root, where only the end of the text ends it; that counts as a line
        lines.extend([""] * blank + [_END])
    return lines, blank


def _folded(lines: list[str]) -> str:
    """Lines joined by spaces. Blank lines and lines that start with a blank keep their line ends."""
    out: list[str] = []
    started = indented = False
    empty = 0
    for line in lines:
        if not line:
            empty += 1
            continue
        if line[0] in " \t":
            out.append("\n" * (empty + 1 if started else empty))
            indented = True
        elif indented:
            out.append("\n" * (empty + 1))
            indented = False
        else:
            out.append("\n" * empty if empty else " " * started)
        out.append(line)
        started, empty = True, 0
    return "".join(out)
