"""The real Gemini CLI 0.61.0 on a screen: its diffs in our editor, settled from either side; connected while idle."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest

from pisces.ide import Companion, CompanionOptions, Editor, Window
from tests.ide.gemini_desk import Desk, desk_in
from tests.ide.gemini_screen import GeminiScreen
from tests.ide.gemini_terminal import fake_gemini, needs_gemini, until

pytestmark = needs_gemini
IDLE = 380.0  # seconds: the client's own timer runs out after 300


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with desk_in(tmp_path) as made:
        yield made


class Reviewer:
    """An editor whose user has changed the proposed text before the terminal closes the diff."""

    def __init__(self) -> None:
        self.opened: list[tuple[str, str]] = []
        self.closed: list[str] = []
        self.left: str | None = None
        self.clients = 0

    def editor(self) -> Editor:
        return Editor(lambda path, content: self.opened.append((path, content)), self._close, self._count)

    def _close(self, path: str) -> str | None:
        self.closed.append(path)
        return self.left

    def _count(self, count: int) -> None:
        self.clients = count


def test_diffs_are_accepted_edited_and_rejected_from_both_sides(desk: Desk) -> None:
    model, reviewer = fake_gemini(), Reviewer()
    window = Window((str(desk.workspace),), "ours", "Ours")
    with (
        Companion(window, reviewer.editor(), env=desk.home.env) as companion,
        GeminiScreen(desk.home, desk.workspace) as screen,
    ):

        def propose(name: str) -> str:
            """The model wants to write a file: the editor shows it, and the terminal asks."""
            path = str(desk.workspace / name)
            desk.api.push(model.call("write_file", {"file_path": path, "content": "proposed\n"}))
            desk.api.push(model.text(f"after {name}"))
            screen.shows("Type your message")
            screen.submit(f"write {name}")
            assert until(lambda: reviewer.opened[-1:] == [(path, "proposed\n")]), screen.text()
            screen.shows("Apply this change?")
            return path

        def written(name: str) -> str | None:
            screen.hides("Apply this change?")
            file = desk.workspace / name
            return file.read_text() if file.exists() else None

        assert until(lambda: reviewer.clients == 1), screen.text()

        assert companion.accept(propose("accepted"))
        screen.shows("after accepted")
        assert written("accepted") == "proposed\n"

        assert companion.accept(propose("edited"), "edited by the user\n")
        screen.shows("after edited")
        assert written("edited") == "edited by the user\n"

        path = propose("by-terminal")
        reviewer.left = "typed into the diff\n"
        screen.type("1")
        screen.shows("after by-terminal")
        assert written("by-terminal") == "typed into the diff\n"
        assert reviewer.closed == [path]
        assert not companion.accept(path), "it is settled"

        assert companion.reject(propose("rejected"))
        assert written("rejected") is None
        desk.api.turns.clear()  # a rejected call ends the turn

        path = propose("refused")
        screen.type("\x1b")
        assert until(lambda: path in reviewer.closed), screen.text()
        assert written("refused") is None


@pytest.mark.skipif(not os.environ.get("PISCES_SOAK"), reason="waits more than six minutes: scripts/soak")
def test_it_is_still_connected_after_six_idle_minutes(desk: Desk) -> None:
    reviewer = Reviewer()
    window = Window((str(desk.workspace),), "ours", "Ours")
    with (
        Companion(window, reviewer.editor(), CompanionOptions(), desk.home.env),
        GeminiScreen(desk.home, desk.workspace) as screen,
    ):
        assert until(lambda: reviewer.clients == 1)
        start = monotonic()
        until(lambda: monotonic() - start > IDLE or reviewer.clients == 0, IDLE + 10)
        assert monotonic() - start > IDLE, "the client has gone"
        screen.shows("Type your message")
        screen.submit("/ide status")
        screen.shows("Connected to Ours")
