"""Commands without placeholders, as Cursor and Continue have them: what is typed after the name follows the text."""

from __future__ import annotations

from pisces.commands.prompts.expansion import Expansion
from pisces.commands.prompts.markdown_prompt import markdown_of, plain_prompt
from pisces.shapes.prompt import Prompt


def expand(expansion: Expansion) -> Prompt:
    text, typed = markdown_of(expansion).body.strip(), expansion.args.strip()
    return plain_prompt("\n\n".join(filter(None, (text, typed))))
