"""The system prompt: a few lines of our own, then what the host found, then where and when."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_OWN = """\
You are pisces, a coding agent in the user's terminal. Your tools read, change and run things in their workspace.
- Look before you act: read the files that matter, and follow the conventions that you find in them.
- Use a tool for each fact that you need. Call several at once where they do not depend on each other.
- Change what was asked for and nothing else. Then check it: run the tests, the build or the program.
- A call may be denied; the result says by whom and why. Do not look for a way around it.
- Answer briefly, in Markdown. Say what you did and what you did not do."""


def system_prompt(instructions: Iterable[str], cwd: str, date: str) -> str:
    """`instructions` are the host's parts. What never changes comes first, so that providers can cache it."""
    facts = f"Workspace: {cwd}\nSystem: {platform.system()}\nDate: {date}"
    return "\n\n".join((_OWN, *instructions, facts))
