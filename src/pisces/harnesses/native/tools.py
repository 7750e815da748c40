"""The names of the tools of our own agent."""

from __future__ import annotations

from pisces.discovery import tool_names as to

TOOLS = {
    "read": to.READ,
    "write": to.WRITE,
    "edit": to.EDIT,
    "list": to.LIST,
    "glob": to.FIND,
    "grep": to.SEARCH,
    "shell": to.SHELL,
    "fetch": to.FETCH,
    "todos": to.TODOS,
    "agent": to.SUBAGENT,
    "activate_skill": to.SKILL,
    "ask_user": to.ASK,
}

_FILE = {"path": to.PATH}
ARGUMENTS = {
    "read": _FILE,
    "write": {**_FILE, "content": to.CONTENT},
    "edit": {**_FILE, "edits": to.EDITS, "old": to.OLD, "new": to.NEW},
    "list": {"path": to.FOLDER},
    "glob": {"pattern": to.PATTERN, "path": to.FOLDER},
    "grep": {"pattern": to.PATTERN, "path": to.FOLDER},
    "shell": {"command": to.COMMAND, "cwd": to.FOLDER, "timeout": to.TIMEOUT},
    "fetch": {"url": to.URL},
    "agent": {"name": to.NAME, "prompt": to.PROMPT},
    "activate_skill": {"name": to.NAME},
    "ask_user": {"question": to.TEXT},
}

NARROW = ()
MCP = "mcp__{server}__{tool}"
