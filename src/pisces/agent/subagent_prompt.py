"""The system prompt of a subagent: its own text, how it works here, and what of the workspace it has to know.

It gets the project's context files as its parent does, and of the indexes only those whose tools it may call.
"""

from __future__ import annotations

import platform
import time
from typing import TYPE_CHECKING

from pisces.discovery.tool_names import SKILL, meaning_of
from pisces.instructions.part import CONTEXT, SERVERS, SKILLS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from pisces.instructions.part import InstructionPart

_OWN = """\
You are a subagent: you work alone on one task, and nobody can answer questions. Your last message is your report to \
the agent that gave you the task, and all that it sees of your work: say what you found or did, with paths and exact \
names, and what you did not do. A call may be denied; the result says by whom and why. Do not work around it."""


def subagent_prompt(
    own: str, parts: Iterable[InstructionPart], tools: Collection[str], skills: Sequence[str], cwd: str
) -> str:
    """`own` is the text of its file, `skills` are the texts of those that it begins with."""
    kinds = {CONTEXT}
    if any(meaning_of(each) == SKILL for each in tools):
        kinds.add(SKILLS)
    if any("__" in each for each in tools):
        kinds.add(SERVERS)
    found = (part.text for part in parts if part.kind in kinds)
    facts = f"Workspace: {cwd}\nSystem: {platform.system()}\nDate: {time.strftime('%Y-%m-%d')}"
    return "\n\n".join(filter(None, (own.strip(), _OWN, *found, *skills, facts)))
