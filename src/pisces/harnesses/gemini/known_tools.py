"""Which names Gemini CLI accepts for a tool, as a listing of agents and policies asks: light to import."""

from __future__ import annotations

import re

from pisces.by_name import export_of
from pisces.formats.js_truth import IN_EVERY_OBJECT

BUILT_IN = (
    *("glob", "write_todos", "write_file", "google_web_search", "web_fetch", "replace", "run_shell_command"),
    *("grep_search", "read_many_files", "read_file", "list_directory", "activate_skill", "ask_user"),
    *("tracker_create_task", "tracker_update_task", "tracker_get_task", "tracker_list_tasks"),
    *("tracker_add_dependency", "tracker_visualize", "get_internal_docs", "enter_plan_mode", "exit_plan_mode"),
    *("update_topic", "complete_task", "invoke_agent", "read_mcp_resource", "list_mcp_resources"),
)
# The old names are looked up in a JavaScript object, so the words that every object knows pass too.
_KNOWN = frozenset((*BUILT_IN, "search_file_content", "*", "mcp_*", *IN_EVERY_OBJECT))
_MCP_NAME = r"(?ia)mcp_([a-z0-9.:-]+)_(\*|(?!_+$)[a-z0-9_.:-]+)"


def is_tool_name(name: str) -> bool:
    """Whether Gemini CLI accepts this name where wildcards are allowed."""
    return name in _KNOWN or name.startswith("discovered_tool_") or re.fullmatch(_MCP_NAME, name) is not None


def nearest(name: str, most: int = 3) -> list[str]:
    """Built-in names within a few typing mistakes, the closest first."""
    distance = export_of("pisces.formats", "edit_distance", "distance")
    letters = set(name)  # each letter that only one of two words has costs an edit
    near = [known for known in BUILT_IN if abs(len(known) - len(name)) <= most]
    alike = [known for known in near if max(len(letters - set(known)), len(set(known) - letters)) <= most]
    distances = sorted((distance(name, known, most), BUILT_IN.index(known)) for known in alike)
    return [BUILT_IN[index] for steps, index in distances if steps <= most]
