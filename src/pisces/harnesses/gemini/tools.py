"""The names of Gemini CLI's tools: what an agent or a policy may name."""

from __future__ import annotations

from pisces.discovery import tool_names as to
from pisces.harnesses.gemini.known_tools import BUILT_IN, is_tool_name, nearest

_MEANINGS = {
    "glob": to.FIND,
    "write_todos": to.TODOS,
    "write_file": to.WRITE,
    "google_web_search": to.WEB_SEARCH,
    "web_fetch": to.FETCH,
    "replace": to.EDIT,
    "run_shell_command": to.SHELL,
    "grep_search": to.SEARCH,
    "read_file": to.READ,
    "list_directory": to.LIST,
    "activate_skill": to.SKILL,
    "ask_user": to.ASK,
    "enter_plan_mode": to.PLAN,
    "exit_plan_mode": to.END_PLAN,
    "invoke_agent": to.SUBAGENT,
    "read_mcp_resource": to.READ_RESOURCE,
    "list_mcp_resources": to.LIST_RESOURCES,
}
TOOLS = {**dict.fromkeys(BUILT_IN, ""), **_MEANINGS}
NARROW = ()
MCP = "mcp_{server}_{tool}"

_FILE = {"file_path": to.PATH}
_FOUND = {"pattern": to.PATTERN, "dir_path": to.FOLDER}
ARGUMENTS = {
    "glob": _FOUND,
    "grep_search": _FOUND,
    "write_file": {**_FILE, "content": to.CONTENT},
    "read_file": _FILE,
    "replace": {**_FILE, "old_string": to.OLD, "new_string": to.NEW},
    "list_directory": {"dir_path": to.FOLDER},
    "run_shell_command": {
        "command": to.COMMAND,
        "description": to.DESCRIPTION,
        "dir_path": to.FOLDER,
        "is_background": to.BACKGROUND,
    },
    "google_web_search": {"query": to.QUERY},
    "web_fetch": {"prompt": to.PROMPT},
    "activate_skill": {"name": to.NAME},
    "invoke_agent": {"agent_name": to.NAME, "prompt": to.PROMPT},
}


def own_name(name: str) -> str:
    """What Gemini CLI calls a tool of another harness or of a server; empty without a counterpart."""
    own = to.names_elsewhere("gemini").get(name, "")
    if not own and name.startswith("mcp__"):
        own = "_".join(part for part in name.split("__") if part)
    return own if is_tool_name(own) else ""


def hint_for(name: str) -> str:
    """What to write instead of a name that is not accepted."""
    own = to.names_elsewhere("gemini").get(name.partition("(")[0].strip())
    if own:
        return f"Gemini CLI calls it `{own}`"
    if name.startswith("mcp__"):
        return f"write `{'_'.join(part for part in name.split('__') if part)}`"
    near = nearest(name)
    return f"did you mean `{near[0]}`?" if near else ""
