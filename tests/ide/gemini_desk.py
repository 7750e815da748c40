"""A workspace with files, a model that can be told what to say, and companions for several windows."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pisces.ide import Companion, Editor, Window
from pisces.shapes.ide_context import Cursor
from tests.ide.gemini_terminal import Home, Terminal, fake_gemini, until


class Desk:
    def __init__(self, folder: Path, api: Any) -> None:
        self.api = api
        self.home = Home(folder, api)
        self.folder = folder
        self.workspace = folder / "project"
        (self.workspace / "deep" / "down").mkdir(parents=True)
        (self.workspace / "main.py").write_text("answer = 42\n")
        self.counts: dict[str, int] = {}

    def window(self, name: str, *workspace: Path, pid: int = 0, tmp: Path | None = None) -> Companion:
        folders = tuple(map(str, workspace or (self.workspace,)))
        env = {**self.home.env, **({"TMPDIR": str(tmp)} if tmp else {})}
        editor = Editor(clients_changed=lambda count: self.counts.update({name: count}))
        window = Window(folders, name, name.title(), (pid or os.getpid(),))
        companion = Companion(window, editor, env=env)
        companion.open_files.focus(str(self.workspace / "main.py"), Cursor(1, 3), f"seen in {name}")
        return companion

    def ask(self, cwd: Path, name: str, **env: str) -> str:
        """All that the model was told in a one-shot run, which waits for the editor as long as its input is open."""
        with Terminal(self.home, cwd, "-p", "hello there", **env) as terminal:
            if name:
                assert until(lambda: self.counts.get(name)), bytes(terminal.output).decode()
            else:
                assert until(lambda: "Failed to connect" in self.log()), self.log()
            terminal.close_input()
            assert terminal.wait() == 0, bytes(terminal.output).decode()
        return "\n".join(self.api.streams()[0].texts("user"))

    def log(self) -> str:
        file = self.folder / "debug.log"
        return file.read_text("utf-8", "replace") if file.exists() else ""


@contextmanager
def desk_in(folder: Path) -> Iterator[Desk]:
    with fake_gemini().FakeGemini() as api:
        yield Desk(folder, api)
