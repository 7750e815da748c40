"""What tree-sitter-bash makes of a shell line: its simple commands with their words. Not a test by itself."""

from __future__ import annotations

import re
from typing import Any

Words = tuple[str | None, ...]

_NAMES = ("command", "declaration_command", "unset_command")
_REDIRECTS = ("file_redirect", "heredoc_redirect", "herestring_redirect")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED_IN_DOUBLE = re.compile(r'\\([$`"\\\n])')


class BashTree:
    """`parser` is one of tree-sitter for bash."""

    def __init__(self, parser: Any, text: str) -> None:
        self.root = parser.parse(text.encode()).root_node
        self.has_error = self.root.has_error

    def commands(self) -> list[Words]:
        found: list[Words] = []
        pending = [self.root]
        while pending:
            node = pending.pop()
            pending += node.children
            if node.type in _NAMES:
                found.append(tuple(_words(node)))
        return found


def _words(node: Any) -> list[str | None]:
    words: list[str | None] = []
    for child in node.children:
        if child.type in _REDIRECTS or (node.type == "command" and child.type == "variable_assignment"):
            continue
        words.append(_text(child.children[0] if child.type == "command_name" else child))
    return words


def _text(node: Any) -> str | None:
    """The word after quotes; None where the shell puts something in."""
    written: str = node.text.decode()
    if node.type == "raw_string":
        return written[1:-1]
    if node.type == "string":
        inner = [child for child in node.children if child.type not in ('"', "string_content")]
        return None if inner else re.sub(_ESCAPED_IN_DOUBLE, _unescaped, written[1:-1])
    if node.type in ("concatenation", "variable_assignment"):
        return _joined(node)
    if node.type in ("word", "number", "extglob_pattern", "variable_name") or not node.is_named:
        return re.sub(_ESCAPED, r"\1", written.replace("\\\n", ""))
    return None


def _joined(node: Any) -> str | None:
    parts = [_text(child) for child in node.children]
    return None if None in parts else "".join(part for part in parts if part is not None)


def _unescaped(found: re.Match[str]) -> str:
    return "" if found[1] == "\n" else found[1]
