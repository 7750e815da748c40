"""The names of Gemini CLI's tools: what an agent or a policy may name."""

from __future__ import annotations

import re

from pisces.discovery import tool_names as to
from pisces.formats.edit_distance import distance
from pisces.formats.js_truth import IN_EVERY_OBJECT

TOOLS = {
    "glob": to.FIND,
    "write_todos": to.TODOS,
    "write_file": to.WRITE,
    "google_web_search": to.WEB_SEARCH,
    "web_fetch": to.FETCH,
    "replace": to.EDIT,
    "run_shell_command": to.SHELL,
    "grep_search": to.SEARCH,
    "read_many_files": "",
    "read_file": to.READ,
    "list_directory": to.LIST,
    "activate_skill": to.SKILL,
    "ask_user": to.ASK,
    "tracker_create_task": "",
    "tracker_update_task": "",
    "tracker_get_task": "",
    "tracker_list_tasks": "",
    "tracker_add_dependency": "",
    "tracker_visualize": "",
    "get_internal_docs": "",
    "enter_plan_mode": to.PLAN,
    "exit_plan_mode": to.END_PLAN,
    "update_topic": "",
    "complete_task": "",
    "invoke_agent": to.SUBAGENT,
    "read_mcp_resource": to.READ_RESOURCE,
    "list_mcp_resources": to.LIST_RESOURCES,
}
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
BUILT_IN = tuple(TOOLS)
# The old names are looked up in a JavaScript object, so the words that every object knows pass too.
_KNOWN = frozenset((*BUILT_IN, "search_file_content", "*", "mcp_*", *IN_EVERY_OBJECT))
_MCP_NAME = re.compile(r"mcp_([a-z0-9.:-]+)_(\*|(?!_+$)[a-z0-9_.:-]+)", re.IGNORECASE | re.ASCII)


def is_tool_name(name: str) -> bool:
    """Whether Gemini CLI accepts this name where wildcards are allowed."""
    return name in _KNOWN or name.startswith("discovered_tool_") or _MCP_NAME.fullmatch(name) is not None


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


def nearest(name: str, most: int = 3) -> list[str]:
    """Built-in names within a few typing mistakes, the closest first."""
    letters = set(name)  # each letter that only one of two words has costs an edit
    near = [known for known in BUILT_IN if abs(len(known) - len(name)) <= most]
    alike = [known for known in near if max(len(letters - set(known)), len(set(known) - letters)) <= most]
    distances = sorted((distance(name, known, most), BUILT_IN.index(known)) for known in alike)
    return [BUILT_IN[index] for steps, index in distances if steps <= most]
