"""What a built-in tool does, whatever its harness calls it: a name of one harness is understood in another.

A harness lists its tools in `tools.py` as `TOOLS`: each name with one of the words below, or with an empty text for a
tool that has no counterpart elsewhere. Of several names for one thing, the usual one comes first. `ARGUMENTS` beside it
says by the common words below what the arguments of a tool mean; those that only one harness has are left out. `MCP` is
how it spells the tools of servers, `NARROW` names tools that do less than others of the same word.

A file is written, edited or patched, and a command line is run or typed: where a harness has no tool for the one, a
call counts as the other, so that a guard of that harness sees it (`_NEAR`).
"""

from __future__ import annotations

from functools import cache, lru_cache

from pisces.by_name import export_of, files_called
from pisces.formats.file_patch import ADD, adding, files_of, replacing, single_patches
from pisces.value import EMPTY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, TypeAlias

    Words: TypeAlias = Mapping[str, str]

HARNESSES = "pisces.harnesses"

READ, WRITE, EDIT, LIST = "read a file", "write a file", "edit a file", "list a folder"
FIND, SEARCH = "find files by name", "search in files"
SHELL = "run a command line"
FETCH, WEB_SEARCH = "fetch a page", "search the web"
TODOS, SUBAGENT, SKILL, ASK = "write todos", "start a subagent", "load a skill", "ask the user"
PATCH, TYPE = "apply a patch", "type into a running program"
TASKS, SLASH = "keep tasks", "run a slash command"  # names that tools of programs which embed us have too: asked about
PLAN, END_PLAN = "enter plan mode", "leave plan mode"
LIST_RESOURCES, READ_RESOURCE = "list resources of servers", "read a resource of a server"

PATH, FOLDER, CONTENT, OLD, NEW, EDITS = "path", "folder", "content", "old text", "new text", "edits"
COMMAND, PATTERN, URL, QUERY, PROMPT, NAME, TEXT = "command", "pattern", "url", "query", "prompt", "name", "text"
DESCRIPTION, TIMEOUT, BACKGROUND = "description", "timeout", "in the background"

_NEAR = {
    TYPE: (SHELL,),
    PATCH: (EDIT, WRITE),
    EDIT: (PATCH,),
    WRITE: (PATCH,),
    TASKS: (TODOS,),
    SLASH: (SKILL,),
}
_NO_WIDER = ((TASKS, TODOS), (SLASH, SKILL))  # who may use the first may use the second
_OF_PACKAGE = "plugin:"  # `plugin:package:server`, which nobody else calls a server
_MOST_SPLITS = 12  # of an MCP name whose server is not known
_MOST_NAMES = 1000  # that are remembered: a model may invent any number
_SHELLS = ("sh", "bash", "zsh", "dash")


def meaning_of(tool: str) -> str:
    """What a tool does, by its name in any harness; empty for one that nobody lists."""
    return meanings().get(tool, "")


@cache
def meanings() -> Words:
    """Every name of every harness. Where two harnesses mean different things by a name, the first has it: ours."""
    found: dict[str, str] = {}
    for folder in _folders():
        for name, meaning in _tools(folder).items():
            found.setdefault(name, meaning)
    return found


def words_of(tool: str, given: Mapping[str, Any] = EMPTY) -> Words:
    """The argument that each common word stands for, by the tool's name in any harness: `{"path": "file_path"}`.

    Of harnesses with a tool of this name, the one of which most arguments were given has it, then the first: ours.
    """
    return _words_in([_words(folder, tool) for folder in _folders() if tool in _tools(folder)], given)


def _words_in(listed: list[Words], given: Mapping[str, Any]) -> Words:
    if len(listed) < 2:
        return listed[0] if listed else {}
    lists = [value for value in given.values() if isinstance(value, list | tuple)]
    nested = [each for value in lists for each in value if isinstance(each, dict)]
    names = {name for each in (given, *nested[:1]) for name in each}
    return max(listed, key=lambda words: len(names.intersection(words.values())))


def _namesake_words(folder: str, tool: str, given: Mapping[str, Any]) -> Words:
    """Whose arguments a call has, of a tool whose name this harness and others have: in doubt, those of this one."""
    others = (each for each in _folders() if each != folder and tool in _tools(each))
    return _words_in([_words(each, tool) for each in (folder, *others)], given)


