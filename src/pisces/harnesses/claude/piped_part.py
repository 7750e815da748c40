"""Of a line with pipes, the part that a rule denies: Claude Code names that one to the model, and not the line."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_NESTED = re.compile(r"[(){}`]|<<")  # then it names the whole line
_TOKEN = re.compile(r"""\\.|'[^']*'|"(?>(?:\\.|[^"\\])*)"|\|\||\|&?|[^\\'"|]++|.""", re.DOTALL)
_REDIRECTS = re.compile(r"(?>(?:\s+\d?>{1,2}&?[ \t]*[^\s|&;<>]++)+)\Z")


def denied_part(text: str, is_denied: Callable[[str], bool]) -> str:
    if "|" not in text or _NESTED.search(text):
        return text
    return next((part for part in _parts(text) if is_denied(part)), text)


def _parts(text: str) -> Iterator[str]:
    part = ""
    for token in (*_TOKEN.findall(text), "|"):
        if token not in ("|", "|&"):
            part += token
            continue
        yield _REDIRECTS.sub("", part.strip())
        part = ""
