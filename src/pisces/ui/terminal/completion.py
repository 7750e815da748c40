"""What may follow what is typed: commands and their arguments behind `/`; files, agents and resources behind `@`."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any

from prompt_toolkit.completion import Completer, Completion

from pisces.diagnostics import PiscesError
from pisces.formats.visible import visible
from pisces.ui.terminal.file_names import WorkspaceNames
from pisces.ui.terminal.fuzzy import FoldedNames, fitting, folded_names
from pisces.ui.terminal.own_commands import own_commands
from pisces.ui.terminal.resource_names import ResourceNames
from pisces.value import EMPTY, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from prompt_toolkit.completion import CompleteEvent
    from prompt_toolkit.document import Document

    from pisces.session.session import Session

MOST = 50
_FRESH = 2.0  # seconds for which the names of commands are good
_MOMENT = 0.05  # seconds that the first list of files is waited for: most are there by then
_MENTION = re.compile(r'(?<!\S)@(?:(")([^"]*)|([^\s"]*))\Z')
_LONGEST = 4000  # characters before the cursor that are looked at


class TypedChoice(Value):
    """`text` takes the place of the `replaced` characters before the cursor."""

    text: str
    meaning: str
    replaced: int


class CompletionWorld(Value):
    """All names that there are. `words` gives what may follow a command, each with its meaning."""

    commands: Mapping[str, str]
    words: Callable[[str, str], Iterable[tuple[str, str]]] = lambda _name, _args: ()
    files: FoldedNames = FoldedNames((), ())
    agents: Mapping[str, str] = EMPTY
    resources: Mapping[str, str] = EMPTY


def completions(text: str, cursor: int, world: CompletionWorld) -> Sequence[TypedChoice]:
    before = text[max(0, cursor - _LONGEST) : cursor]
    if text.startswith("/") and "\n" not in before:
        name, space, args = before[1:].partition(" ")
        if not space:
            return _of_names(name, world.commands, len(name))
        found = _arguments(name, args, world)
        if found:
            return found
    mention = _MENTION.search(before)
    if mention is None:
        return ()
    return _mentioned(mention[2] if mention[1] else mention[3], mention[1] or "", world)


def _of_names(typed: str, names: Mapping[str, str], replaced: int) -> tuple[TypedChoice, ...]:
    every = folded_names(names)
    return tuple(TypedChoice(each, visible(names[each]), replaced) for each in fitting(typed, every, MOST))


def _arguments(name: str, args: str, world: CompletionWorld) -> tuple[TypedChoice, ...]:
    last = args.rpartition(" ")[2]
    if last.startswith("@"):
        return ()
    words = {str(word): str(meaning) for word, meaning in world.words(name, args)}
    return _of_names(last, words, len(last))


def _mentioned(typed: str, quote: str, world: CompletionWorld) -> tuple[TypedChoice, ...]:
    """Subagents first: there are few. A name with a blank in it is put in quotes."""
    replaced = len(typed) + len(quote)
    named = [*_of_names(typed, world.agents, replaced), *_of_names(typed, world.resources, replaced)]
    named = named[: MOST // 2] if typed else named[:5]
    files = fitting(typed, world.files, MOST - len(named))
    quoted = (f'"{each}"' if " " in each or quote else each for each in files)
    return (*named, *(TypedChoice(each, "", replaced) for each in quoted))


def completion_world(session: Session) -> CompletionWorld:
    """What the session knows now. Nothing is started for it: servers are asked for what they have said before."""
    host = session.host
    commands = {each.name: each.summary for each in own_commands().values()}
    for name, prompt in host.server_prompts.items():
        commands.setdefault(name, f"{prompt.description or 'a prompt'} ({prompt.server.name})")
    for entry in host.commands.entries:
        commands.setdefault(entry.name, f"{entry.command.description or ''} ({entry.origin})".strip())
    for name, command in host.module_commands.items():
        commands.setdefault(name, command.description)
    agents = {str(each.item.name): each.item.description or "a subagent" for each in host.subagents}
    resources = {f"{name}:": "a resource of this MCP server" for name in host.servers}
    return CompletionWorld(commands, _words_of(session), agents=agents, resources=resources)


def _words_of(session: Session) -> Callable[[str, str], Iterable[tuple[str, str]]]:
    def words(name: str, args: str) -> Iterable[tuple[str, str]]:
        own = own_commands().get(name)
        if own is not None:
            return own.words(session) if own.words is not None else ()
        command = session.host.module_commands.get(name)
        if command is None or command.completions is None:
            return ()
        try:
            return list(_pairs(command.completions(args)))
        except Exception:  # noqa: BLE001  # a module's own code: without an answer there is nothing to complete
            return ()

    return words


def _pairs(given: Any) -> Iterator[tuple[str, str]]:
    """Texts, or mappings with a value and a description; one that answers later is not waited for."""
    for each in given if isinstance(given, list | tuple) else ():
        if isinstance(each, dict):
            yield str(each.get("value", each.get("label", ""))), str(each.get("description") or "")
        else:
            yield str(each), ""


class SessionCompleter(Completer):
    def __init__(self, session: Session, clock: Callable[[], float] = time.monotonic) -> None:
        self._session, self._clock = session, clock
        self._files = WorkspaceNames(session.places.cwd, clock)
        self._resources = ResourceNames(session, clock)
        self._world: CompletionWorld | None = None
        self._made = 0.0

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:  # noqa: ARG002
        text = document.text_before_cursor
        if not text.startswith("/") and "@" not in text:
            return
        world = self._known()
        if "@" in text:  # the files of a workspace are looked for when somebody wants one
            files = self._files.names
            resources = {**world.resources, **self._resources.names} if world.resources else EMPTY
            world = world.replace(files=files if files.names else self._files.settle(_MOMENT), resources=resources)
        for each in completions(document.text, document.cursor_position, world):
            yield Completion(each.text, -each.replaced, display=each.text, display_meta=each.meaning)

    def _known(self) -> CompletionWorld:
        if self._world is None or self._clock() - self._made > _FRESH:
            try:
                self._world = completion_world(self._session)
            except (PiscesError, OSError):  # a file that cannot be read must not take the keys away
                self._world = self._world or CompletionWorld({})
            self._made = self._clock()
        return self._world


def completer(session: Session) -> Completer:
    return SessionCompleter(session)