@lru_cache(_MOST_NAMES)
def names_for(harness: str, tool: str) -> tuple[str, ...]:
    """What a harness calls a tool of any other, the usual name first; none where it has no such tool.

    A tool of its own has its name, and others that stand for the same tool with the same arguments.
    """
    folder = _folder_of(harness)
    own = _tools(folder)
    if tool in own:
        words = _words(folder, tool)
        alike = (name for name, meaning in own.items() if meaning and meaning == own[tool] and name != tool)
        return (tool, *(name for name in alike if _words(folder, name) == words))
    spelled = mcp_name(harness, tool)
    if spelled:
        return (spelled,)
    meaning = meaning_of(tool)
    for each in ((meaning,), _NEAR.get(meaning, ())):
        names = tuple(name for wanted in each for name, does in own.items() if wanted and does == wanted)
        if names:
            return names
    return ()


def tools_of(harness: str) -> Words:
    """The tools that a harness lists, with what each does."""
    return _tools(_folder_of(harness))


def allowed_name(harness: str, tool: str) -> str:
    """The tool of a harness that allows no more than `tool` does, which may be of any other; empty for none.

    Not every counterpart is one: what edits notebooks only, or only watches, counts as editing or running for a guard.
    """
    if any(tool in export_of(folder, "tools", "NARROW") for folder in _folders() if tool in _tools(folder)):
        return ""
    names = names_for(harness, tool)
    if not names or tool == names[0] or mcp_parts(tool):
        return names[0] if names else ""
    pair = meaning_of(tool), tools_of(harness)[names[0]]
    return names[0] if pair[0] == pair[1] or pair in _NO_WIDER else ""


@lru_cache(_MOST_NAMES)
def every_name(tool: str, server: str = "") -> frozenset[str]:
    """The tool's name in all harnesses, for matchers. A tool of a server has its spellings."""
    if mcp_parts(tool, server):
        return frozenset((tool, *mcp_spellings(tool, server)))
    ids = (folder.rpartition(".")[2] for folder in _folders())
    return frozenset((tool, *(name for harness in ids for name in names_for(harness, tool))))


def own_call(harness: str, tool: str, given: Mapping[str, Any], server: str = "") -> tuple[str, Mapping[str, Any]]:
    """A call in the names of a harness. What it has no name for stays as it is."""
    spelled = mcp_name(harness, tool, server)
    if spelled:
        return spelled, given
    names = names_for(harness, tool)
    if not names:
        return tool, given
    folder = _folder_of(harness)
    own = _tools(folder)
    if names[0] == tool:
        meant, words = _namesake_words(folder, tool, given), _words(folder, tool)
        return tool, given if meant == words else _renamed(given, meant, words)
    if meaning_of(tool) == PATCH != own[names[0]]:
        return _unpatched(folder, tool, given)
    if own[names[0]] == PATCH != meaning_of(tool):
        return names[0], {_words(folder, names[0])[CONTENT]: patch_of(tool, given)}
    return names[0], _renamed(given, words_of(tool, given), _words(folder, names[0]))


def input_from(
    harness: str, tool: str, given: Mapping[str, Any], before: Mapping[str, Any] = EMPTY
) -> Mapping[str, Any]:
    """The other direction: an input in the names of a harness, for `tool` as it was called with `before`.

    What cannot be said in the tool's own arguments stays as it is, so that the tool refuses it.
    """
    names = names_for(harness, tool)
    if not names or mcp_parts(tool):
        return given
    folder = _folder_of(harness)
    own = _tools(folder)
    if names[0] == tool:
        meant, words = _namesake_words(folder, tool, before), _words(folder, tool)
        return given if meant == words else _renamed(given, words, meant)
    if meaning_of(tool) == PATCH != own[names[0]]:
        return _patched(folder, names, tool, given)
    if own[names[0]] == PATCH != meaning_of(tool):
        return _from_patch(tool, given.get(_words(folder, names[0])[CONTENT]), given)
    return _renamed(given, _words(folder, names[0]), words_of(tool))


