"""Texts in Claude Code's spelling: placeholders, and what would be one there and was none before."""

from __future__ import annotations

import re

from pisces.converting import prompt_text as neutral
from pisces.converting.fate import APPROXIMATED, CHANGED_MEANING, LOST_PLACEHOLDER, lost
from pisces.converting.prompt_text import (
    PromptArgument,
    PromptArguments,
    PromptInclude,
    PromptLine,
    PromptLiteral,
    PromptVariable,
)
from pisces.converting.spelling import taken_for_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import PluginItem
    from pisces.converting.prompt_text import Part, PromptText

VARIABLES = {
    neutral.ROOT: "CLAUDE_PLUGIN_ROOT",
    neutral.DATA: "CLAUDE_PLUGIN_DATA",
    neutral.PROJECT: "CLAUDE_PROJECT_DIR",
    neutral.SKILL_FOLDER: "CLAUDE_SKILL_DIR",
    neutral.SESSION: "CLAUDE_SESSION_ID",
}
_ARGUMENT = re.compile(r"(?<!\\)\$(?=ARGUMENTS|\d)")
_LINE = re.compile(r"(?<!\S)!(?=`)|(?<=```)!")


def prompt_of(text: PromptText) -> str:
    """The text of a command or a skill, which may hold arguments and command lines."""
    return text.spelled(_in_prompt)


def plain_text_of(text: PromptText) -> str:
    """The text of a subagent, or a string of a server: only variables are filled in."""
    return text.spelled(_in_string)


def placeholder_fates(item: PluginItem, text: PromptText) -> Iterator[Fate]:
    """What the other spelling does not say in full."""
    for part in text.parts:
        if isinstance(part, str | PromptLiteral):
            taken = taken_for_place(item, _harmless(part if isinstance(part, str) else part.text), "claude")
            if taken:
                why = f"`{taken}` is plain text, and Claude Code fills something in for it"
                yield lost(APPROXIMATED, LOST_PLACEHOLDER, item, why)
        elif isinstance(part, PromptLine) and any(isinstance(each, PromptArguments) for each in part.parts):
            why = f"in `{part.written}` the arguments are inserted as they were typed, without quotes"
            yield lost(APPROXIMATED, CHANGED_MEANING, item, why)
        elif isinstance(part, PromptInclude) and " " in _inner(part.parts):
            yield lost(APPROXIMATED, LOST_PLACEHOLDER, item, f"`{part.written}` names a file with a blank in its name")
        elif isinstance(part, PromptVariable) and not spelled_variable(part):
            yield lost(APPROXIMATED, LOST_PLACEHOLDER, item, f"Claude Code does not fill in `{part.written}`")


def spelled_variable(part: PromptVariable) -> str:
    """Empty for one that Claude Code does not have in texts."""
    if part.name in VARIABLES:
        return f"${{{VARIABLES[part.name]}}}"
    if part.name.startswith(neutral.SETTING):
        return f"${{user_config.{part.name.removeprefix(neutral.SETTING)}}}"
    return ""


def _in_string(part: Part) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, PromptVariable):
        return spelled_variable(part) or part.written
    return part.text if isinstance(part, PromptLiteral) else part.written


def _in_prompt(part: Part) -> str:
    match part:
        case PromptArguments():
            return "$ARGUMENTS"
        case PromptArgument():
            return f"$ARGUMENTS[{part.number}]"
        case PromptLine():
            return _line(_inner(part.parts).strip(), is_block=part.block)
        case PromptInclude():
            return _include(_inner(part.parts).strip())
        case PromptLiteral():
            return _harmless(part.text)
        case str():
            return _harmless(part)
    return _in_string(part)


def _line(line: str, *, is_block: bool) -> str:
    return f"```!\n{line}\n```" if is_block or "`" in line or "\n" in line else f"!`{line}`"


def _include(path: str) -> str:
    return f'@"{path}"' if " " in path else f"@{path}"


def _inner(parts: Iterable[Part]) -> str:
    """Inside of a command line or the name of a file, nothing but arguments and variables has a meaning."""
    return "".join(
        _in_prompt(each) if isinstance(each, PromptArguments | PromptArgument) else _in_string(each) for each in parts
    )


def _harmless(text: str) -> str:
    """Text of another program that Claude Code would fill in, or even run."""
    return _LINE.sub("! ", _ARGUMENT.sub(r"\\$", text))
