"""What a built-in tool does, whatever its harness calls it: a name of one harness is understood in another.

A harness lists its tools in `tools.py` as `TOOLS`: each name with one of the words below, or with an empty text for a
tool that has no counterpart elsewhere. Of several names for one thing, the usual one comes first. `ARGUMENTS` beside it
says by the common words below what the arguments of a tool mean; those that only one harness has are left out.
"""

from __future__ import annotations

from pisces.by_name import export_of, files_called

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

HARNESSES = "pisces.harnesses"

READ, WRITE, EDIT, LIST = "read a file", "write a file", "edit a file", "list a folder"
FIND, SEARCH = "find files by name", "search in files"
SHELL = "run a command line"
FETCH, WEB_SEARCH = "fetch a page", "search the web"
TODOS, SUBAGENT, SKILL, ASK = "write todos", "start a subagent", "load a skill", "ask the user"
PATCH, TYPE = "apply a patch", "type into a running program"

PATH, FOLDER, CONTENT, OLD, NEW = "path", "folder", "content", "old text", "new text"
COMMAND, PATTERN, URL, QUERY, PROMPT, NAME, TEXT = "command", "pattern", "url", "query", "prompt", "name", "text"
DESCRIPTION, TIMEOUT, BACKGROUND = "description", "timeout", "in the background"


def meaning_of(tool: str) -> str:
    """What a tool does, by its name in any harness; empty for one that nobody lists."""
    return meanings().get(tool, "")


def meanings() -> dict[str, str]:
    """Every name of every harness. Where two harnesses mean different things by a name, the first has it."""
    found: dict[str, str] = {}
    for folder in files_called(HARNESSES, "tools"):
        for name, meaning in _tools(folder).items():
            found.setdefault(name, meaning)
    return found


def words_of(tool: str) -> dict[str, str]:
    """The argument that each common word stands for, by the tool's name in any harness: `{"path": "file_path"}`."""
    for folder in files_called(HARNESSES, "tools"):
        if tool in _tools(folder):
            return _words(folder, tool)
    return {}


def names_for(harness: str, tool: str) -> tuple[str, ...]:
    """What a harness calls a tool of any other, the usual name first; none where it has no such tool."""
    own = _tools(f"{HARNESSES}.{harness.replace('-', '_')}")
    if tool in own:
        return (tool, *(name for name, meaning in own.items() if meaning and meaning == own[tool] and name != tool))
    meaning = meaning_of(tool)
    return tuple(name for name, each in own.items() if meaning and each == meaning)


def own_call(harness: str, tool: str, given: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """A call in the names of a harness. What it has no name for stays as it is."""
    names = names_for(harness, tool)
    if not names or names[0] == tool:
        return tool, given
    theirs = _words(f"{HARNESSES}.{harness.replace('-', '_')}", names[0])
    return names[0], _renamed(given, words_of(tool), theirs)


def input_from(harness: str, tool: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The other direction: an input in the names of a harness, for `tool` as it was called."""
    names = names_for(harness, tool)
    if not names or names[0] == tool:
        return given
    return _renamed(given, _words(f"{HARNESSES}.{harness.replace('-', '_')}", names[0]), words_of(tool))


def _renamed(given: Mapping[str, Any], before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, Any]:
    renamed = {argument: after[word] for word, argument in before.items() if word in after}
    return {renamed.get(name, name): value for name, value in given.items()}


def _words(folder: str, tool: str) -> dict[str, str]:
    arguments: dict[str, dict[str, str]] = export_of(folder, "tools", "ARGUMENTS")
    return {word: argument for argument, word in arguments.get(tool, {}).items()}


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
