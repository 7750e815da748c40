"""One YAML document: its directives, its markers and its root node. A second document is an error."""

from __future__ import annotations

import re

from pisces.formats.yaml.blocks import block_node
from pisces.formats.yaml.reader import ABSENT, YamlReader

_DIRECTIVE = r"%([^ \t\n\0]+)([^\n]*)"
_HANDLE = r"!(?:[a-zA-Z-]*!)?"


def document(reader: YamlReader) -> object:
    """The value of the only document; None if it is empty."""
    reader.enter_line(0)
    reader.gap()
    directed = _directives(reader)
    if reader.indent == 0 and reader.text.startswith("---", reader.at):
        reader.at += 3
        reader.gap()
    elif directed:
        raise reader.malformed("directives must be followed by `---`")
    value = block_node(reader, reader.indent - 1, reader.indent - 1, True)
    reader.gap()
    _refuse_more(reader)
    return None if value is ABSENT else value


def _refuse_more(reader: YamlReader) -> None:
    at, text = reader.at, reader.text
    separated = at == reader.line_start and text[at] != "\0" and reader.is_separator(at)
    if separated and text[at] == ".":
        reader.at += 3
        reader.gap()
    if text[reader.at] == "\0":
        return
    raise reader.malformed("a second document" if separated else "this does not belong to what comes before it")


def _directives(reader: YamlReader) -> bool:
    seen: set[str] = set()
    while reader.indent == 0 and reader.text[reader.at] == "%":
        found = re.compile(_DIRECTIVE).match(reader.text, reader.at)
        if found is None:
            raise reader.malformed("a directive needs a name")
        arguments = re.split(r"(?:^|[ \t]+)#", found[2])[0].split()
        if found[1] == "YAML":
            _check_version(reader, arguments, seen)
        elif found[1] == "TAG":
            _declare_handle(reader, arguments)
        seen.add(found[1])
        reader.at = found.end()
        reader.gap()
    return bool(seen)


def _check_version(reader: YamlReader, arguments: list[str], seen: set[str]) -> None:
    if "YAML" in seen or len(arguments) != 1 or re.fullmatch(r"0*1\.[0-9]+", arguments[0]) is None:
        raise reader.malformed("`%YAML` is given once, with a version 1.x")


def _declare_handle(reader: YamlReader, arguments: list[str]) -> None:
    if len(arguments) != 2 or re.fullmatch(_HANDLE, arguments[0]) is None or arguments[0] in reader.handles:
        raise reader.malformed("`%TAG` is given once per handle, with a handle and a prefix")
    reader.handles[arguments[0]] = arguments[1]
