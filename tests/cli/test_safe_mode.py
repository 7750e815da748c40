"""Safe mode: everything is found and listed, nothing of it runs, and only the user can end it."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.warm_shell import pisces as answer

import pisces
from pisces.diagnostics import PiscesError
from pisces.discovery.safe_mode import safe_state
from pisces.discovery.state import OFF
from pisces.gates.judge import Gate, judge_now
from pisces.gates.safe import safe_gate
from pisces.gates.trust import admitted
from pisces.gates.trusted import trust_in
from pisces.modules.entries import module_entries
from pisces.places import Places
from pisces.shapes.events.tools import ToolCall
from pisces.shapes.request import HookRequest, LineRequest, ModuleRequest, Request, ServerRequest, ToolRequest
from pisces.shapes.verdict import ALLOW, Verdict
from pisces.testing import scripted_session

MODULE = "import pathlib\npathlib.Path(r'{0}').touch()\ndef extension(pisces): ...\n"


class World:
    """A project that would leave a trace by everything that can run."""

    def __init__(self, folder: Path) -> None:
        self.home, self.project, self.trace = folder / "home", folder / "project", folder / "trace"
        self.home.mkdir()
        (self.project / ".git").mkdir(parents=True)
        self.write(".gemini/commands/line.toml", f"prompt = '!{{echo x > {self.trace}}}'")
        self.write(".gemini/commands/plain.toml", "prompt = 'only text'")
        self.write("m.py", MODULE.format(self.trace))
        self.write(".pisces/extensions/found.py", MODULE.format(self.trace))
        command = {"go": {"type": "executable", "binary": "${extensionPath}/go"}}
        self.write("box/gemini-extension.json", json.dumps({"name": "box", "version": "1", "commands": command}))
        self.write("box/go", f"#!/bin/sh\necho x > {self.trace}\n").chmod(0o755)

    def write(self, name: str, text: str) -> Path:
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def pisces(self, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
        usual = {**os.environ, "HOME": str(self.home), "USERPROFILE": str(self.home), "COLUMNS": "0"}
        return answer(*words, cwd=self.project, env={**usual, **env})

    def places(self, **env: str) -> Places:
        return Places(str(self.home), str(self.project), {"PATH": os.environ["PATH"], **env})


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


RUNNING = [
    ("run", "--yes", "/line"),
    ("run", "--yes", "/plain"),
    ("run", "--yes", "--package", "box", "/go"),
    ("modules", "test", "m.py"),
    ("modules", "test", ".pisces/extensions/found.py", "--event", "session_start"),
]


@pytest.mark.skipif(sys.platform == "win32", reason="programs with a first line")
@pytest.mark.parametrize("words", [words for words in RUNNING if "/plain" not in words], ids=" ".join)
def test_without_it_all_of_this_runs(words: tuple[str, ...], world: World) -> None:
    done = world.pisces(*words)
    assert world.trace.exists(), done.stderr


@pytest.mark.parametrize("words", RUNNING, ids=" ".join)
@pytest.mark.parametrize("how", ["variable", "before", "among"])
def test_nothing_runs(words: tuple[str, ...], how: str, world: World) -> None:
    if how == "variable":
        done = world.pisces(*words, PISCES_SAFE="1")
    else:
        at = 0 if how == "before" else 1 if words[0] == "run" else 2
        done = world.pisces(*words[:at], "--safe", *words[at:])
    assert done.returncode == 1
    assert "[safe-mode]" in done.stderr
    assert "PISCES_SAFE" in done.stderr
    assert not world.trace.exists()
    log = [json.loads(line) for line in (world.home / ".pisces/audit/log.jsonl").read_text().splitlines()]
    assert [(each["what"], each["who"]) for each in log] == [("off", "safe mode")]


@pytest.mark.parametrize("value", ["1", "true", "yes", "on", "please", " 1 "])
def test_any_value_that_is_no_clear_no_switches_it_on(value: str, world: World) -> None:
    assert world.places(PISCES_SAFE=value).is_safe


@pytest.mark.parametrize("value", ["", "0", "false", "No", "OFF"])
def test_a_clear_no_does_not(value: str, world: World) -> None:
    assert not world.places(PISCES_SAFE=value).is_safe
    assert safe_state(world.places(PISCES_SAFE=value)) is None


def test_no_file_of_a_project_switches_it_off(world: World) -> None:
    for name in (".env", ".gemini/.env", ".pisces/.env", "box/.env"):
        world.write(name, "PISCES_SAFE=0\n")
    settings = {"safe": False, "env": {"PISCES_SAFE": "0"}, "passEnv": ["PISCES_SAFE"]}
    for name in (".pisces/settings.json", ".gemini/settings.json", ".claude/settings.json"):
        world.write(name, json.dumps(settings))
    done = world.pisces("run", "--yes", "--env", "PISCES_SAFE", "/line", PISCES_SAFE="1")
    assert done.returncode == 1
    assert not world.trace.exists()


@pytest.mark.parametrize(
    "words",
    [
        ("list",),
        ("list", "commands"),
        ("extensions", "list"),
        ("commands", "list"),
        ("modules", "list"),
        ("doctor",),
        ("trust",),
    ],
    ids=" ".join,
)
def test_listings_still_list_and_say_that_it_is_on(words: tuple[str, ...], world: World) -> None:
    usual, safe = world.pisces(*words), world.pisces("--safe", *words)
    assert "[safe-mode-on]" in safe.stderr
    assert "[safe-mode-on]" not in usual.stderr
    if words[0] != "modules":
        assert safe.stdout == usual.stdout
    assert safe.returncode == usual.returncode


@pytest.mark.parametrize(
    "words", [("list",), ("extensions", "list"), ("commands", "list"), ("modules", "list"), ("doctor",)]
)
def test_json_says_it_too(words: tuple[str, ...], world: World) -> None:
    codes = {
        safe: [each["code"] for each in json.loads(done.stdout)["diagnostics"]]
        for safe in ("0", "1")
        for done in (world.pisces(*words, "--output-format", "json", PISCES_SAFE=safe),)
    }
    assert codes["1"].count("safe-mode-on") == 1
    assert "safe-mode-on" not in codes["0"]


def test_every_module_is_off(world: World) -> None:
    def states(places: Places) -> list[str]:
        found = module_entries(places, [str(world.project / "m.py")])
        return [entry.state for entry in admitted(found, trust_in(places), places).entries]

    assert len(states(world.places(PISCES_SAFE="1"))) == 2
    assert "runs" not in states(world.places(PISCES_SAFE="1"))
    assert states(world.places()).count("runs") == 1


def test_trust_covers_the_same_and_forgets_nothing(world: World) -> None:
    world.pisces("trust", "--yes")
    before = (world.home / ".pisces/agent/trusted.json").read_text()
    done = world.pisces("--safe", "trust", "--yes")
    assert "already trusted, and nothing changed: 1 thing" in done.stderr
    assert (world.home / ".pisces/agent/trusted.json").read_text() == before
    assert not world.trace.exists()


def test_what_is_installed_can_still_be_removed(world: World) -> None:
    card = world.pisces("extensions", "install", "./box").stderr
    digest = next(word for word in card.split() if word.startswith("sha256:"))
    assert world.pisces("--safe", "extensions", "install", "./box", "--accept", digest).returncode == 0
    assert world.pisces("--safe", "extensions", "uninstall", "box").returncode == 0


def test_from_python_no_command_line_runs(world: World) -> None:
    def allow(*_given: object) -> Verdict:
        return Verdict(ALLOW, "the program")

    with pytest.raises(PiscesError, match="safe mode is on"):
        pisces.expand("/line", world.places(PISCES_SAFE="1"), allow)
    assert not world.trace.exists()
    assert pisces.expand("/plain", world.places(PISCES_SAFE="1"), allow).text == "only text"


def test_from_python_no_module_runs_and_no_tool_is_called(world: World) -> None:
    async def called() -> str:
        places = world.places(PISCES_SAFE="1")
        async with pisces.Host.open(places, lambda *_: True, modules=[str(world.project / "m.py")], mode="all") as host:
            assert (dict(host.tools), host.mode) == ({}, "ask")
            assert "safe-mode-on" in [each.code for each in host.diagnostics]
            return (await host.call("bash", {})).text

    assert asyncio.run(called()) == "there is no tool `bash`"
    assert not world.trace.exists()


def test_a_test_of_a_module_says_why_it_does_not_run(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PISCES_SAFE", "1")
    with pytest.raises(PiscesError, match="safe mode is on"), scripted_session(str(world.project / "m.py")):
        raise AssertionError("it was opened")
    assert not world.trace.exists()


@pytest.mark.parametrize(
    "request_",
    [
        ToolRequest(ToolCall("bash", "1", {})),
        LineRequest("ls", "/x", "/x"),
        ModuleRequest("/m.py", "m", "user"),
        HookRequest("guard", "PreToolUse", "/s", "user"),
        ServerRequest("npx x", "x", "/s", "user"),
    ],
    ids=lambda each: each.KIND,
)
def test_the_gate_denies_every_kind_whoever_allows_it(request_: Request, world: World) -> None:
    always = Gate("yes", lambda _: Verdict(ALLOW))
    judged = judge_now(request_, (always, safe_gate(world.places(PISCES_SAFE="1"))))
    assert (judged.verdict.who, judged.verdict.is_allowed) == ("safe mode", False)
    assert judge_now(request_, (always, safe_gate(world.places()))).verdict.is_allowed


def test_a_host_gets_a_state(world: World) -> None:
    state = safe_state(world.places(PISCES_SAFE="1"))
    assert state is not None
    assert state.name == OFF
    assert "PISCES_SAFE" in state.change


def test_completion_and_help_know_it(world: World) -> None:
    assert world.pisces("completion", "words", "--", "--safe", "doc").stdout == "doctor\n"
    assert "--safe" in world.pisces("--help").stdout
    assert world.pisces("--safe", "--help").returncode == 0
    assert world.pisces("--safe", "no-such-command").returncode == 2
