"""Plays the scenes in one session: the real one, with its gates, cards, transcript and audit log. Only the model and
the answers of the user are scripted.
"""

from __future__ import annotations

import asyncio
import itertools
import os
from collections import deque
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.formats.visible import visible
from pisces.ide.companion.companion import Companion
from pisces.ide.companion.options import Window
from pisces.models.scripted import ScriptedModel
from pisces.modules.sidecar.runtime import WANTED
from pisces.places import Places
from pisces.session.options import SessionOptions
from pisces.session.session import open_session
from pisces.shapes.events.subagents import SubagentStart, SubagentStop
from pisces.shapes.events.surroundings import CommandUpdate, IdeContextChanged
from pisces.shapes.ide_context import Cursor
from pisces.shapes.message import ResultPart, TextPart
from pisces.ui.terminal.conversation import Conversation
from pisces.ui.terminal.drawn import exact_rows, prose_rows
from pisces.ui.terminal.live import Live
from pisces.ui.terminal.views import session_views
from pisces.ui.tour.script import TourScene, TourScript, write_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pisces.models.wire import ModelAsk
    from pisces.session.session import Session
    from pisces.shapes.event import Event
    from pisces.ui.terminal.blocks import Block
    from pisces.ui.tour.tour_screen import TourScreen

    Shell = Callable[[str], None]

TOUR_FAILED = Rule("tour-failed", ERROR, "The tour did not show what it should")

_PLUGINS, _MODULES = "~/plugins", "~/modules"
_EDITOR_WITHIN = 30.0  # seconds
_MOST_READ = 16  # lines of what the model reads
_VARIABLES = (WANTED, *"PATH LANG LC_ALL TERM COLORTERM COLORFGBG NO_COLOR".split())
_OF_WINDOWS = "SYSTEMROOT SYSTEMDRIVE COMSPEC PATHEXT WINDIR".split()


def places_of_tour(folder: str, here: Places) -> Places:
    """A home and a workspace of its own. Of the user's variables only those that a terminal needs are passed on."""
    home, temporary = os.path.join(folder, "home"), os.path.join(folder, "tmp")
    work = os.path.join(home, "harbour")
    for each in (work, temporary):
        os.makedirs(each)
    passed_on = {name: here.env[name] for name in (*_VARIABLES, *_OF_WINDOWS) if name in here.env}
    own = {"HOME": home, "USERPROFILE": home, "TMPDIR": temporary, "TMP": temporary, "TEMP": temporary}
    inside = {"REMOTE_CONTAINERS": "1"}  # in a container, too, the editor is in this process
    return Places(home, work, {**passed_on, **own, **inside})


async def play(script: TourScript, places: Places, screen: TourScreen, shell: Shell) -> None:
    """Raises `PiscesError` where a scene did not show what it should. `shell` runs a command line of pisces."""
    write_files(script, places)
    screen.say(script.title, "bold")
    screen.say(script.prose)
    with _editor(places) as companion:
        tour = Tour(places, screen, companion)
        await tour.play(script.scenes, shell)
    if screen.is_left:
        screen.say("\nthat was the tour so far")


@contextmanager
def _editor(places: Places) -> Iterator[Companion | None]:
    """The editor that the tour plays: a companion in this process. None where nothing can listen on this machine."""
    companion = Companion(Window((places.cwd,), "tour", "the tour"), env=dict(places.env))
    try:
        companion.start()
    except OSError:
        yield None
        return
    with companion:
        yield companion


