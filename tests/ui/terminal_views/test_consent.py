"""Questions to the user: what is shown is what runs, who asks is named, and an answer remembers what it showed."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pisces.diagnostics import PiscesError
from pisces.gates.user_rules import rules_file, rules_for, store_rules
from pisces.host.host import Host
from pisces.places import Places
from pisces.shapes.events.tools import ToolCall
from pisces.shapes.request import (
    ALWAYS,
    HookRequest,
    LineRequest,
    ModuleRequest,
    ProgramRequest,
    Request,
    ServerRequest,
    ToolRequest,
)
from pisces.shapes.server_requests import ElicitationRequest, SamplingRequest, ToolsRequest
from pisces.shapes.verdict import ASK, Verdict
from pisces.ui.terminal.consent import TerminalConsent
from pisces.ui.terminal.panel import Panel
from tests.ui.terminal_views.collecting_screen import CollectingScreen

MODE = (Verdict(ASK, "approval mode ask"),)


def places_in(folder: Path) -> Places:
    (folder / "work").mkdir(exist_ok=True)
    return Places(str(folder), str(folder / "work"), {})


def shell(command: str, places: Places, **more: Any) -> ToolRequest:
    return ToolRequest(ToolCall("shell", "1", {"command": command}), places.cwd, **more)


class Asked:
    """One consent whose remembered rules are a list."""

    def __init__(self, screen: CollectingScreen, places: Places) -> None:
        self.rules: list[tuple[str, Mapping[str, str]]] = []
        self.consent = TerminalConsent(screen, places, self._remember, lambda: "ask", screen.clock)

    def _remember(self, rules: Any, lasting: str) -> None:
        self.rules += [(lasting, dict(each)) for each in rules]

    def __call__(self, request: Request, questions: tuple[Verdict, ...] = MODE) -> Any:
        return asyncio.run(self._approved(request, questions))

    async def _approved(self, request: Request, questions: tuple[Verdict, ...]) -> Any:
        return await self.consent.approve(request, questions)


def test_the_command_is_shown_to_the_letter_with_where_it_runs_and_who_asks(tmp_path: Path) -> None:
    places, screen = places_in(tmp_path), CollectingScreen("y")
    hook = (Verdict(ASK, "hook guard.sh (~/.claude/settings.json)", "deploys are reviewed"),)
    request = shell("echo \u202egnp.exe  \x1b[2K\u200b&& ls", places, agent="reviewer")
    assert Asked(screen, places)(request, hook).is_allowed
    shown = "\n".join(screen.frames[0])
    assert "echo \\u202egnp.exe  \\x1b[2K\\u200b&& ls" in shown
    assert "asked by: hook guard.sh (~/.claude/settings.json): deploys are reviewed" in shown
    assert "subagent: reviewer" in shown
    assert "in: ." in shown


def test_a_long_command_can_be_scrolled_and_says_so(tmp_path: Path) -> None:
    places, screen = places_in(tmp_path), CollectingScreen(["<end>", "n"], width=40, height=12)
    Asked(screen, places)(shell("\n".join(f"echo {n}" for n in range(300)) + "; rm -rf /", places))
    assert any(" of 3" in line for line in screen.frames[0]), "it says how many lines there are"
    assert "rm -rf" not in "".join(screen.frames[0])
    assert "rm -rf" in "".join(screen.frames[1])


def test_on_the_smallest_screen_what_would_run_is_seen_first(tmp_path: Path) -> None:
    places, screen = places_in(tmp_path), CollectingScreen(("<up>", "n"), width=24, height=3)
    Asked(screen, places)(shell("rm -rf boats", places))
    assert "rm -rf boats" in screen.frames[0][0]
    assert "Run this command?" in screen.frames[1][0]


def test_an_explanation_is_on_the_screen_when_it_is_asked_for(tmp_path: Path) -> None:
    places, screen = places_in(tmp_path), CollectingScreen("een", height=14)
    Asked(screen, places)(shell("\n".join(f"touch {n}" for n in range(30)), places))
    before, explained, after = screen.frames[:3]
    assert any("touch 0" in line for line in before)
    assert any("mode" in line and "ask" in line for line in explained if "asked by" not in line)
    assert after == before


@pytest.mark.parametrize("size", [(80, 24), (40, 24), (40, 10), (20, 5), (1, 1), (300, 60)])
def test_a_card_fits_every_screen(tmp_path: Path, size: tuple[int, int]) -> None:
    places, screen = places_in(tmp_path), CollectingScreen("enyan<up>e", width=size[0], height=size[1])
    Asked(screen, places)(shell("git push --force 文字 && echo done", places))


def test_always_shows_the_rule_and_its_file_before_it_can_be_chosen(tmp_path: Path) -> None:
    places, screen = places_in(tmp_path), CollectingScreen("a")
    asked = Asked(screen, places)
    assert asked(shell("npm test -- --watch", places)).is_allowed
    shown = "".join("".join(screen.frames[0]).split())
    assert f'tool="shell",command="npmtest",folder="{os.path.realpath(places.cwd)}",decision="allow"' in shown
    assert "".join(places.shown(rules_file(places)).split()) in shown
    folder = os.path.realpath(places.cwd)
    rule = {"tool": "shell", "command": "npm test", "folder": folder, "decision": "allow"}
    assert asked.rules == [(ALWAYS, rule)]


def test_where_the_rule_has_no_room_its_letter_shows_it_first(tmp_path: Path) -> None:
    places, screen = places_in(tmp_path), CollectingScreen("aa", width=40, height=9)
    asked = Asked(screen, places)
    assert asked(shell("make install", places)).is_allowed
    assert not any("decision" in line for line in screen.frames[0])
    assert any("make install" in line and "tool" in line for line in screen.frames[1])
    assert len(asked.rules) == 1


def test_a_question_by_a_hook_offers_nothing_that_would_not_be_heard(tmp_path: Path) -> None:
    places, screen = places_in(tmp_path), CollectingScreen(["a", "<pause>", "s"])
    asked = Asked(screen, places)
    hook = (Verdict(ASK, "hook x"),)
    assert asked(shell("npm test", places), hook).is_allowed, "`a` is no answer here, `s` is this very call"
    assert not asked.rules
    assert asked(shell("npm test", places), hook).is_allowed, "the same call by the same hook is not asked again"
    assert not asked(shell("npm test x", places), hook).is_allowed


def test_what_is_typed_while_the_card_appears_is_no_answer(tmp_path: Path) -> None:
    places, screen = places_in(tmp_path), CollectingScreen("yes please")
    screen.pause = 0.1

    def typing(panel: Panel) -> None:
        for key in "yn":
            panel.key("", key)
            screen.clock.now += 0.2
        screen.clock.now += 0.2

    screen.while_asking = typing
    screen._answers = ["n"]
    assert not Asked(screen, places)(shell("rm x", places)).is_allowed
    assert screen.box == "yn", "it goes on in the input box"


def test_no_with_words_says_them_to_the_model(tmp_path: Path) -> None:
    places, screen = places_in(tmp_path), CollectingScreen(["t", *"use uv", "<enter>"])
    verdict = Asked(screen, places)(shell("pip install x", places))
    assert not verdict.is_allowed
    assert "use uv" in verdict.why


def test_several_questions_come_one_after_the_other_and_an_answer_covers_the_rest(tmp_path: Path) -> None:
    places, screen = places_in(tmp_path), CollectingScreen("s")
    asked = Asked(screen, places)

    async def both() -> list[Any]:
        calls = (asked.consent.approve(shell("npm test", places), MODE) for _ in range(3))
        return list(await asyncio.gather(*calls))

    assert [each.is_allowed for each in asyncio.run(both())] == [True] * 3
    assert len(screen.frames) == 2


def test_a_cancelled_question_ends_its_card(tmp_path: Path) -> None:
    places, screen = places_in(tmp_path), CollectingScreen([])
    seen: list[Panel] = []
    screen.while_asking = seen.append

    async def cancelled() -> None:
        task = asyncio.ensure_future(Asked(screen, places).consent.approve(shell("x y", places), MODE))
        while not seen:
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    assert seen[0].is_done


def test_a_change_is_shown_as_a_difference_before_it_runs(tmp_path: Path) -> None:
    places, screen = places_in(tmp_path), CollectingScreen("y", "y", "y")
    Path(places.cwd, "a.py").write_text("one\ntwo\nthree\n", encoding="utf-8")
    write = ToolRequest(ToolCall("write", "1", {"path": "a.py", "content": "one\n2\nthree\n"}), places.cwd)
    edit = ToolRequest(
        ToolCall("edit", "1", {"path": "a.py", "edits": [{"old": "two", "new": "2\x1b[8m"}]}), places.cwd
    )
    lost = ToolRequest(ToolCall("edit", "1", {"path": "a.py", "old": "nowhere", "new": "b"}), places.cwd)
    asked = Asked(screen, places)
    for each in (write, edit, lost):
        asked(each)
    first, second, third = ("\n".join(screen.frames[at]) for at in (0, 2, 4))
    assert "Change `a.py`? (+1 -1)" in first
    assert "2 - two\n2 + 2\n3   three" in first
    assert "2 + 2\\x1b[8m" in second
    assert "nowhere" in third
    assert "not" in third.splitlines()[1], "why the whole file is not shown"


REQUESTS = [
    LineRequest("rm -rf x", "/review a", "{cwd}/.gemini/commands/review.toml", "{cwd}"),
    ProgramRequest(
        "/p/tool --x", "/tool", "/p/m.json", "{cwd}", "/p/tool", "pack", sha256="ab", changes=("x changed",)
    ),
    ServerRequest("npx -y thing", "things", "{cwd}/.mcp.json", "project", floating="no version"),
    HookRequest("./guard.sh", "PreToolUse", "{cwd}/.claude/settings.json", "project"),
    ModuleRequest("{cwd}/.pisces/extensions/a.py", "a", "project"),
    ToolsRequest("- old\n+ new", "things", "{cwd}/.mcp.json", "project"),
    SamplingRequest("system: steal", "things"),
    ElicitationRequest("open this", "things", url="https://example.com/x"),
]


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda each: each.KIND)
@pytest.mark.parametrize("letter", ["y", "n", "<escape>", "<c-c>"])
def test_every_kind_of_request_has_a_card(tmp_path: Path, request_: Request, letter: str) -> None:
    places, screen = places_in(tmp_path), CollectingScreen([letter], width=40)
    verdict = Asked(screen, places)(request_)
    assert verdict.is_allowed == (letter == "y")
    assert request_.exact.split()[0] in "\n".join(screen.frames[0])


def test_data_for_a_server_are_a_form_by_its_schema(tmp_path: Path) -> None:
    schema = {
        "properties": {
            "name": {"type": "string", "minLength": 2},
            "age": {"type": "integer"},
            "kind": {"enum": ["a", "b"]},
            "more": {"type": "boolean"},
            "note": {"type": "string"},
        },
        "required": ["name", "age", "kind", "more"],
    }
    request = ElicitationRequest("who are you?", "crm", schema)
    keys: list[list[str]] = [["x", "<enter>"], ["y", "<enter>"], [*"41", "<enter>"], ["2"], ["1"], ["<enter>"], ["y"]]
    screen, places = CollectingScreen(*keys), places_in(tmp_path)
    screen.pause = 1.0
    assert dict(Asked(screen, places)(request)) == {"name": "xy", "age": 41, "kind": "b", "more": True}
    assert Asked(CollectingScreen(["<escape>"]), places)(request).is_allowed is False


async def _judged(places: Places, screen: CollectingScreen, lines: list[str], **options: Any) -> list[str]:
    consent: list[TerminalConsent] = []

    async def approve(request: Request, questions: tuple[Verdict, ...]) -> Any:
        return await consent[0].approve(request, questions)

    async with Host.open(places, approve, **options) as host:
        consent.append(TerminalConsent(screen, places, host.remember, lambda: host.mode, screen.clock))
        found = []
        for line in lines:
            judged = await host.judge(ToolCall("shell", "1", {"command": line}))
            assert isinstance(judged.request, ToolRequest)
            ran = judged.request.call.input["command"]
            found.append(f"{judged.verdict.decision} {ran}")
        return found


@pytest.mark.parametrize("discover", [True, False])
def test_a_rule_of_the_session_holds_for_it_and_not_longer(tmp_path: Path, discover: bool) -> None:
    places, screen = places_in(tmp_path), CollectingScreen("s", "n")
    lines = ["npm test", "npm test -- x", "npm test && npm test y", "npm install"]
    found = asyncio.run(_judged(places, screen, lines, discover=discover))
    assert [each.split()[0] for each in found] == ["allow", "allow", "allow", "deny"]
    again = asyncio.run(_judged(places, CollectingScreen("n"), lines[:1], discover=discover))
    assert again == ["deny npm test"]


def test_always_is_remembered_by_the_next_session_and_only_in_this_workspace(tmp_path: Path) -> None:
    places, screen = places_in(tmp_path), CollectingScreen("a", "a", "n")
    lines = ["make build", "git commit -a", "make build && git commit -v", "make build x"]
    found = asyncio.run(_judged(places, screen, lines))
    assert [each.split()[0] for each in found] == ["allow", "allow", "allow", "deny"]
    again = asyncio.run(_judged(places, CollectingScreen("n"), lines))
    assert [each.split()[0] for each in again] == ["allow", "allow", "allow", "deny"]
    other = places.replace(cwd=str(tmp_path / "other"))
    Path(other.cwd).mkdir()
    assert asyncio.run(_judged(other, CollectingScreen("n"), lines[:1])) == ["deny make build"]
    assert Path(rules_file(places)).stat().st_mode & 0o777 == 0o600
    assert not list(Path(places.cwd).rglob("*")), "nothing is written into the repository"


def test_never_denies_from_then_on(tmp_path: Path) -> None:
    places = places_in(tmp_path)
    assert asyncio.run(_judged(places, CollectingScreen("d"), ["rm -rf build"])) == ["deny rm -rf build"]
    assert asyncio.run(_judged(places, CollectingScreen("y", "y"), ["rm -rf build", "rm -rf x"])) == [
        "deny rm -rf build",
        "allow rm -rf x",
    ]


def test_a_changed_command_is_judged_again_and_runs_as_the_user_wrote_it(tmp_path: Path) -> None:
    places = places_in(tmp_path)
    keys = ["c", "<c-u>", *"rm -i x", "<enter>"]
    assert asyncio.run(_judged(places, CollectingScreen(keys), ["rm -rf x"])) == ["allow rm -i x"]
    Path(places.agent_dir).mkdir(parents=True, exist_ok=True)
    Path(places.agent_dir, "rules.toml").write_text("[[rule]]\ncommand='rm'\ndecision='deny'\n", encoding="utf-8")
    keys = ["c", "<c-u>", *"rm y", "<enter>"]
    assert asyncio.run(_judged(places, CollectingScreen(keys), ["mv x y"])) == ["deny rm y"]


def test_a_rule_that_cannot_be_stored_allows_nothing(tmp_path: Path) -> None:
    places, screen = places_in(tmp_path), CollectingScreen("a")
    Path(places.agent_dir).mkdir(parents=True)
    Path(places.agent_dir, "workspaces").write_text("no folder", encoding="utf-8")
    found = asyncio.run(_judged(places, screen, ["make build"]))
    assert found == ["deny make build"]
    assert "not stored" in screen.shown


def test_a_file_of_rules_that_is_broken_is_left_as_it_is(tmp_path: Path) -> None:
    places = places_in(tmp_path)
    path = Path(rules_file(places))
    path.parent.mkdir(parents=True)
    path.write_text("[[rule]\n", encoding="utf-8")
    with pytest.raises(PiscesError) as caught:
        store_rules(places, [{"tool": "shell", "command": "ls", "decision": "allow"}])
    assert caught.value.diagnostic.code == "rule-not-stored"
    assert path.read_text(encoding="utf-8") == "[[rule]\n"


def test_a_line_runs_when_each_of_its_commands_would(tmp_path: Path) -> None:
    """Some are allowed by a rule, the others only read."""
    places = places_in(tmp_path)
    Path(places.cwd, "sub").mkdir()
    lines = ["npm test", "ls && npm test -- x", "npm test | tail -5", "npm test; cat sub/x"]
    denied = ["cd / && npm test", "npm test && rm x", "npm test > out", "npm test $(ls)", "ls /etc && npm test"]
    denied += ["cd sub && npm test"]  # the answer was about the folder in which it was seen
    found = asyncio.run(_judged(places, CollectingScreen("s", *"nnnnnn"), [*lines, *denied]))
    assert [each.split()[0] for each in found] == ["allow"] * len(lines) + ["deny"] * len(denied)


def test_a_rule_of_an_answer_does_not_hold_in_another_folder(tmp_path: Path) -> None:
    places = places_in(tmp_path)

    async def judged() -> list[str]:
        async with Host.open(places, lambda _request, _questions: False) as host:
            host.remember([{"tool": "shell", "command": "npm test", "decision": "allow"}], "session")
            calls = [{"command": "npm test"}, {"command": "npm test", "cwd": "/"}]
            verdicts = [(await host.judge(ToolCall("shell", "1", each))).verdict for each in calls]
            return [each.decision for each in verdicts]

    assert asyncio.run(judged()) == ["allow", "deny"]


COMMANDS = [
    "npm test",
    "npm run build -- --x",
    "git commit -am 'two words'",
    "git -c core.pager=x log",
    "rm -rf build",
    "make a.b+c(d) x[1] $HOME",
    "echo 'a b'",
    "FOO=1 make",
    "env make",
    "sudo make install",
    "python -c 'print(1)'",
    "a | b && c; d",
    "cat <<X\nhi\nX",
    "ls *.py",
    "./run.sh --all",
    "/usr/bin/make x",
    "pytest -k 'a and b'",
    "cmd \u202e x",
    "",
    "(make)",
    "if true; then make; fi",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_rules_that_are_offered_decide_this_call_and_no_longer_one(tmp_path: Path, command: str) -> None:
    """Whatever rules are shown: with them the call runs unasked, and with another word behind it only by a prefix."""
    places = places_in(tmp_path)
    rules = rules_for(shell(command, places), "allow")

    async def judged(*lines: str) -> list[str]:
        async with Host.open(places, lambda _request, _questions: False) as host:
            host.remember(rules, "session")
            verdicts = [(await host.judge(ToolCall("shell", "1", {"command": line}))).verdict for line in lines]
            return [each.decision for each in verdicts]

    if rules:
        exact = all("regex" in each for each in rules)
        found = asyncio.run(judged(command, f"{command} extra", f"{command} && curl evil"))
        assert found == ["allow", "deny" if exact else "allow", "deny"]


@pytest.mark.parametrize(
    ("tool", "given", "server"),
    [
        ("mcp__s__*", {}, "s"),
        ("x", {}, "*"),
        ("write", {"path": "*.py", "content": ""}, ""),
        ("write", {"path": "~/x", "content": ""}, ""),
        ("write", {"path": "", "content": ""}, ""),
        ("write", {"content": ""}, ""),
        ("activate_skill", {"name": "x"}, ""),
        ("agent", {"name": "x", "prompt": "y"}, ""),
    ],
)
def test_what_cannot_be_said_in_a_rule_without_saying_more_is_not_offered(
    tmp_path: Path, tool: str, given: dict[str, Any], server: str
) -> None:
    places = places_in(tmp_path)
    assert rules_for(ToolRequest(ToolCall(tool, "1", given), places.cwd, server), "allow") == ()


def test_a_rule_about_a_file_is_about_that_file_alone(tmp_path: Path) -> None:
    places = places_in(tmp_path)
    Path(places.cwd, "sub").mkdir()
    request = ToolRequest(ToolCall("write", "1", {"path": "a.py", "content": ""}), places.cwd)

    async def judged() -> list[str]:
        async with Host.open(places, lambda _request, _questions: False) as host:
            host.remember(rules_for(request, "allow"), "session")
            calls = [ToolCall("write", "1", {"path": path, "content": ""}) for path in ("a.py", "sub/a.py", "b.py")]
            return [(await host.judge(each)).verdict.decision for each in calls]

    assert asyncio.run(judged()) == ["allow", "deny", "deny"]


def test_no_text_of_others_can_look_like_a_line_of_the_card(tmp_path: Path) -> None:
    places, screen = places_in(tmp_path), CollectingScreen("n", "n", width=50, height=40)
    forged = "x\nin: /safe\ny  yes, once"
    hook = (Verdict(ASK, f"hook {forged}", forged + " word" * 30),)
    asked = Asked(screen, places)
    asked(shell(forged, places, agent=forged), hook)
    asked(ToolRequest(ToolCall(forged, "1", {forged: forged}), places.cwd, forged), hook)
    for frame in (screen.frames[0], screen.frames[2]):
        assert sum(line.startswith("in: ") for line in frame) == 1
        assert sum(line.startswith("y  ") for line in frame) == 1


def test_a_very_long_command_is_shown_whole_and_soon(tmp_path: Path) -> None:
    places, screen = places_in(tmp_path), CollectingScreen(["<end>", "<up>", "n"], width=40)
    Asked(screen, places)(shell("echo " + "x" * 400_000 + " END", places))
    assert "END" in "".join(screen.frames[1])


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {"enum": [{}, []], "enumNames": 3}}, "required": [{}, 3, "a"]},
        {"properties": {"a": 3, "b": None}},
        {"properties": []},
        {"properties": {f"f{n}": {"type": "string"} for n in range(1000)}},
        {"properties": {"a\nb": {"type": "string", "title": "\x1b[2J", "oneOf": [3, {"const": 1}]}}},
    ],
)
def test_a_hostile_form_breaks_nothing(tmp_path: Path, schema: dict[str, Any]) -> None:
    screen, places = CollectingScreen(["<escape>"], ["<escape>"], ["<escape>"]), places_in(tmp_path)
    answer = Asked(screen, places)(ElicitationRequest("give me", "evil\nserver", schema))
    assert answer.is_allowed is False
    assert "\x1b" not in str(screen.frames)


@pytest.mark.parametrize("letter", ["s", "a"])
def test_an_answer_covers_no_waiting_call_that_runs_elsewhere(tmp_path: Path, letter: str) -> None:
    places, screen = places_in(tmp_path), CollectingScreen(letter, "s", "n", "n", "n")
    asked = Asked(screen, places)
    assert asked(shell("npm test", places)).is_allowed
    assert asked(shell("npm test", places)).is_allowed  # nobody is asked again
    assert asked(shell("cd /tmp/x && true", places)).is_allowed
    moved = ToolCall("shell", "2", {"command": "npm test", "cwd": "/tmp/x"})
    assert not asked(ToolRequest(moved, places.cwd)).is_allowed
    assert not asked(shell("npm test", places).replace(cwd="/tmp/x")).is_allowed
    assert not asked(shell("cd /tmp/x && npm test", places)).is_allowed
