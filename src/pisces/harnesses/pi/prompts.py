"""pi's prompt templates: `$1`, `$@`, `$ARGUMENTS`, `${@:2}` and `${@:2:3}`; what is not given is nothing.

Arguments without a placeholder are dropped, as pi does it, and a warning says so.
"""

from __future__ import annotations

import re

from pisces.commands.names.argument_words import plain_words
from pisces.commands.prompts.expansion import Expansion
from pisces.commands.prompts.markdown_prompt import markdown_of, plain_prompt, unused
from pisces.shapes.prompt import Prompt

_PLACEHOLDER = re.compile(
    r"\$(?P<number>\d{1,9})|\$\{@:(?P<from>\d{1,9})(?::(?P<count>\d{1,9}))?\}|\$ARGUMENTS|\$@", re.ASCII
)


def expand(expansion: Expansion) -> Prompt:
    file = markdown_of(expansion)
    text = file.body.strip() if file.header else file.body
    words = plain_words(expansion.args)
    used = _PLACEHOLDER.search(text)
    return plain_prompt(
        _PLACEHOLDER.sub(lambda match: _filled(match, words), text), *(() if used else unused(expansion))
    )


def _filled(match: re.Match[str], words: list[str]) -> str:
    if match["number"]:
        number = int(match["number"])
        return words[number - 1] if 0 < number <= len(words) else ""
    start = max(int(match["from"] or 1), 1) - 1
    end = None if match["count"] is None else start + int(match["count"])
    return " ".join(words[start:end])
