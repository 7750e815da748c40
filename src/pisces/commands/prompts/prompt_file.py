"""Turns a prompt file and the user's words into a prompt, by the rules of the harness that it was written for.

Text that came out of a file, a command or the user is never expanded again, whatever the dialect.
"""

from __future__ import annotations

from pisces.by_name import export_of, files_called

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.commands.prompts.expansion import Expansion
    from pisces.shapes.prompt import Prompt

HARNESSES = "pisces.harnesses"
_TOML = ".toml"
_OTHERWISE = "claude"  # what most harnesses that read Markdown commands took over


def expanded_prompt(expansion: Expansion) -> Prompt:
    """The finished prompt; `PiscesError` where the file cannot be read or a gate said no."""
    prompt: Prompt = export_of(f"{HARNESSES}.{dialect_of(expansion)}", "prompts", "expand")(expansion)
    return prompt


def dialect_of(expansion: Expansion) -> str:
    """TOML is Gemini's everywhere; Markdown is read as its own harness reads it."""
    if expansion.command.path.endswith(_TOML):
        return "gemini"
    name = expansion.command.dialect.replace("-", "_")
    return name if f"{HARNESSES}.{name}" in files_called(HARNESSES, "prompts") else _OTHERWISE
