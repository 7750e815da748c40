"""`@name` in a line of the user: the model is asked to give the task to that subagent.

The model starts it, and not we: it alone knows what the subagent has to know of the conversation. `@agent-name` and
`@"name (agent)"` mean the same.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

_MENTION = re.compile(r'(?<![\w@./"-])@(?:"([^"\n]{1,200}) \(agent\)"|(\w[\w.:-]{0,199})(?![\w/]))')
_PREFIX = "agent-"


def agent_mentions(line: str, names: Collection[str]) -> tuple[str, ...]:
    """The subagents that a line names, each once, in their order. A file or a server of that name is meant by nobody:
    only names that are known count.
    """
    if "@" not in line or not names:
        return ()
    found = (_known(quoted or plain, names) for quoted, plain in _MENTION.findall(line))
    return tuple(dict.fromkeys(each for each in found if each))


def _known(written: str, names: Collection[str]) -> str:
    """A full stop or colon behind a name is the sentence's."""
    for each in (written, written.rstrip(".:-")):
        for name in (each, each.removeprefix(_PREFIX)):
            if name in names:
                return name
    return ""


def mention_note(line: str, names: Collection[str]) -> str:
    """For the model, behind the user's words; empty where nobody is mentioned."""
    mentioned = agent_mentions(line, names)
    if not mentioned:
        return ""
    listed = ", ".join(f"`{each}`" for each in mentioned)
    return f"The user wants this done by the subagent {listed}. Call `agent`, with all that it has to know in `prompt`."