class Tour:
    def __init__(self, places: Places, screen: TourScreen, companion: Companion | None) -> None:
        self._places, self._screen, self._companion = places, screen, companion
        self._answers: deque[Any] = deque()
        self._shows_reading = self._is_in_subagent = False
        self._sessions: list[Session] = []
        self._has_editor = asyncio.Event()
        self._conversation = Conversation(screen, Live(_rows), _rows)
        self._began = 0.0

    async def play(self, scenes: Sequence[TourScene], shell: Shell) -> None:
        async with open_session(self._places, self._options()) as session:
            self._sessions.append(session)
            for number, scene in enumerate(scenes, 1):
                self._head(number, scene)
                missing = self._missing(session, scene)
                if missing:
                    self._screen.say(f"skipped: {missing}", "warn")
                    continue
                await self._screen.pause(1)
                await self._shown(session, scene, shell)
                await self._screen.pause(2)
                if self._screen.is_left:
                    return

    def _missing(self, session: Session, scene: TourScene) -> str:
        """Why a scene cannot be played on this machine; empty where it can."""
        if scene.selects and self._companion is None:
            return "no port on 127.0.0.1 can be opened here"
        if not scene.needs or scene.needs in session.host.tools:
            return ""
        return next((visible(each.message) for each in session.host.diagnostics), f"there is no tool `{scene.needs}`")

    async def _shown(self, session: Session, scene: TourScene, shell: Shell) -> None:
        try:
            await self._scene(session, scene, shell)
            self._check(scene)
        except PiscesError:
            if not self._screen.is_left:  # then a card that nobody answered is a no
                raise

    def _options(self) -> SessionOptions:
        views = session_views(self._screen, self._places, lambda: self._sessions[0], self._screen.clock)
        return SessionOptions(
            views.approve,
            views.ask,
            views.ui,
            ScriptedModel(itertools.repeat(self._answer)),
            readers=(self._read,),
            packages=_below(_PLUGINS, self._places),
            modules=_below(_MODULES, self._places),
        )

    def _answer(self, ask: ModelAsk) -> Any:
        last = ask.messages[-1]
        if self._shows_reading:
            self._shows_reading = False
            self._screen.say("the model reads:", "accent", "  ")
            read = "\n".join(each.text for each in last.parts if isinstance(each, TextPart))
            self._show_exactly(read.split("\n")[:_MOST_READ])
        if self._is_in_subagent:
            results = (each for each in last.parts if isinstance(each, ResultPart))
            self._show_exactly(f"{each.name}: {each.text.strip()}" for each in results)
        return self._answers.popleft() if self._answers else "done"

    def _show_exactly(self, lines: Iterable[str]) -> None:
        paint, width = self._screen.palette.paint, self._screen.width
        for row in (row for line in lines for row in exact_rows(line, width, "    ")):
            self._screen.print(paint(row, "dim"))

    def _head(self, number: int, scene: TourScene) -> None:
        self._screen.begin(scene.keys)
        self._screen.say(f"\n{number}. {scene.title}", "bold")
        self._screen.say(scene.prose, "dim")
        for path in scene.files:
            self._screen.say(path, "dim", "  ")

    async def _scene(self, session: Session, scene: TourScene, shell: Shell) -> None:
        for line in scene.shell:
            self._screen.say(f"\n$ pisces {line}", "accent")
            shell(line)
        if scene.selects:
            await self._select(*scene.selects)
        if not scene.line:
            return
        self._answers.extend(scene.answers)
        self._shows_reading = scene.reads
        self._began = asyncio.get_running_loop().time()
        self._conversation.typed(scene.line)
        await session.submit(scene.line)
        self._conversation.settled()

    async def _select(self, path: str, text: str) -> None:
        """Goes on without it after a while: the scene then fails by what it did not show."""
        assert self._companion is not None, "the scene is skipped without one"
        self._has_editor.clear()
        self._companion.open_files.focus(self._places.absolute(path), Cursor(1, 1), text)
        with suppress(TimeoutError):
            async with asyncio.timeout(_EDITOR_WITHIN):
                await self._has_editor.wait()

    def _check(self, scene: TourScene) -> None:
        missing = self._screen.missing(scene.expect)
        if missing:
            message = f"`{scene.title}` did not show `{missing[0]}`"
            raise PiscesError(TOUR_FAILED.at("", message, hint="this is a fault of pisces: please report it"))

    def _read(self, event: Event) -> None:
        if isinstance(event, CommandUpdate):
            seconds = asyncio.get_running_loop().time() - self._began
            for line in event.text.splitlines():
                self._screen.print(f"  {seconds:4.1f} s  {line}")
        elif isinstance(event, SubagentStart):
            self._is_in_subagent = True
            self._screen.say(f"subagent {event.agent} starts, with a conversation of its own:", "accent", "  ")
        elif isinstance(event, SubagentStop):
            self._is_in_subagent = False
        elif isinstance(event, IdeContextChanged):
            self._has_editor.set()
        else:
            self._conversation.read(event)


def _rows(block: Block, width: int) -> Sequence[str]:
    """An answer without what a renderer of Markdown would add: the tour needs nothing but the standard library."""
    return [*prose_rows(block.text, width)]


def _below(folder: str, places: Places) -> tuple[str, ...]:
    path = places.absolute(folder)
    return tuple(os.path.join(path, name) for name in sorted(os.listdir(path)))
