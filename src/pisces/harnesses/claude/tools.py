"""The names of Claude Code's tools, as hooks and permissions match them."""

from __future__ import annotations

from pisces.discovery import tool_names as to

TOOLS = {
    "Read": to.READ,
    "Write": to.WRITE,
    "Edit": to.EDIT,
    "MultiEdit": to.EDIT,
    "Bash": to.SHELL,
    "Grep": to.SEARCH,
    "Glob": to.FIND,
    "LS": to.LIST,
    "WebFetch": to.FETCH,
    "WebSearch": to.WEB_SEARCH,
    "TodoWrite": to.TODOS,
    "Task": to.SUBAGENT,
    "Agent": to.SUBAGENT,
    "Skill": to.SKILL,
    "AskUserQuestion": to.ASK,
}
