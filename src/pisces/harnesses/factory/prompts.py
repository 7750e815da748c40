"""Droid's Markdown commands: `$ARGUMENTS` and nothing else; without it the arguments are dropped, and that is said."""

from __future__ import annotations

from pisces.commands.prompts.expansion import Expansion
from pisces.commands.prompts.markdown_prompt import markdown_of, plain_prompt, unused
from pisces.shapes.prompt import Prompt


def expand(expansion: Expansion) -> Prompt:
    text = markdown_of(expansion).body.strip()
    diagnostics = () if "$ARGUMENTS" in text else unused(expansion)
    return plain_prompt(text.replace("$ARGUMENTS", expansion.args.strip()), *diagnostics)
