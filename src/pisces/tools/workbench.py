"""What the agent's own tools work with. Each tool is a file in `tools/own` with `tool(bench)`."""

from __future__ import annotations

import asyncio
import threading
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from pisces.by_name import export_of, names_in
from pisces.shapes.tool import ToolFailed
from pisces.tools.file_text import as_characters
from pisces.tools.judged_places import JudgedPlaces
from pisces.value import Value

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
    from typing import Any, TypeAlias

    from pisces.places import Places
    from pisces.shapes.tool import Tool, ToolContext

    # A question with possible answers; None where nobody answers.
    AskUser: TypeAlias = Callable[[str, Sequence[str]], Awaitable[str | None]]
    RunTool: TypeAlias = Callable[..., Awaitable[dict[str, Any]]]
    # A task for a subagent of this name, with the ToolContext of the call: what the tool returns.
    RunSubagent: TypeAlias = Callable[[str, str, Any], Awaitable[Any]]


HOME = "pisces.tools.own"


# What a subagent has seen, while it works: its parent has not seen it, nor it what its parent has.
_seen_apart: ContextVar[dict[str, str] | None] = ContextVar("pisces_seen_apart", default=None)


@contextmanager
def seeing_apart() -> Iterator[None]:
    """Tools that are called in here, and in tasks that begin here, know no file that was seen outside."""
    token = _seen_apart.set({})
    try:
        yield
    finally:
        _seen_apart.reset(token)


class FilesSeen:
    """The files that the model has read or written, with the hash of what it saw: no other text is edited. `places` are
    those that calls had when they were judged.
    """

    def __init__(self) -> None:
        self._of_agent: dict[str, str] = {}
        self._amended: set[str] = set()
        self.places = JudgedPlaces()
        self.changing = threading.Lock()  # held while a file is changed

    @property
    def _hashes(self) -> dict[str, str]:
        apart = _seen_apart.get()
        return self._of_agent if apart is None else apart

    def saw(self, path: str, sha256: str) -> None:
        self._hashes[path] = sha256

    def amended(self, path: str) -> None:
        """The user has changed the text that the model proposed for a file."""
        self._amended.add(path)

    def take_amended(self, path: str) -> bool:
        """Whether the user has, since the last time."""
        is_amended = path in self._amended
        self._amended.discard(path)
        return is_amended

    def hash_of(self, path: str) -> str:
        """Empty for a file that the model has not seen."""
        return self._hashes.get(path, "")


class Workbench(Value):
    """`folder` is the current folder, which may move. `env_files` are shell files to source before a command.

    `ask` puts a question to the user. `run_agent` runs a subagent; None where there are none. `may_read` says whether
    no rule is against reading a file, for tools that find files by themselves.
    """

    places: Places
    folder: Callable[[], str]
    env_files: Callable[[], Sequence[str]]
    ask: AskUser
    seen: FilesSeen
    run_agent: RunSubagent | None = None
    may_read: Callable[[str], bool] = bool  # any path


def text_result(text: str, **details: Any) -> dict[str, Any]:
    """What a tool returns: a text for the model, and `details` for the screen."""
    return {"content": [{"type": "text", "text": as_characters(text)}], "details": details}


def check_place(bench: Workbench, given: Mapping[str, Any], context: ToolContext | None) -> None:
    """Raises `ToolFailed` where the path of a call leads elsewhere than when it was judged."""
    if context is not None:
        bench.seen.places.check(context.call_id, bench.folder(), given)


def in_thread(bench: Workbench, name: str, export: str) -> RunTool:
    """Runs a function of a file in this folder beside the event loop, which draws the screen. The file is loaded by
    its first call: most sessions need few of them, and none before the first request to a model.
    """

    async def run(given: Mapping[str, Any], context: ToolContext | None = None) -> dict[str, Any]:
        check_place(bench, given, context)
        try:
            return await asyncio.to_thread(lambda: export_of("pisces.tools", name, export)(bench, given))
        except ToolFailed as error:  # its text may have a name of the model's in it
            raise ToolFailed(as_characters(str(error))) from None

    return run


def own_tools(bench: Workbench) -> tuple[Tool, ...]:
    """All of them, in the order of their names."""
    made = (export_of(HOME, name, "tool")(bench) for name in names_in(HOME))
    return tuple(each for each in made if each is not None)
