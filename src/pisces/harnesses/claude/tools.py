"""The names of Claude Code's tools, as hooks and permissions match them."""

from __future__ import annotations

from pisces.discovery import tool_names as to

TOOLS = {
    "Read": to.READ,
    "Write": to.WRITE,
    "Edit": to.EDIT,
    "MultiEdit": to.EDIT,
    "NotebookEdit": to.EDIT,
    "Bash": to.SHELL,
    "Monitor": to.SHELL,
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

_FILE = {"file_path": to.PATH}
_EDIT = {**_FILE, "old_string": to.OLD, "new_string": to.NEW}
_AGENT = {"prompt": to.PROMPT, "description": to.DESCRIPTION, "subagent_type": to.NAME}
ARGUMENTS = {
    "Read": _FILE,
    "Write": {**_FILE, "content": to.CONTENT},
    "Edit": _EDIT,
    "MultiEdit": _FILE,
    "NotebookEdit": {"notebook_path": to.PATH},
    "Bash": {"command": to.COMMAND, "description": to.DESCRIPTION, "run_in_background": to.BACKGROUND},
    "Monitor": {"command": to.COMMAND, "description": to.DESCRIPTION},
    "Grep": {"pattern": to.PATTERN, "path": to.FOLDER},
    "Glob": {"pattern": to.PATTERN, "path": to.FOLDER},
    "LS": {"path": to.FOLDER},
    "WebFetch": {"url": to.URL, "prompt": to.PROMPT},
    "WebSearch": {"query": to.QUERY},
    "Task": _AGENT,
    "Agent": _AGENT,
    "Skill": {"skill": to.NAME},
}
