"""A workspace with subagents in it, and a session there with a model that follows a script."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pisces.models.scripted import ScriptedModel
from pisces.models.wire import ModelAsk
from pisces.places import Places
from pisces.session.options import SessionOptions
from pisces.session.session import Session, open_session
from pisces.shapes.event import Event
from pisces.shapes.message import CallPart
from pisces.ui.quiet_ui import QuietUi


async def nobody(_question: str, _answers: object) -> None:
    return None


def agent_call(name: str, prompt: str = "look", call_id: str = "call-1") -> CallPart:
    return CallPart(call_id, "agent", {"name": name, "prompt": prompt})


def read(path: str, call_id: str = "r") -> tuple[CallPart]:
    return (CallPart(call_id, "read", {"path": path}),)


class AgentWorld:
    """`scripts` are the answers of the model by whom it answers for: `main`, `notes` for a summary, or a subagent whose
    file begins with that word.
    """

    def __init__(self, folder: Path, scripts: Mapping[str, Sequence[Any]]) -> None:
        self.home = folder
        self.work = folder / "work"
        self.work.mkdir()
        self.events: list[Event] = []
        self.questions: list[Any] = []
        self._scripts = {name: iter(turns) for name, turns in scripts.items()}
        self.asked: dict[str, list[ModelAsk]] = {}
        self.model = ScriptedModel([self._answer] * 1_000)
        self.options: dict[str, Any] = {}
        self.answer: Any = True

    def _answer(self, ask: ModelAsk) -> Any:
        first = ask.system.split(maxsplit=1)[0]
        who = first if first in self._scripts else "notes" if ask.system.startswith("You write the notes") else "main"
        self.asked.setdefault(who, []).append(ask)
        return next(self._scripts[who], "done")

    def agent(self, name: str, text: str = "", **fields: str) -> None:
        """Of the user, in the format of Claude Code."""
        self.agent_at(self.home / ".claude" / "agents" / f"{name}.md", name, text, fields)

    @staticmethod
    def agent_at(path: Path, name: str, text: str, fields: Mapping[str, str]) -> None:
        header = {"name": name, "description": f"what {name} does", **fields}
        lines = "\n".join(f"{key}: {value}" for key, value in header.items())
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"---\n{lines}\n---\n{text or name}\n", encoding="utf-8")

    def during(self, work: Callable[[Session], Any]) -> Any:
        def approve(request: Any, questions: Any) -> Any:
            self.questions.append(request)
            return self.answer(request, questions) if callable(self.answer) else self.answer

        options = SessionOptions(
            approve, nobody, QuietUi(print), self.model, readers=[self.events.append], **self.options
        )

        async def run() -> Any:
            async with open_session(Places(str(self.home), str(self.work), {}), options) as session:
                return await work(session)

        return asyncio.run(run())

    def submitted(self, line: str = "go") -> str:
        async def work(session: Session) -> str:
            end = (await session.submit(line)).end
            assert end is not None
            return end.text

        text: str = self.during(work)
        return text

    @property
    def report(self) -> str:
        """What the main agent got of its subagents."""
        return str(self.asked["main"][1].messages[-1])

    def of(self, kind: type[Event]) -> list[Any]:
        return [each for each in self.events if isinstance(each, kind)]
