"""The names of Claude Code's tools, as hooks and permissions match them."""

from __future__ import annotations

from pisces.discovery.tool_names import (
    ASK,
    EDIT,
    FETCH,
    FIND,
    LIST,
    READ,
    SEARCH,
    SHELL,
    SKILL,
    SUBAGENT,
    TODOS,
    WEB_SEARCH,
    WRITE,
)

TOOLS = {
    "Read": READ,
    "Write": WRITE,
    "Edit": EDIT,
    "MultiEdit": EDIT,
    "Bash": SHELL,
    "Grep": SEARCH,
    "Glob": FIND,
    "LS": LIST,
    "WebFetch": FETCH,
    "WebSearch": WEB_SEARCH,
    "TodoWrite": TODOS,
    "Task": SUBAGENT,
    "Agent": SUBAGENT,
    "Skill": SKILL,
    "AskUserQuestion": ASK,
}
