"""Turns a prompt file and the user's words into a prompt, by the rules of the harness that it was written for.

Text that came out of a file, a command or the user is never expanded again, whatever the grammar.
"""

from __future__ import annotations

from pisces.by_name import export_of, has_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.commands.prompts.expansion import Expansion
    from pisces.shapes.prompt import Prompt

HARNESSES = "pisces.harnesses"
_GRAMMARS = "pisces.commands.prompts"


def expanded_prompt(expansion: Expansion) -> Prompt:
    """The finished prompt; `PiscesError` where the file cannot be read or a gate said no."""
    prompt: Prompt = export_of(*_grammar_of(expansion), "expand")(expansion)
    return prompt


def _grammar_of(expansion: Expansion) -> tuple[str, str]:
    """TOML has one grammar everywhere. Markdown has its harness's own, else the one that most harnesses took over."""
    if expansion.command.path.endswith(".toml"):
        return _GRAMMARS, "toml_prompts"
    harness = f"{HARNESSES}.{expansion.command.dialect.replace('-', '_')}"
    return (harness, "prompts") if has_file(harness, "prompts") else (_GRAMMARS, "dollar_prompts")
