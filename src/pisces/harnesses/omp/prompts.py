"""omp's Markdown commands: `$1`, `$@`, `$ARGUMENTS`, `$@[2]`, `$@[2:3]`, and the same as `{{arg 1}}`, `{{ARGUMENTS}}`.

Arguments without a placeholder are appended. Of the template language only variables are read; blocks and helpers stay
as they are, with a warning. omp also tidies blank lines and tables of the result, which is not done here.
"""

from __future__ import annotations

import re

from pisces.commands.names.argument_words import plain_words
from pisces.commands.prompts.expansion import Expansion
from pisces.commands.prompts.markdown_prompt import markdown_of, plain_prompt
from pisces.diagnostics import WARNING, Diagnostic, Rule
from pisces.shapes.prompt import Prompt

OMP_TEMPLATE = Rule("omp-template", WARNING, "A part of an omp template is not understood")

_PLACEHOLDER = re.compile(
    r"\$@\[(?P<from>\d{1,9})(?::(?P<count>\d{0,9}))?\]|\$(?:ARGUMENTS|@)|\$(?P<number>\d{1,9})"
    r"|\{\{\{?\s*(?:arg\s+[\"']?(?P<arg>\d{1,9})[\"']?|(?P<list>args)|ARGUMENTS|arguments)\s*\}?\}\}",
    re.ASCII,
)
_OTHER = re.compile(
    r"\{\{(?!\{?\s*(?:arg\s+[\"']?\d{1,9}[\"']?|args|ARGUMENTS|arguments)\s*\}?\}\})[^{}]*\}\}", re.ASCII
)


def expand(expansion: Expansion) -> Prompt:
    file = markdown_of(expansion)
    template = file.body.strip()
    words = plain_words(expansion.args)
    text = _PLACEHOLDER.sub(lambda match: _filled(match, words), template)
    if words and not _PLACEHOLDER.search(template):
        text = f"{text}\n\n{' '.join(words)}".lstrip("\n")
    return plain_prompt(text, *_other(template, expansion))


def _filled(match: re.Match[str], words: list[str]) -> str:
    number = match["number"] or match["arg"]
    if number:
        return words[int(number) - 1] if 0 < int(number) <= len(words) else ""
    start = int(match["from"] or 1) - 1
    if start < 0:
        return ""
    end = start + int(match["count"]) if match["count"] else None
    return ("," if match["list"] else " ").join(words[start:end])


def _other(template: str, expansion: Expansion) -> tuple[Diagnostic, ...]:
    found = _OTHER.search(template)
    if found is None:
        return ()
    message = f"`{found[0]}` stays in the prompt as it is written"
    hint = "use `$ARGUMENTS`, `$1` or `$@[2]`"
    return (OMP_TEMPLATE.at(expansion.command.path, message, hint=hint, about=expansion.command.name),)