def inputs_in(harness: str, tool: str, given: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    """The inputs of a call, one for each file of a patch where a harness knows no patches. Most calls have one."""
    names = names_for(harness, tool) if meaning_of(tool) == PATCH else ()
    if not names or _tools(_folder_of(harness))[names[0]] == PATCH:
        return (given,)
    argument = words_of(tool)[CONTENT]
    patches = single_patches(str(given.get(argument, "")))
    return tuple({**given, argument: each} for each in patches) if len(patches) > 1 else (given,)


def patch_of(tool: str, given: Mapping[str, Any]) -> str:
    """A call that writes or edits one file, as a patch."""
    words = words_of(tool, given)
    path = str(given.get(words.get(PATH, ""), ""))
    if CONTENT in words:
        return adding(path, str(given.get(words[CONTENT], "")))
    return replacing(path, _changes(words, given))


def mcp_parts(tool: str, server: str = "") -> tuple[str, str] | None:
    """The server and the tool in the name of a server's tool, in any spelling; None for another name."""
    for head in (f"mcp__{server}__", f"mcp_{server}_", f"mcp__{server}_", f"{server}__") if server else ():
        if tool.startswith(head) and tool != head:
            return server, tool[len(head) :]
    if server:
        return server, tool
    return next(_splits(tool), None)


def plain_name(name: str) -> str:
    """As harnesses hand it to a model: an underscore for every character that model interfaces refuse."""
    return "".join(each if each.isascii() and (each.isalnum() or each in "_-") else "_" for each in name)


def is_clear_server(server: str) -> bool:
    """Whether `mcp__server__tool` can be read in one way only: `a__b` is also a tool `b` of the server `a`."""
    pieces = server.removeprefix(_OF_PACKAGE).split(":") if server.startswith(_OF_PACKAGE) else [server]
    return all(each == plain_name(each) and "__" not in each and each.strip("_") == each for each in pieces)


def mcp_spellings(tool: str, server: str = "") -> tuple[str, ...]:
    """How harnesses may spell this tool. Without its server, `mcp_a_b_c` may be two different tools: both count."""
    known = mcp_parts(tool, server) if server else None
    pairs = [known] if known else list(_splits(tool))
    formats = [mcp for folder in _folders() if (mcp := _mcp(folder))]
    return tuple({each.format(server=server, tool=name): None for server, name in pairs for each in formats})


def mcp_name(harness: str, tool: str, server: str = "") -> str:
    """How a harness spells a tool of a server; empty for other tools, and where it has none."""
    parts, mcp = mcp_parts(tool, server), _mcp(_folder_of(harness))
    return mcp.format(server=parts[0], tool=parts[1]) if parts and mcp else ""


def _splits(tool: str) -> Iterator[tuple[str, str]]:
    if tool.startswith("mcp__") and "__" in tool[5:].strip("_"):
        server, _, name = tool[5:].partition("__")
        yield server, name
    elif tool.startswith("mcp_"):
        pieces = tool.removeprefix("mcp_").removeprefix("_").split("_")[:_MOST_SPLITS]
        rest = tool.removeprefix("mcp_").removeprefix("_")
        for count in range(1, len(pieces)):
            server = "_".join(pieces[:count])
            if server and rest[len(server) + 1 :]:
                yield server, rest[len(server) + 1 :]


def _unpatched(folder: str, tool: str, given: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """A patch as a call that writes or edits its first file. Its own arguments stay beside that."""
    files = files_of(str(given.get(words_of(tool).get(CONTENT, ""), "")))
    wanted = (WRITE, EDIT) if files and files[0].kind == ADD else (EDIT, WRITE)
    own = _tools(folder)
    name = next(name for meaning in wanted for name, does in own.items() if does == meaning)
    words = _words(folder, name)
    said = {PATH: files[0].path, CONTENT: files[0].new, OLD: files[0].old, NEW: files[0].new} if files else {}
    return name, {**given, **{words[word]: value for word, value in said.items() if word in words}}


def _patched(folder: str, names: tuple[str, ...], tool: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """A rewritten call of one file, as a patch again. Which tool it was is seen by its arguments."""
    target = words_of(tool)[CONTENT]
    for name in names:
        words = _words(folder, name)
        wanted = [words[word] for word in (PATH, CONTENT, OLD, NEW) if word in words]
        if len(wanted) > 1 and all(isinstance(given.get(each), str) for each in wanted):
            return {target: patch_of(name, given)}
    return given


def _from_patch(tool: str, patch: object, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """A patch of exactly one file, in the arguments of a tool that writes or edits one."""
    words, files = words_of(tool), files_of(patch) if isinstance(patch, str) else []
    if len(files) != 1 or files[0].moved_to or (CONTENT in words) != (files[0].kind == ADD):
        return given
    file = files[0]
    said = {PATH: file.path, CONTENT: file.new, OLD: file.old, NEW: file.new}
    if EDITS in words:
        return {words[PATH]: file.path, words[EDITS]: [{words[OLD]: file.old, words[NEW]: file.new}]}
    return {words[word]: value for word, value in said.items() if word in words}


def _changes(words: Words, given: Mapping[str, Any]) -> list[tuple[str, str]]:
    several = given.get(words.get(EDITS, ""))
    edits = several if isinstance(several, list) else [given]
    old, new = words.get(OLD, ""), words.get(NEW, "")
    return [(str(each.get(old, "")), str(each.get(new, ""))) for each in edits if isinstance(each, dict)]


def _renamed(given: Mapping[str, Any], before: Words, after: Words) -> dict[str, Any]:
    """An argument that has no meaning there cannot take the place of one that has."""
    before, after = _typed_is_run(before, after), _typed_is_run(after, before)
    renamed = {argument: after[word] for word, argument in before.items() if word in after}
    said = {renamed[name]: value for name, value in given.items() if name in renamed}
    command = after.get(COMMAND, "")
    if isinstance(said.get(command), list):
        said[command] = line_of(said[command])
    if EDITS in before and EDITS not in after and isinstance(given.get(before[EDITS]), list):
        changes = _changes(before, given)
        said |= {after[OLD]: "\n".join(old for old, _ in changes), after[NEW]: "\n".join(new for _, new in changes)}
    return {**{name: value for name, value in given.items() if name not in renamed and name not in said}, **said}


def _typed_is_run(words: Words, others: Words) -> Words:
    """Text that is typed stands for the command line, where the other tool has only that."""
    is_typed = TEXT in words and COMMAND not in words and COMMAND in others
    return {COMMAND if word == TEXT else word: name for word, name in words.items()} if is_typed else words


def line_of(argv: list[Any]) -> str:
    """A command that is given as a list, as one line: of `["bash", "-lc", line]` the line."""
    words = [str(word) for word in argv]
    if len(words) == 3 and words[0].rpartition("/")[2] in _SHELLS and words[1] in ("-c", "-lc"):
        return words[2]
    from shlex import join  # rarely needed, and slow to import

    return join(words)


@cache
def names_elsewhere(harness: str) -> Mapping[str, str]:
    """For each tool name of other harnesses: what this harness calls its tool for the same."""
    own_folder = _folder_of(harness)
    own = _tools(own_folder)
    by_meaning = {meaning: name for name, meaning in reversed(own.items()) if meaning}
    return {
        name: by_meaning[meaning]
        for folder in _folders()
        if folder != own_folder
        for name, meaning in _tools(folder).items()
        if meaning in by_meaning and name not in own
    }


def _folder_of(harness: str) -> str:
    return f"{HARNESSES}.{harness.replace('-', '_')}"


@cache
def _folders() -> tuple[str, ...]:
    """In the order of their priority: ours first."""
    found = files_called(HARNESSES, "tools")
    return tuple(sorted(found, key=lambda each: -export_of(HARNESSES, each.rpartition(".")[2], "HARNESS").priority))


@lru_cache(_MOST_NAMES)
def _words(folder: str, tool: str) -> Words:
    arguments: dict[str, dict[str, str]] = export_of(folder, "tools", "ARGUMENTS")
    return {word: argument for argument, word in arguments.get(tool, {}).items()}


def _tools(folder: str) -> dict[str, str]:
    tools: dict[str, str] = export_of(folder, "tools", "TOOLS") if folder in _folders() else {}
    return tools


def _mcp(folder: str) -> str:
    spelling: str = export_of(folder, "tools", "MCP") if folder in _folders() else ""
    return spelling
