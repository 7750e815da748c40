"""The names of pi's tools."""

from __future__ import annotations

from pisces.discovery import tool_names as to

TOOLS = {
    "read": to.READ,
    "write": to.WRITE,
    "edit": to.EDIT,
    "bash": to.SHELL,
    "grep": to.SEARCH,
    "find": to.FIND,
    "ls": to.LIST,
}

NARROW = ()
MCP = ""  # it has no servers

_FILE = {"path": to.PATH}
_FOUND = {"pattern": to.PATTERN, "path": to.FOLDER}
ARGUMENTS = {
    "read": _FILE,
    "write": {**_FILE, "content": to.CONTENT},
    "edit": {**_FILE, "edits": to.EDITS, "oldText": to.OLD, "newText": to.NEW},
    "bash": {"command": to.COMMAND, "timeout": to.TIMEOUT},
    "grep": _FOUND,
    "find": _FOUND,
    "ls": {"path": to.FOLDER},
}
