"""Prompts with `{{args}}`, `!{line}` and `@{path}`, cut into parts. Braces are counted; an unclosed one is text."""

from __future__ import annotations

import re

from pisces.converting.prompt_text import PromptArguments, PromptInclude, PromptLine, PromptText
from pisces.converting.text_parts import cut, joined
from pisces.formats.injections import UNCLOSED, injections

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.converting.prompt_text import Part

_ARGS = re.compile(re.escape("{{args}}"))
_LINE, _FILE = "!{", "@{"


def brace_text(text: str) -> PromptText:
    """Files come first, as they do when the prompt is expanded: a line cannot hold one."""
    if not any(sign in text for sign in (_LINE, _FILE, "{{")):
        return PromptText((text,) if text else ())
    parts: list[Part] = []
    for piece, is_file in _pieces(text, _FILE):
        if is_file:
            parts.append(PromptInclude(_filled(piece[2:-1].strip()), piece))
        else:
            parts += _with_lines(piece)
    return PromptText(joined(parts))


def _with_lines(text: str) -> Iterator[Part]:
    for piece, is_line in _pieces(text, _LINE):
        if is_line and piece[2:-1].strip():
            yield PromptLine(_filled(piece[2:-1].strip()), piece)
        else:
            yield from _filled(piece)


def _filled(text: str) -> tuple[Part, ...]:
    return cut(text, _ARGS, lambda match: PromptArguments(match[0]))


def _pieces(text: str, trigger: str) -> Iterator[tuple[str, bool]]:
    """Each piece, and whether it is an injection."""
    last = 0
    for start, end in injections(text, trigger):
        if end != UNCLOSED:
            yield text[last:start], False
            yield text[start:end], True
            last = end
    yield text[last:], False
