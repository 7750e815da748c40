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
    "PowerShell": to.SHELL,
    "Monitor": to.SHELL,
    "Grep": to.SEARCH,
    "Glob": to.FIND,
    "LS": to.LIST,
    "WebFetch": to.FETCH,
    "WebSearch": to.WEB_SEARCH,
    "TodoWrite": to.TODOS,
    "TodoRead": to.TASKS,
    "Task": to.SUBAGENT,
    "Agent": to.SUBAGENT,
    "Skill": to.SKILL,
    "SlashCommand": to.SLASH,
    "AskUserQuestion": to.ASK,
    "EnterPlanMode": to.PLAN,
    "ExitPlanMode": to.END_PLAN,
    "EnterWorktree": "",
    "ListMcpResourcesTool": to.LIST_RESOURCES,
    "ReadMcpResourceTool": to.READ_RESOURCE,
    "LSP": "",
    "TaskCreate": to.TASKS,
    "TaskGet": to.TASKS,
    "TaskList": to.TASKS,
    "TaskStop": "",
    "TaskUpdate": to.TASKS,
    "BashOutput": "",
    "KillShell": "",
    "NotebookRead": "",
    "ToolSearch": "",
    "SendMessage": "",
}
NARROW = ("NotebookEdit", "Monitor")
MCP = "mcp__{server}__{tool}"

_FILE = {"file_path": to.PATH}
_EDIT = {**_FILE, "old_string": to.OLD, "new_string": to.NEW}
_LINE = {"command": to.COMMAND, "description": to.DESCRIPTION}
_AGENT = {"prompt": to.PROMPT, "description": to.DESCRIPTION, "subagent_type": to.NAME}
ARGUMENTS = {
    "Read": _FILE,
    "Write": {**_FILE, "content": to.CONTENT},
    "Edit": _EDIT,
    "MultiEdit": {**_EDIT, "edits": to.EDITS},
    "NotebookEdit": {"notebook_path": to.PATH, "new_source": to.NEW},
    "Bash": {**_LINE, "run_in_background": to.BACKGROUND, "timeout": to.TIMEOUT},
    "PowerShell": {**_LINE, "timeout": to.TIMEOUT},
    "Monitor": _LINE,
    "Grep": {"pattern": to.PATTERN, "path": to.FOLDER},
    "Glob": {"pattern": to.PATTERN, "path": to.FOLDER},
    "LS": {"path": to.FOLDER},
    "WebFetch": {"url": to.URL, "prompt": to.PROMPT},
    "WebSearch": {"query": to.QUERY},
    "Task": _AGENT,
    "Agent": _AGENT,
    "Skill": {"skill": to.NAME},
}
