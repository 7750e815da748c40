"""Slash commands of the program: each fits the screen, says what there is, and does what it says."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from pisces.models.scripted import ScriptedModel
from pisces.packages.fetching.source import parse_source
from pisces.packages.install import Installer, install
from pisces.packages.store.store import own_store
from pisces.places import Places
from pisces.session.options import SessionOptions
from pisces.session.session import Session, open_session
from pisces.shapes.events.tools import ToolCall
from pisces.shapes.message import BY_MODEL, BY_USER, CallPart, ChatMessage, ResultPart, TextPart
from pisces.shapes.verdict import ALLOW, Judged, Verdict
from pisces.ui.quiet_ui import QuietUi
from pisces.ui.terminal.commands.copy import clipboard_code, last_answer
from pisces.ui.terminal.own_commands import own_commands
from pisces.ui.terminal.panel import Panel, ScreenCall
from pisces.ui.terminal.themes import Palette, chosen_palette
from pisces.ui.width import width_of
from tests.ui.terminal_views.collecting_screen import CollectingScreen

WANTED = """
    extensions commands skills agents hooks mcp ide memory trust plan theme why doctor cost audit model resume reload
    help branch clear compact copy export quit mode tools undo sessions transcript diff
""".split()


@pytest.fixture
def places(tmp_path: Path) -> Places:
    home, work = tmp_path / "home", tmp_path / "home" / "work"
    files = {
        home / ".claude/commands/greet.md": "---\ndescription: says hello \x1b[2J\u202e\n---\nSay hello",
        home / ".claude/skills/tea/SKILL.md": "---\nname: tea\ndescription: makes tea\n---\nBoil.\n",
        home / ".claude/agents/critic.md": "---\nname: critic\ndescription: reads code\n---\nRead.\n",
        home / ".claude/CLAUDE.md": "Prefer tabs.",
        home / ".claude/settings.json": json.dumps(
            {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "true"}]}]}}
        ),
        home / ".claude.json": json.dumps({"mcpServers": {"things": {"command": "true"}}}),
        home / ".gemini/extensions/ext/gemini-extension.json": json.dumps(
            {"name": "ext", "version": "1.0.0", "plan": {"directory": "designs"}, "themes": [THEME]}
        ),
        work / ".pisces/extensions/brought.py": "def extension(pisces):\n    pass\n",
        work / "a.txt": "hello",
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Places(str(home), str(work), {"PATH": "/usr/bin:/bin"})


THEME = {"name": "sea", "type": "custom", "text": {"primary": "#112233", "accent": "blue"}}


async def _nobody(_question: str, _answers: object) -> None:
    return None


def in_session(places: Places, use: Callable[[Session], Awaitable[Any]], *answers: Any) -> Any:
    async def used() -> Any:
        options = SessionOptions(
            lambda _request, _questions: False, _nobody, QuietUi(print), ScriptedModel([*answers]) if answers else None
        )
        async with open_session(places, options) as session:
            return await use(session)

    return asyncio.run(used())


async def typed(session: Session, screen: CollectingScreen, line: str) -> str:
    name, _, args = line.removeprefix("/").partition(" ")
    before = len(screen.printed)
    await own_commands()[name].run(ScreenCall(args, session, screen))
    return "\n".join(screen.printed[before:])


def test_every_command_that_people_expect_is_there() -> None:
    assert set(WANTED) <= set(own_commands())
    assert all(each.summary and each.name == name for name, each in own_commands().items())


@pytest.mark.parametrize("width", [40, 80])
def test_each_fits_one_screen_and_shows_nothing_hidden(places: Places, width: int) -> None:
    async def use(session: Session) -> None:
        for name in sorted(set(WANTED) - {"quit", "compact", "ide", "export", "clear", "resume", "copy", "branch"}):
            screen = CollectingScreen(width=width, height=24)
            shown = await typed(session, screen, f"/{name}")
            lines = shown.split("\n")
            assert shown or name in ("theme", "transcript"), name  # a question that the user leaves
            assert len(lines) <= 30, (name, lines)
            assert not [line for line in lines if width_of(line) > width], name
            assert "\x1b" not in shown, name
            assert "\u202e" not in shown, name

    in_session(places, use)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("/commands", ["/greet"]),
        ("/commands greet", ["a prompt", ".claude/commands/greet.md"]),
        ("/commands nothing", ["no file brings"]),
        ("/skills", ["tea", "makes tea"]),
        ("/skills tea", ["SKILL.md"]),
        ("/agents", ["@critic", "reads code"]),
        ("/agents critic", ["critic.md"]),
        ("/hooks", ["PreToolUse", "true"]),
        ("/hooks stop", ["hooks stop"]),
        ("/mcp", ["things"]),
        ("/mcp things", ["starts: true"]),
        ("/mcp nothing", ["no MCP server"]),
        ("/memory", ["CLAUDE.md", "tokens"]),
        ("/extensions", ["ext", "1.0.0"]),
        ("/extensions ext", ["folder"]),
        ("/why greet", ["loads"]),
        ("/why nothing", ["nothing here"]),
        ("/doctor", ["trusted: no"]),
        ("/mode", ["ask *", "plan"]),
        ("/mode nonsense", ["no mode"]),
        ("/tools", ["read"]),
        ("/tools read", ["takes"]),
        ("/theme nothing", ["sea (ext)"]),
        ("/model nobody/x", ["nobody"]),
        ("/trust", ["nothing was decided"]),
        ("/audit", ["audit log"]),
        ("/undo", ["no compaction"]),
        ("/reload", ["read again"]),
        ("/sessions", ["sessions of this workspace"]),
        ("/help", ["/help", "enter sends"]),
    ],
)
def test_they_say_what_there_is(places: Places, line: str, words: list[str]) -> None:
    screen = CollectingScreen(height=60, width=100)
    shown = in_session(places, lambda session: typed(session, screen, line))
    assert [word for word in words if word not in shown] == [], shown


def test_trust_is_given_for_what_was_shown_and_taken_back(places: Places) -> None:
    async def use(session: Session) -> None:
        screen = CollectingScreen("y")
        assert "trusted:" in await typed(session, screen, "/trust")
        assert "brought" in "".join(screen.frames[0])
        assert session.host.is_trusted
        assert "nothing changed" in await typed(session, CollectingScreen(), "/trust")
        await typed(session, CollectingScreen(), "/trust revoke")
        assert not session.host.is_trusted

    in_session(places, use)


def test_trust_is_not_given_for_what_changed_meanwhile(places: Places) -> None:
    async def use(session: Session) -> None:
        screen = CollectingScreen("y")
        brought = Path(places.cwd, ".pisces/extensions/brought.py")

        def change(_panel: Panel) -> None:
            brought.write_text("import os\n", encoding="utf-8")

        screen.while_asking = change
        assert "changed while you were asked" in await typed(session, screen, "/trust")
        assert not session.host.is_trusted

    in_session(places, use)


async def _writes(session: Session, path: str) -> str:
    call = ToolCall("write", "1", {"path": path, "content": "x"})
    return (await session.host.judge(call)).verdict.decision


def test_plan_mode_lets_plans_be_written_and_nothing_else(places: Places) -> None:
    async def use(session: Session) -> None:
        screen = CollectingScreen("e")
        assert "designs" in await typed(session, screen, "/plan")
        assert session.host.mode == "plan"
        Path(places.cwd, "designs").mkdir()
        Path(places.cwd, "designs", "out").symlink_to(places.home)
        written = {path: await _writes(session, path) for path in PLANNED}
        assert written == PLANNED
        await typed(session, screen, "/plan")
        assert session.host.mode == "edits"
        assert screen.box == "Carry out the plan."

    in_session(places, use)


PLANNED = {
    "designs/plan.md": "allow",
    "designs/deep/plan.md": "allow",
    "designs/run.py": "deny",
    "designs/../a.md": "deny",
    "designs/out/a.md": "deny",
    "a.md": "deny",
    ".pisces/plans/a.md": "deny",
    "~/a.md": "deny",
}


@pytest.mark.parametrize("wanted", ["..", "/etc", ".claude", "~/plans", ".", "", 3])
def test_a_folder_for_plans_that_opens_more_is_not_taken(places: Places, wanted: object) -> None:
    manifest = Path(places.home, ".gemini/extensions/ext/gemini-extension.json")
    fields = {"name": "ext", "version": "1.0.0", "plan": {"directory": wanted}}
    manifest.write_text(json.dumps(fields), encoding="utf-8")

    async def use(session: Session) -> str:
        return session.host.plan_folder

    assert in_session(places, use) == str(Path(places.cwd, ".pisces", "plans"))


def test_the_users_setting_for_plans_comes_first(places: Places) -> None:
    path = Path(places.agent_dir, "config.yml")
    path.parent.mkdir(parents=True)
    path.write_text("plan:\n  directory: docs/plans\n", encoding="utf-8")

    async def use(session: Session) -> str:
        return session.host.plan_folder

    assert in_session(places, use) == str(Path(places.cwd, "docs", "plans"))


def test_a_theme_of_a_package_is_taken_and_no_color_wins(places: Places) -> None:
    async def use(session: Session) -> str:
        screen = CollectingScreen(["<down>", "<down>", "<enter>"])  # from the one that is in force
        await typed(session, screen, "/theme sea (ext)")
        name = screen.palette.name
        await typed(session, screen, "/theme")
        return f"{name} {screen.palette.name}"

    assert in_session(places, use) == "sea (ext) light"
    assert chosen_palette(places).name == "light", "it is the same at the next start"
    Path(places.agent_dir, "terminal.json").write_text('{"palette": {"name": "x", "bad": "1m\\u001b[2J"}}', "utf-8")
    assert chosen_palette(places) == Palette("x")
    Path(places.agent_dir, "terminal.json").write_text("[", "utf-8")
    assert chosen_palette(places).name == "dark"
    assert in_session(places.replace(env={"NO_COLOR": "1"}), use) == "none none"


class PaletteScreen(CollectingScreen):
    """Notes the name of each palette that it gets."""

    def use_palette(self, palette: Palette) -> None:
        super().use_palette(palette)
        self.printed.append(palette.name)


def test_a_theme_is_seen_before_it_is_taken_and_gone_if_it_is_left(places: Places) -> None:
    async def use(session: Session) -> tuple[str, str]:
        screen = PaletteScreen(["<down>", "<escape>"], ["<down>", "<enter>"])
        before = screen.palette.name
        left = await typed(session, screen, "/theme")
        assert screen.palette.name == before
        return left, await typed(session, screen, "/theme")

    left, taken = in_session(places, use)
    assert left.split("\n") == ["sea (ext)", "none"]
    assert taken.startswith("sea (ext)\n")
    assert chosen_palette(places).name == "sea (ext)"


def test_the_last_answer_is_copied_as_it_was_written(places: Places) -> None:
    async def use(session: Session) -> str:
        await session.submit("hello")
        return last_answer(session)

    text = in_session(places, use, "# Title\n\n    code \x1b[2J")
    assert text == "# Title\n\n    code \x1b[2J"
    code = clipboard_code(text)
    assert code.startswith(b"\x1b]52;c;")
    assert base64.b64decode(code[7:-1]).decode() == text


def test_a_new_conversation_begins_and_the_old_one_is_resumed(places: Places) -> None:
    async def use(session: Session) -> None:
        await session.submit("remember the sea")
        first = session.transcript.id
        screen = CollectingScreen(["<enter>"])
        assert first in await typed(session, screen, "/clear")
        assert session.transcript.id != first
        assert not session.transcript.messages
        shown = await typed(session, screen, "/resume")
        assert session.transcript.id == first
        assert "remember the sea" in shown
        assert "bad" not in await typed(session, screen, "/sessions")
        await typed(session, screen, "/resume nothing-like-that")
        assert session.transcript.id == first

    in_session(places, use, "I will", "yes")


def test_an_earlier_message_is_asked_again_and_the_other_branch_stays(places: Places) -> None:
    async def use(session: Session) -> None:
        await session.submit("the first")
        await session.submit("the second")
        screen = CollectingScreen(["<enter>"])
        assert "2 messages before it" in await typed(session, screen, "/branch")
        assert screen.box == "the second"
        await session.submit("another second")
        assert [each.text for each in session.transcript.messages] == ["the first", "one", "another second", "three"]
        assert "the second" in Path(session.transcript.path).read_text("utf-8")

    in_session(places, use, "one", "two", "three")


def test_a_conversation_is_exported_and_nothing_is_overwritten_unasked(places: Places) -> None:
    async def use(session: Session) -> None:
        await session.submit("hello there")
        screen = CollectingScreen("n")
        await typed(session, screen, "/export talk.md")
        path = Path(places.cwd, "talk.md")
        assert "hello there" in path.read_text("utf-8")
        await typed(session, screen, "/export talk.html")
        assert Path(places.cwd, "talk.html").read_text("utf-8").startswith("<!DOCTYPE html>")
        path.write_text("mine", "utf-8")
        await typed(session, screen, "/export talk.md")
        assert path.read_text("utf-8") == "mine"
        assert "cannot be written" in await typed(session, screen, "/export nowhere/talk.md")

    in_session(places, use, "hi")


def test_quit_leaves_and_model_is_chosen(places: Places) -> None:
    async def use(session: Session) -> None:
        screen = CollectingScreen()
        await typed(session, screen, "/quit")
        assert screen.has_quit
        await typed(session, screen, "/mode all")
        assert session.host.mode == "all"

    in_session(places, use)


def test_an_installed_extension_is_switched_off_and_on_as_the_shell_does_it(places: Places) -> None:
    folder = Path(places.home) / "kit"
    folder.mkdir()
    (folder / "gemini-extension.json").write_text('{"name": "kit", "version": "1.0.0"}', encoding="utf-8")
    installer = Installer(
        own_store(places), places, lambda request: Judged(request, Verdict(ALLOW, "a test")), lambda _line: None
    )
    install(parse_source(str(folder), places), installer)

    async def use(session: Session) -> None:
        screen = CollectingScreen(width=60)
        assert "kit" in await typed(session, screen, "/extensions")
        assert "disabled kit everywhere" in await typed(session, screen, "/extensions disable kit")
        assert "kit" not in await typed(session, screen, "/extensions")
        words = own_commands()["extensions"].words
        assert words is not None
        assert ("kit", "off") in words(session)
        assert "enabled kit in this folder" in await typed(session, screen, "/extensions enable kit here")
        assert "kit" in await typed(session, screen, "/extensions")
        assert "nowhere" in await typed(session, screen, "/extensions disable nowhere")
        assert "NAME" in await typed(session, screen, "/extensions disable")
        log = await typed(session, screen, "/audit")
        assert "kit" in log

    in_session(places, use)


@pytest.mark.parametrize("width", [40, 80])
def test_a_model_is_picked_from_those_that_can_be_used(places: Places, width: int) -> None:
    env = {**places.env, "ANTHROPIC_API_KEY": "key", "OPENAI_API_KEY": "key", "OLLAMA_HOST": "127.0.0.1:9"}

    async def use(session: Session) -> None:
        screen = CollectingScreen(("<down>", "<enter>"), width=width)
        shown = await typed(session, screen, "/model")
        rows = [line for line in screen.frames[0] if "is set" in line or "/" in line]
        assert any("anthropic/" in row for row in rows)
        assert not any(row.startswith(("> gemini", "  gemini")) for row in screen.frames[0]), "it has no key"
        assert session.model is not None
        assert session.model.facts.provider == "openai"
        assert "the model is openai/" in shown

    in_session(places.replace(env=env), use)


def test_diff_of_a_file_that_was_there_has_only_what_changed(places: Places) -> None:
    write = CallPart("2", "write", {"path": "a.txt", "content": "one\nTWO\nthree\n"})
    turns = (CallPart("1", "read", {"path": "a.txt"}),), (write,), "done"
    Path(places.cwd, "a.txt").write_text("one\ntwo\nthree\n", encoding="utf-8")

    async def use(session: Session) -> None:
        await typed(session, CollectingScreen(), "/mode edits")
        await session.submit("change it")
        screen = CollectingScreen(("q",), width=40)
        await typed(session, screen, "/diff")
        rows = [row.rstrip() for row in screen.frames[0]]
        assert rows[:6] == ["write a.txt", "@@ -1,3 +1,3 @@", " one", "-two", "+TWO", " three"]

    in_session(places, use, *turns)


def test_what_was_named_for_this_run_is_known_to_why_and_doctor(places: Places, tmp_path: Path) -> None:
    plugin = tmp_path / "guard"
    (plugin / ".claude-plugin").mkdir(parents=True)
    (plugin / "hooks").mkdir()
    (plugin / ".claude-plugin" / "plugin.json").write_text('{"name": "guard", "version": "1.0.0"}', encoding="utf-8")
    hook = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "true"}]}]}}
    (plugin / "hooks" / "hooks.json").write_text(json.dumps(hook), encoding="utf-8")

    async def used() -> tuple[str, str]:
        options = SessionOptions(lambda _request, _questions: False, _nobody, QuietUi(print), None)
        async with open_session(places, options.replace(packages=(str(plugin),))) as session:
            why = await typed(session, CollectingScreen(), "/why guard")
            return why, await typed(session, CollectingScreen(), "/doctor")

    why, doctor = asyncio.run(used())
    assert "--package: " in why
    assert "named for this run: hook PreToolUse" in doctor


def test_a_list_of_nothing_says_so(tmp_path: Path) -> None:
    async def use(session: Session) -> None:
        assert "none" in await typed(session, CollectingScreen(), "/skills")
        assert "no other session" in await typed(session, CollectingScreen(), "/resume")
        assert "nothing\n" in await typed(session, CollectingScreen(), "/doctor")

    in_session(Places(str(tmp_path), str(tmp_path), {}), use)


def test_diff_shows_what_was_written_and_edited_and_nothing_that_failed(places: Places) -> None:
    calls: list[tuple[str, dict[str, Any], bool]] = [
        ("write", {"path": "new.txt", "content": "fresh\n"}, False),
        ("edit", {"path": "a.txt", "old": "hello", "new": "goodbye"}, False),
        ("edit", {"path": "b.txt", "old": "gone", "new": "never"}, True),
        ("read", {"path": "c.txt"}, False),
        ("edit", {"path": "d.txt", "edits": [{"old": "1st", "new": "first"}, {"old": "2nd", "new": "second"}]}, False),
        ("edit", {"path": "e.txt", "edits": ["no edit"], "old": 5}, False),
    ]

    async def use(session: Session) -> None:
        assert "no file" in await typed(session, CollectingScreen(), "/diff")
        for at, (name, given, is_error) in enumerate(calls):
            key = str(at)
            session.transcript.append_message(ChatMessage(BY_MODEL, (CallPart(key, name, given),)), {})
            result = ResultPart(key, name, (TextPart("done"),), is_error)
            session.transcript.append_message(ChatMessage(BY_USER, (result,)), {})
        screen = CollectingScreen(("q",), width=40)
        await typed(session, screen, "/diff")
        shown = "\n".join(screen.frames[0])
        assert "write new.txt" in shown
        assert "+ fresh" in shown
        assert "- hello" in shown
        assert "+ goodbye" in shown
        assert "+ first" in shown
        assert "+ second" in shown
        assert "never" not in shown
        assert "c.txt" not in shown

    in_session(places, use)
