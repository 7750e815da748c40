"""Qwen Code's Markdown commands: `{{args}}`, `@{path}` and `!{line}` in a body that is trimmed.

Files come in their places, and the typed line follows the text where there is no `{{args}}`. In a line, `$ARGUMENTS`
means the arguments too; there they are quoted, word by word.
"""

from __future__ import annotations

import re

from pisces.commands.names.argument_words import split_words
from pisces.commands.prompts.brace_prompts import ARGS, BracePrompt, parts_of
from pisces.commands.prompts.expansion import Expansion
from pisces.commands.prompts.line_arguments import Given
from pisces.commands.prompts.markdown_prompt import markdown_of
from pisces.diagnostics import Diagnostic
from pisces.discovery.injection_rules import BALANCE_HINT, COMMAND_INJECTION
from pisces.shapes.prompt import Part, Prompt

_IN_A_LINE = re.compile(r"(?P<one>\{\{args\}\})|\$ARGUMENTS")


def expand(expansion: Expansion) -> Prompt:
    command, args = expansion.command, expansion.args
    text = markdown_of(expansion).body.replace("\r\n", "\n").strip()

    def given(match: re.Match[str]) -> Given:
        return Given(args, ((args,) if args else ()) if match["one"] else tuple(split_words(args)))

    def unclosed(start: int) -> Diagnostic:
        message = f"`{text[start : start + 2]}` is not closed"
        return COMMAND_INJECTION.at(command.path, message, hint=BALANCE_HINT, about=command.name)

    parts, diagnostics = parts_of(BracePrompt(text, _IN_A_LINE, given, lambda _: (0, 0), unclosed), expansion)
    if args and ARGS not in text:
        parts.append(Part(f"\n\n{expansion.raw}"))
    return Prompt(tuple(_merged(parts)), tuple(diagnostics))


def _merged(parts: list[Part]) -> list[Part]:
    """Adjacent text becomes one part, except the text of a file."""
    merged: list[Part] = []
    for part in parts:
        if merged and not (part.path or merged[-1].path):
            merged[-1] = Part(merged[-1].text + part.text)
        else:
            merged.append(part)
    return merged
