"""What may follow what is typed: commands, arguments, files, subagents, servers; also in a very large workspace."""

from __future__ import annotations

import asyncio
from pathlib import Path
from time import process_time

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from pisces.places import Places
from pisces.session.options import SessionOptions
from pisces.session.session import open_session
from pisces.ui.quiet_ui import QuietUi
from pisces.ui.terminal.completion import CompletionWorld, completer, completions
from pisces.ui.terminal.file_names import WorkspaceNames, workspace_files
from pisces.ui.terminal.fuzzy import fitting, folded_names
from pisces.ui.terminal.hot_reload import HotReload
from tests.ui.terminal_views.collecting_screen import CollectingScreen

WORLD = CompletionWorld(
    {"commit": "makes a commit", "compact": "shorter", "git:commit": "of git", "mode": "", "help": ""},
    lambda name, _args: [("ask", "asks"), ("all", ""), ("plan", "")] if name == "mode" else [],
    folded_names(["README.md", "src/", "src/main.py", "docs/my notes.md", "src/mode/main_test.py"]),
    {"critic": "reads", "main-agent": ""},
    {"things:": "a server"},
)


def texts(typed: str) -> list[str]:
    return [each.text for each in completions(typed, len(typed), WORLD)]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("/com", ["compact", "commit", "git:commit"]),
        ("/cmt", ["commit", "git:commit", "compact"]),
        ("/mode ", ["ask", "all", "plan"]),
        ("/mode pl", ["plan"]),
        ("/help x", []),
        ("look at @crit", ["critic"]),
        ("@thi", ["things:"]),
        ("see @main", ["main-agent", "src/main.py", "src/mode/main_test.py"]),
        ("@notes", ['"docs/my notes.md"']),
        ('@"my no', ['"docs/my notes.md"']),
        ("mail me@main", []),
        ("a plain line", []),
        ("two\n/com", []),
        ("/mode @README", ["README.md"]),
    ],
)
def test_what_follows(typed: str, found: list[str]) -> None:
    assert texts(typed)[: len(found) + 1] == found or sorted(texts(typed)) == sorted(found)


def test_what_is_replaced_is_what_was_typed() -> None:
    for typed in ("/com", "see @main", '@"my no', "/mode pl"):
        for each in completions(typed, len(typed), WORLD):
            assert typed[: len(typed) - each.replaced].endswith(("/", "@", " "))


def test_only_the_text_before_the_cursor_counts() -> None:
    assert [each.text for each in completions("/hel and more", 4, WORLD)] == ["help"]


def test_meanings_are_made_visible() -> None:
    world = CompletionWorld({"x": "a\x1b[2Jb\n\u202e"})
    assert [each.meaning for each in completions("/x", 2, world)] == ["a\\x1b[2Jb\\n\\u202e"]


@pytest.mark.parametrize("typed", ["", "a", "main", "zzzz", "a" * 500, "f99"])
def test_a_hundred_thousand_files_are_no_pause(typed: str) -> None:
    """The limit is far above what it takes: it fails for something quadratic, not for a busy machine."""
    names = folded_names(f"pkg{n % 100}/module{n % 1000}/file{n}.py" for n in range(100_000))
    began = process_time()
    found = fitting(typed, names, 50)
    assert process_time() - began < 2.0
    assert len(found) <= 50


def test_files_are_those_that_git_would_show(tmp_path: Path) -> None:
    files = {
        ".gitignore": "*.log\nbuild/\n",
        "a.py": "",
        "b.log": "",
        "build/x": "",
        "sub/.gitignore": "secret\n",
        "sub/secret": "",
        "sub/c": "",
        ".git/HEAD": "",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (tmp_path / "loop").symlink_to(tmp_path)
    assert sorted(workspace_files(str(tmp_path))) == [".gitignore", "a.py", "loop", "sub/", "sub/.gitignore", "sub/c"]


def test_names_of_files_come_from_a_thread_and_are_walked_again_later(tmp_path: Path) -> None:
    now = [0.0]
    files = WorkspaceNames(str(tmp_path), lambda: now[0])
    (tmp_path / "a").write_text("", encoding="utf-8")
    assert set(files.names.names) <= {"a"}, "nothing waits for it"
    assert files.settle(30).names == ("a",)
    (tmp_path / "b").write_text("", encoding="utf-8")
    assert files.names.names == ("a",)
    now[0] = 600.0
    assert files.names is not None
    assert files.settle(30).names == ("a", "b")


async def _nobody(_question: str, _answers: object) -> None:
    return None


def test_a_session_completes_its_commands_and_notices_new_ones(tmp_path: Path) -> None:
    places = Places(str(tmp_path), str(tmp_path / "work"), {})
    Path(places.cwd).mkdir()
    commands = tmp_path / ".claude" / "commands"
    commands.mkdir(parents=True)
    (commands / "greet.md").write_text("---\ndescription: says hello\n---\nHello", encoding="utf-8")

    async def use() -> None:
        options = SessionOptions(lambda _request, _questions: False, _nobody, QuietUi(print))
        async with open_session(places, options) as session:
            made = completer(session)
            found = list(made.get_completions(Document("/gree"), CompleteEvent()))
            assert [each.text for each in found] == ["greet"]
            assert "says hello" in found[0].display_meta_text
            assert "mode" in [each.text for each in made.get_completions(Document("/mode"), CompleteEvent())]
            screen = CollectingScreen()
            reload = HotReload(session, screen)
            await reload.start()
            await reload.before_line()
            assert not screen.printed
            (commands / "part.md").write_text("Goodbye", encoding="utf-8")
            await reload.before_line()
            assert "read again" in screen.shown
            assert "part" in session.host.commands.names

    asyncio.run(use())
