"""The names of oh-my-pi's tools."""

from __future__ import annotations

from pisces.discovery import tool_names as to

TOOLS = {
    "read": to.READ,
    "write": to.WRITE,
    "edit": to.EDIT,
    "bash": to.SHELL,
    "grep": to.SEARCH,
    "search": to.SEARCH,  # its old name
    "glob": to.FIND,
    "find": to.FIND,  # its old name
    "ls": to.LIST,
    "web_search": to.WEB_SEARCH,
    "task": to.SUBAGENT,
    "todo": to.TODOS,
    "todo_write": to.TODOS,  # its old name
    "ask": to.ASK,
    "ast_grep": "",
    "ast_edit": "",
    "debug": "",
    "eval": "",
    "github": "",
    "lsp": "",
    "checkpoint": "",
    "rewind": "",
    "security_scan": "",
    "hub": "",
    "manage_skill": "",
}

NARROW = ()
MCP = "mcp__{server}_{tool}"

_FILE = {"path": to.PATH}
_FOUND = {"pattern": to.PATTERN, "path": to.FOLDER}
ARGUMENTS = {
    "read": _FILE,
    "write": {**_FILE, "content": to.CONTENT},
    "edit": {**_FILE, "edits": to.EDITS, "old_string": to.OLD, "new_string": to.NEW, "input": to.CONTENT},
    "bash": {"command": to.COMMAND, "timeout": to.TIMEOUT, "cwd": to.FOLDER, "async": to.BACKGROUND},
    "grep": _FOUND,
    "search": _FOUND,
    "glob": {"path": to.PATTERN},
    "find": {"path": to.PATTERN},
    "ls": {"path": to.FOLDER},
    "web_search": {"query": to.QUERY},
    "task": {"task": to.PROMPT, "agent": to.NAME},
}
