"""The real Gemini CLI 0.61.0 finds our companion and tells the model what it says; skipped where it is not installed.

Slow, about four seconds for each start of it, so each test is one story.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ide.gemini_desk import Desk, desk_in
from tests.ide.gemini_terminal import needs_gemini

pytestmark = needs_gemini


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with desk_in(tmp_path) as made:
        yield made


def test_it_finds_its_editor_by_the_process_tree_from_a_nested_folder(desk: Desk) -> None:
    nested = desk.workspace / "deep" / "down"
    with desk.window("other", pid=os.getppid()), desk.window("ours"):
        told = desk.ask(nested, "ours")
    assert "Here is the user's editor context as a JSON object" in told
    assert '"selectedText": "seen in ours"' in told
    assert '"line": 1' in told
    assert desk.counts == {"ours": 1} or desk.counts == {"ours": 0}, "nobody else was asked"


def test_it_finds_its_editor_by_the_environment_alone(desk: Desk) -> None:
    elsewhere = desk.folder / "elsewhere"
    elsewhere.mkdir()
    with desk.window("ours", tmp=elsewhere) as ours:
        told = desk.ask(desk.workspace, "ours", TERM_PROGRAM="vscode", **ours.env)
    assert "seen in ours" in told


def test_of_several_windows_it_takes_the_one_of_its_terminal(desk: Desk) -> None:
    foreign = desk.folder / "foreign"
    foreign.mkdir()
    with desk.window("foreign", foreign), desk.window("first"), desk.window("second"), desk.window("third") as third:
        port = third.env["GEMINI_CLI_IDE_SERVER_PORT"]
        told = desk.ask(desk.workspace, "third", GEMINI_CLI_IDE_SERVER_PORT=port)
    assert "seen in third" in told
    assert set(desk.counts) == {"third"}


def test_with_a_wrong_token_it_hears_nothing_and_goes_on(desk: Desk) -> None:
    elsewhere = desk.folder / "elsewhere"
    elsewhere.mkdir()
    with desk.window("ours", tmp=elsewhere) as ours:
        env = {**ours.env, "GEMINI_CLI_IDE_AUTH_TOKEN": "0" * 64}
        told = desk.ask(desk.workspace, "", TERM_PROGRAM="vscode", **env)
    assert "hello there" in told
    assert "editor context" not in told
    assert desk.counts == {}
