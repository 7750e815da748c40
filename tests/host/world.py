"""A home with a project in it, written by a test, and what it takes to open a host there."""

from __future__ import annotations

from pathlib import Path

from pisces import Places, Request, Verdict, places_here

MODULE = """
from pisces.events import SessionShutdown, SessionStart

def extension(pisces):
    @pisces.tool()
    def greet(name: str) -> str:
        return f"Hello, {name}"

    @pisces.on(SessionStart)
    def started(event):
        pisces.ui.notify("started")

    @pisces.on(SessionShutdown)
    def ended(event):
        pisces.ui.notify("ended")
"""


class World:
    def __init__(self, folder: Path) -> None:
        self.home, self.cwd = folder / "home", folder / "home" / "boat"
        (self.cwd / ".git").mkdir(parents=True)
        env = {name: places_here().env[name] for name in ("PATH", "SYSTEMROOT") if name in places_here().env}
        self.places = Places(str(self.home), str(self.cwd), env)

    def write(self, name: str, text: str) -> str:
        """Below the project; `~/` is the home."""
        path = Path(self.places.absolute(name))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return str(path)

    def module(self, body: str, name: str = "mod") -> str:
        """A module of the program whose factory is `body`."""
        lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
        return self.write(f"{name}.py", f"from pisces.events import *\n\ndef extension(pisces):\n{lines}\n")


class Answers:
    """An `approve` that says the same to every question, and remembers them."""

    def __init__(self, answer: object = True) -> None:
        self.answer = answer
        self.asked: list[tuple[str, tuple[Verdict, ...]]] = []

    def __call__(self, request: Request, questions: tuple[Verdict, ...]) -> bool:
        self.asked.append((request.exact, questions))
        return self.answer  # type: ignore[return-value]
