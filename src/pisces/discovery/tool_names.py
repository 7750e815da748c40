"""What a built-in tool does, whatever its harness calls it: a name of one harness is understood in another.

A harness lists its tools in `tools.py` as `TOOLS`: each name with one of the words below, or with an empty text for a
tool that has no counterpart elsewhere. Of several names for one thing, the usual one comes first.
"""

from __future__ import annotations

from pisces.by_name import export_of, files_called

HARNESSES = "pisces.harnesses"

READ, WRITE, EDIT, LIST = "read a file", "write a file", "edit a file", "list a folder"
FIND, SEARCH = "find files by name", "search in files"
SHELL = "run a command line"
FETCH, WEB_SEARCH = "fetch a page", "search the web"
TODOS, SUBAGENT, SKILL, ASK = "write todos", "start a subagent", "load a skill", "ask the user"


def names_elsewhere(harness: str) -> dict[str, str]:
    """For each tool name of other harnesses: what this harness calls its tool for the same."""
    own_folder = f"{HARNESSES}.{harness.replace('-', '_')}"
    own = _tools(own_folder)
    by_meaning = {meaning: name for name, meaning in reversed(own.items()) if meaning}
    return {
        name: by_meaning[meaning]
        for folder in files_called(HARNESSES, "tools")
        if folder != own_folder
        for name, meaning in _tools(folder).items()
        if meaning in by_meaning and name not in own
    }


def _tools(folder: str) -> dict[str, str]:
    tools: dict[str, str] = export_of(folder, "tools", "TOOLS")
    return tools
