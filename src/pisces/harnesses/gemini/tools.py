"""The names of Gemini CLI's tools: what an agent or a policy may name."""

from __future__ import annotations

import re

from pisces.formats.js_truth import IN_EVERY_OBJECT

BUILT_IN = (
    "glob",
    "write_todos",
    "write_file",
    "google_web_search",
    "web_fetch",
    "replace",
    "run_shell_command",
    "grep_search",
    "read_many_files",
    "read_file",
    "list_directory",
    "activate_skill",
    "ask_user",
    "tracker_create_task",
    "tracker_update_task",
    "tracker_get_task",
    "tracker_list_tasks",
    "tracker_add_dependency",
    "tracker_visualize",
    "get_internal_docs",
    "enter_plan_mode",
    "exit_plan_mode",
    "update_topic",
    "complete_task",
    "invoke_agent",
    "read_mcp_resource",
    "list_mcp_resources",
)
# The old names are looked up in a JavaScript object, so the words that every object knows pass too.
_KNOWN = frozenset((*BUILT_IN, "search_file_content", "*", "mcp_*", *IN_EVERY_OBJECT))
_MCP_NAME = re.compile(r"mcp_([a-z0-9.:-]+)_(\*|(?!_+$)[a-z0-9_.:-]+)", re.IGNORECASE | re.ASCII)

# What authors coming from Claude Code write, and what the same thing is called here.
FROM_CLAUDE = {
    "Read": "read_file",
    "Write": "write_file",
    "Edit": "replace",
    "MultiEdit": "replace",
    "Bash": "run_shell_command",
    "Grep": "grep_search",
    "Glob": "glob",
    "LS": "list_directory",
    "WebFetch": "web_fetch",
    "WebSearch": "google_web_search",
    "TodoWrite": "write_todos",
    "Task": "invoke_agent",
    "Agent": "invoke_agent",
    "Skill": "activate_skill",
    "AskUserQuestion": "ask_user",
}


def is_tool_name(name: str) -> bool:
    """Whether Gemini CLI accepts this name where wildcards are allowed."""
    return name in _KNOWN or name.startswith("discovered_tool_") or _MCP_NAME.fullmatch(name) is not None


def hint_for(name: str) -> str:
    """What to write instead of a name that is not accepted."""
    claude = FROM_CLAUDE.get(name.partition("(")[0].strip())
    if claude:
        return f"Gemini CLI calls it `{claude}`"
    if name.startswith("mcp__"):
        return f"write `{'_'.join(part for part in name.split('__') if part)}`"
    near = nearest(name)
    return f"did you mean `{near[0]}`?" if near else ""


def nearest(name: str, most: int = 3) -> list[str]:
    """Built-in names within a few typing mistakes, the closest first."""
    letters = set(name)  # each letter that only one of two words has costs an edit: most names end here
    near = [known for known in BUILT_IN if abs(len(known) - len(name)) <= most]
    like = [known for known in near if max(len(letters - set(known)), len(set(known) - letters)) <= most]
    distances = sorted((distance(name, known), BUILT_IN.index(known)) for known in like)
    return [BUILT_IN[index] for steps, index in distances if steps <= most]


def distance(one: str, other: str) -> int:
    """How many single-character edits lie between two words."""
    row = list(range(len(other) + 1))
    for index, letter in enumerate(one, 1):
        before, row[0] = row[0], index
        for place, against in enumerate(other, 1):
            cost = min(row[place] + 1, row[place - 1] + 1, before + (letter != against))
            before, row[place] = row[place], cost
    return row[-1]
