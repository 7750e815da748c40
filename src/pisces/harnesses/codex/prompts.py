"""Codex's custom prompts: `$1` to `$9` and `$ARGUMENTS`, or names in capitals that are given as `NAME=value`.

As Codex did it until they were removed in March 2026: one name in the text makes all arguments named and each name
required, `$$` stays as it is, a number without an argument is nothing, and arguments without a placeholder are dropped.
"""

from __future__ import annotations

import re

from pisces.commands.names.argument_words import split_words
from pisces.commands.prompts.expansion import Expansion
from pisces.commands.prompts.markdown_prompt import markdown_of, plain_prompt, unused
from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.shapes.prompt import Prompt

NAMED_ARGUMENTS = Rule("codex-named-arguments", ERROR, "The named arguments of a Codex prompt are not all given")

_NAME = re.compile(r"(?<!\$)\$([A-Z][A-Z0-9_]*)")
_NUMBERED = re.compile(r"\$(?:(?P<escaped>\$)|(?P<number>[1-9])|ARGUMENTS)")


def expand(expansion: Expansion) -> Prompt:
    text = markdown_of(expansion).body
    names = [name for name in dict.fromkeys(_NAME.findall(text)) if name != "ARGUMENTS"]
    if names:
        values = _values(names, expansion)
        return plain_prompt(_NAME.sub(lambda match: values.get(match[1], match[0]), text))
    words = split_words(expansion.args)
    used = any(not match["escaped"] for match in _NUMBERED.finditer(text))
    return plain_prompt(
        _NUMBERED.sub(lambda match: _numbered(match, words), text), *(() if used else unused(expansion))
    )


def _numbered(match: re.Match[str], words: list[str]) -> str:
    if match["escaped"]:
        return match[0]
    return "".join(words[int(match["number"]) - 1 :][:1]) if match["number"] else " ".join(words)


def _values(names: list[str], expansion: Expansion) -> dict[str, str]:
    pairs = [word.partition("=") for word in split_words(expansion.args)]
    strays = [name for name, equals, _ in pairs if not equals or not name]
    values = {name: value for name, _, value in pairs}
    missing = [name for name in names if name not in values]
    if not strays and not missing:
        return values
    message = f"`{strays[0]}` is not `NAME=value`" if strays else f"missing: {', '.join(missing)}"
    hint = f"write `{expansion.raw.split(None, 1)[0]} {' '.join(f'{name}=...' for name in names)}`"
    command = expansion.command
    raise PiscesError(NAMED_ARGUMENTS.at(command.path, message, hint=hint, about=command.name))
