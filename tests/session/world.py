"""A workspace with a module of its own, a scripted model, and everything that readers hear."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

from pisces.models.scripted import FACTS, ScriptedModel
from pisces.places import Places
from pisces.session.options import SessionOptions
from pisces.session.session import Session, open_session
from pisces.shapes.event import Event
from pisces.ui.quiet_ui import QuietUi

T = TypeVar("T")
K = TypeVar("K", bound=Event)


async def nobody(_question: str, _answers: object) -> None:
    return None


class SessionWorld:
    """`module` is the text of a Python module that is loaded; `events` is all that a reader heard."""

    def __init__(self, folder: Path, turns: Iterable[Any] = (), module: str = "", **options: Any) -> None:
        self.work = folder / "work"
        self.work.mkdir(parents=True)
        self.places = Places(str(folder), str(self.work), {"TMPDIR": str(folder), "REMOTE_CONTAINERS": "1"})
        self.model = ScriptedModel(turns, facts=options.pop("facts", FACTS))
        self.events: list[Event] = []
        self.notices: list[str] = []
        modules: tuple[str, ...] = ()
        if module:
            path = folder / "module.py"
            path.write_text(module, encoding="utf-8")
            modules = (str(path),)
        self.options = SessionOptions(
            lambda _request, _questions: True,
            nobody,
            QuietUi(self.notices.append),
            self.model,
            readers=(self.events.append, *options.pop("readers", ())),
            modules=modules,
            **options,
        )

    def during(self, work: Callable[[Session], Awaitable[T]]) -> T:
        async def run() -> T:
            async with open_session(self.places, self.options) as session:
                return await work(session)

        return asyncio.run(run())

    def submit(self, *lines: str) -> list[Any]:
        async def work(session: Session) -> list[Any]:
            return [await session.submit(line) for line in lines]

        return self.during(work)

    def of(self, kind: type[K]) -> list[K]:
        return [each for each in self.events if isinstance(each, kind)]

    def names(self) -> list[str]:
        return [each.NAME for each in self.events]

    def sent(self, number: int = -1) -> list[str]:
        """The texts of a request."""
        return [each.text for each in self.model.asked[number].messages]


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0.001)
