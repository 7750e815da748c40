"""The names of Codex' tools: as the model calls them, and as hooks see them (`Bash` and `apply_patch`)."""

from __future__ import annotations

from pisces.discovery import tool_names as to

TOOLS = {
    "exec_command": to.SHELL,
    "shell": to.SHELL,
    "shell_command": to.SHELL,
    "local_shell": to.SHELL,
    "container.exec": to.SHELL,
    "write_stdin": to.TYPE,
    "apply_patch": to.PATCH,
    "update_plan": to.TODOS,
    "view_image": "",
    "spawn_agent": to.SUBAGENT,
    "web_search": to.WEB_SEARCH,
    "request_user_input": to.ASK,
    "get_goal": "",
}

ARGUMENTS = {
    "exec_command": {"cmd": to.COMMAND, "workdir": to.FOLDER},
    "shell": {"command": to.COMMAND, "workdir": to.FOLDER},
    "shell_command": {"command": to.COMMAND, "workdir": to.FOLDER},
    "local_shell": {"command": to.COMMAND},
    "container.exec": {"command": to.COMMAND},
    "write_stdin": {"chars": to.TEXT},
    "apply_patch": {"input": to.CONTENT},
    "spawn_agent": {"message": to.PROMPT, "agent_type": to.NAME},
    "web_search": {"query": to.QUERY},
}
