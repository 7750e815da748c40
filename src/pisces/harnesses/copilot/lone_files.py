"""Files that are Copilot's by their names, wherever they lie: agents, prompts, instructions, chat modes.

VS Code takes an agent without a description, the command line does not; a lint says so.
"""

from __future__ import annotations

from pisces.checking.lone_file import BY_NAME, LoneFile, Reading
from pisces.harnesses.copilot import AGENTS, MODES, PROMPTS

_INSTRUCTIONS = ".instructions.md"
_READINGS = {
    ".agent.md": ("subagents", AGENTS.replace(needs=())),
    ".chatmode.md": ("subagents", MODES),
    ".prompt.md": ("commands", PROMPTS),
}
SUFFIXES = (*_READINGS, _INSTRUCTIONS)


def reading(file: LoneFile) -> Reading | None:
    if file.name.endswith(_INSTRUCTIONS) or file.name == "copilot-instructions.md":
        return Reading("context-files", None, file.path, weight=BY_NAME)
    for suffix, (capability, options) in _READINGS.items():
        if file.name.endswith(suffix):
            return Reading(capability, options, file.path, weight=BY_NAME)
    return None
