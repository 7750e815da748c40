"""Copilot's prompt files, `*.prompt.md`: `${input:name}`, `${input:name:hint}` and `${workspaceFolder}`.

Inputs are typed as `name=value`; all that is typed is the value where there is one input alone. What fits no input
follows the text, and an input without a value stays as it is, for the model to ask about. Other files that Copilot
reads are Claude Code's.
"""

from __future__ import annotations

import os
import re

from pisces.commands.names.argument_words import split_words
from pisces.commands.prompts import dollar_prompts
from pisces.commands.prompts.expansion import Expansion
from pisces.commands.prompts.markdown_prompt import markdown_of, plain_prompt
from pisces.diagnostics import WARNING, Diagnostic, Rule
from pisces.shapes.prompt import Prompt

EDITOR_VARIABLE = Rule("prompt-editor-variable", WARNING, "A prompt file asks for what only an editor knows")

_VARIABLE = re.compile(r"\$\{(?:input:(?P<input>[^}:]+)(?::[^}]*)?|(?P<name>[A-Za-z]+))\}")
_OF_AN_EDITOR = re.compile(r"selection|selectedText|(?:relative)?file\w*|lineNumber", re.ASCII | re.IGNORECASE)


def expand(expansion: Expansion) -> Prompt:
    if not expansion.command.path.endswith(".prompt.md"):
        return dollar_prompts.expand(expansion)
    text = markdown_of(expansion).body.strip()
    inputs = list(dict.fromkeys(match["input"].strip() for match in _VARIABLE.finditer(text) if match["input"]))
    values, rest = _values(inputs, expansion.args.strip())
    known = {"workspaceFolder": expansion.places.cwd, "workspaceFolderBasename": os.path.basename(expansion.places.cwd)}

    def filled(match: re.Match[str]) -> str:
        value = values.get(match["input"].strip()) if match["input"] else known.get(match["name"])
        return match[0] if value is None else value

    finished = "\n\n".join(filter(None, (_VARIABLE.sub(filled, text), rest)))
    return plain_prompt(finished, *_unknown(text, expansion))


def _values(inputs: list[str], typed: str) -> tuple[dict[str, str], str]:
    """The value of each input that has one, and what was typed besides."""
    words = [(word, *word.partition("=")) for word in split_words(typed)]
    values = {name: value for _, name, equals, value in words if equals and name in inputs}
    if not values:
        return ({inputs[0]: typed}, "") if len(inputs) == 1 and typed else ({}, typed)
    return values, " ".join(word for word, name, _, _ in words if name not in values)


def _unknown(text: str, expansion: Expansion) -> tuple[Diagnostic, ...]:
    found = [match[0] for match in _VARIABLE.finditer(text) if match["name"] and _OF_AN_EDITOR.fullmatch(match["name"])]
    command = expansion.command
    hint = "name the file in the arguments, with `${input:file}` in its place"
    return tuple(
        EDITOR_VARIABLE.at(command.path, f"`{name}` is known to an editor alone", hint=hint, about=command.name)
        for name in dict.fromkeys(found)
    )
