"""`pisces audit` shows what was decided, filtered, as JSON and as it happens; commands write what they decide."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.warm_shell import pisces as answer

from pisces.audit.log import AuditLog, AuditOptions
from pisces.audit.record import HookRecord, LoadedRecord, ModeRecord, OffRecord, RanRecord
from pisces.shapes.events.tools import ToolCall
from pisces.shapes.request import ToolRequest
from pisces.shapes.verdict import ALLOW, ASK, DENY, Judged, Verdict

PISCES = [sys.executable, "-m", "pisces"]
MODULE = """
def extension(pisces):
    @pisces.tool(name="greet", description="says hello")
    def greet(name: str) -> str:
        return f"hello {name}"
"""


class Home:
    def __init__(self, folder: Path) -> None:
        self.folder, self.project = folder / "home", folder / "project"
        self.folder.mkdir()
        (self.project / ".git").mkdir(parents=True)
        self.path = self.folder / ".pisces" / "audit" / "log.jsonl"

    @property
    def env(self) -> dict[str, str]:
        return {**os.environ, "HOME": str(self.folder), "USERPROFILE": str(self.folder), "COLUMNS": "0"}

    def pisces(self, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
        return answer(*words, cwd=self.project, env={**self.env, **env})

    def log(self, session: str = "one") -> AuditLog:
        return AuditLog(str(self.path), AuditOptions(str(self.project), session))

    def records(self, *words: str) -> list[dict[str, Any]]:
        done = self.pisces("audit", *words, "--output-format", "json")
        assert done.returncode == 0, done.stderr
        found: list[dict[str, Any]] = json.loads(done.stdout)["records"]
        return found

    def package(self, name: str, version: str = "1.0.0") -> Path:
        folder = self.project / name
        folder.mkdir(exist_ok=True)
        (folder / "gemini-extension.json").write_text(json.dumps({"name": name, "version": version}))
        return folder


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@pytest.fixture
def told(home: Home) -> Home:
    """A log with a record of many kinds, of two sessions."""

    def call(tool: str, command: str, decision: str, who: str) -> Judged:
        request = ToolRequest(ToolCall(tool, "1", {"command": command}), str(home.project))
        return Judged(request, Verdict(decision, who, "because"), (Verdict(ALLOW, "rules"), Verdict(decision, who)))

    one, two = home.log("one"), home.log("two")
    one.write(LoadedRecord("module", "lint", "/x/lint.py", "user"))
    one.judged(call("bash", "ls", ALLOW, "user"))
    one.judged(call("bash", "rm -rf /", DENY, "guard"))
    two.judged(call("write", "x", ASK, "rules"))
    two.write(HookRecord("PreToolUse", "/x/settings.json", 12, "guard.sh", 2, 0.1, DENY, "no"))
    two.write(RanRecord("program", "/go", "go --fast", 0, "", 1.5))
    two.write(ModeRecord("edits", "ask", "user"))
    two.write(OffRecord("module", "lint", "safe mode"))
    return home


@pytest.mark.parametrize(
    ("words", "count"),
    [
        ((), 8),
        (("--what", "judged"), 3),
        (("--what", "judged", "--what", "hook"), 4),
        (("--decision", "deny"), 2),
        (("--decision", "deny", "--what", "judged"), 1),
        (("--who", "guard"), 1),
        (("--who", "rules"), 3),
        (("--tool", "bash"), 2),
        (("--session", "tw"), 5),
        (("--last", "3"), 3),
        (("--last", "0"), 8),
        (("--since", "1h"), 8),
        (("--since", "2999-01-01"), 0),
    ],
    ids=str,
)
def test_filters_choose(words: tuple[str, ...], count: int, told: Home) -> None:
    assert len(told.records(*words)) == count


def test_the_table_has_one_row_a_record(told: Home) -> None:
    lines = told.pisces("audit").stdout.splitlines()
    assert len(lines) == 8
    rest = [line[21:] for line in lines]
    assert rest[0] == "loaded                    module lint /x/lint.py"
    assert rest[2] == 'judged  guard      deny   tool bash {"command": "rm -rf /"} (because)'
    assert rest[4] == "hook               deny   PreToolUse /x/settings.json:12 exit 2 0.1 s no"
    assert rest[5] == "ran                       program /go go --fast exit 0 1.5 s"
    assert rest[6] == "mode    user              ask to edits"


@pytest.mark.parametrize("columns", [40, 60, 79])
def test_no_row_is_wider_than_the_terminal(columns: int, told: Home) -> None:
    told.log().write(RanRecord("program", "/go", "a word " * 100))
    lines = told.pisces("audit", COLUMNS=str(columns)).stdout.splitlines()
    assert max(map(len, lines)) <= columns
    assert any(line.endswith("…") for line in lines)


def test_colours_are_for_terminals(told: Home) -> None:
    assert "\x1b" not in told.pisces("audit").stdout
    assert "\x1b[31mdeny\x1b[0m" in told.pisces("audit", FORCE_COLOR="1").stdout


def test_escapes_of_a_record_are_shown_as_text(home: Home) -> None:
    home.log().write(RanRecord("program", "/go\x1b[2J", "a\nb\u202ec\x07"))
    for words in ((), ("--output-format", "json")):
        out = home.pisces("audit", *words).stdout
        assert all(char.isprintable() or char == "\n" for char in out)
    assert len(home.pisces("audit").stdout.splitlines()) == 1


def test_no_log_yet_is_said_and_fine(home: Home) -> None:
    done = home.pisces("audit")
    assert (done.returncode, done.stdout) == (0, "")
    assert "nothing yet is recorded in ~/.pisces/audit/log.jsonl" in done.stderr.replace("\\", "/")
    assert home.records() == []
    assert not home.path.exists(), "reading makes nothing"


def test_completion_knows_options_and_kinds(home: Home) -> None:
    def words(*typed: str) -> list[str]:
        return home.pisces("completion", "words", "--", *typed).stdout.split()

    assert words("aud") == ["audit"]
    assert {"--what", "--decision", "--follow", "--since", "--session"} <= set(words("audit", ""))
    assert words("audit", "--what", "ju") == ["judged"]
    assert words("audit", "--decision", "") == ["allow", "ask", "deny"]
    assert words("audit", "--session", "") == []


def test_a_log_that_is_off_is_said(home: Home) -> None:
    assert "PISCES_AUDIT=off" in home.pisces("audit", PISCES_AUDIT="off").stderr


def test_more_than_is_shown_is_said(told: Home) -> None:
    done = told.pisces("audit", "--last", "2")
    assert "the newest 2 of 8 records: --last 0 shows all" in done.stderr


@pytest.mark.parametrize(
    "words", [("--since", "soon"), ("--last", "many"), ("--since", "9" * 40 + "h"), ("--last", "9" * 9_000)]
)
def test_what_is_no_time_or_number_is_refused(words: tuple[str, str], told: Home) -> None:
    done = told.pisces("audit", *words)
    assert done.returncode == 1
    assert "hint:" in done.stderr
    assert "Traceback" not in done.stderr


def test_foreign_lines_are_said_and_the_rest_is_shown(told: Home) -> None:
    with told.path.open("a") as file:
        file.write("\x1b[2Jnot a record\n")
    done = told.pisces("audit")
    assert len(done.stdout.splitlines()) == 8
    assert "log.jsonl:9: warning [audit-line]" in done.stderr
    assert "\x1b" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C of POSIX")
@pytest.mark.parametrize("words", [(), ("--output-format", "json")])
def test_following_shows_what_comes_until_ctrl_c(words: tuple[str, ...], told: Home) -> None:
    following = subprocess.Popen(
        [*PISCES, "audit", "--follow", "--what", "ran", *words],
        cwd=told.project,
        env=told.env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    assert following.stdout is not None
    assert "/go" in following.stdout.readline()
    told.log().write(LoadedRecord("module", "other"))
    told.log().write(RanRecord("program", "/later"))
    line = following.stdout.readline()
    assert "/later" in line
    if words:
        assert json.loads(line)["name"] == "/later"
    following.send_signal(signal.SIGINT)
    _, errors = following.communicate(timeout=30)
    assert (following.returncode, errors) == (0, "")


def test_a_run_is_recorded_with_who_allowed_it(home: Home) -> None:
    commands = home.project / ".gemini" / "commands"
    commands.mkdir(parents=True)
    (commands / "who.toml").write_text("prompt = 'it is !{echo --token hunter2hunter2}'")
    assert home.pisces("run", "--yes", "/who").returncode == 0
    assert home.pisces("run", "/who").returncode == 1
    allowed, ran, denied = home.records()
    assert (allowed["what"], allowed["decision"], allowed["who"]) == ("judged", "allow", "--yes")
    assert allowed["text"] == "echo --token •••"
    assert (ran["what"], ran["name"]) == ("ran", "/who")
    assert (denied["decision"], denied["who"]) == ("deny", "nobody")
    assert allowed["workspace"] == str(home.project.resolve())


@pytest.mark.skipif(sys.platform == "win32", reason="programs with a first line")
@pytest.mark.parametrize("words", [(), ("--output-format", "json")])
def test_a_program_is_recorded_with_its_exit_and_its_time(words: tuple[str, ...], home: Home) -> None:
    box = home.package("box")
    (box / "go").write_text("#!/bin/sh\nexit 3\n")
    (box / "go").chmod(0o755)
    manifest = {
        "name": "box",
        "version": "1",
        "commands": {"go": {"type": "executable", "binary": "${extensionPath}/go"}},
    }
    (box / "gemini-extension.json").write_text(json.dumps(manifest))
    assert home.pisces("run", "--package", "box", *words, "/go", "--api-key=abcdefgh").returncode == 3
    judged, ran = home.records()
    assert (judged["kind"], judged["package"], judged["decision"]) == ("program", "box", "allow")
    assert (ran["what"], ran["exit"], ran["name"]) == ("ran", 3, "/go")
    assert ran["text"].endswith("go --api-key=•••")
    assert ran["seconds"] >= 0
    assert "abcdefgh" not in home.path.read_text()


def test_a_module_under_test_is_recorded_with_its_calls(home: Home) -> None:
    (home.project / "hello.py").write_text(MODULE)
    (home.project / "broken.py").write_text("raise RuntimeError('no')\n")
    home.pisces("modules", "test", "hello.py", "--tool", 'greet={"name": "Ada"}')
    home.pisces("modules", "test", "broken.py")
    loaded, judged, refused = home.records()
    assert (loaded["what"], loaded["kind"], loaded["name"]) == ("loaded", "module", "hello")
    assert (judged["name"], judged["text"], judged["who"]) == ("greet", '{"name": "Ada"}', "modules test")
    assert (refused["what"], refused["name"]) == ("refused", "broken")
    assert refused["code"]


def test_what_becomes_of_packages_is_recorded(home: Home) -> None:
    review = home.package("review")
    assert home.pisces("extensions", "install", "./review").returncode == 1
    (refused,) = home.records()
    assert (refused["kind"], refused["name"], refused["decision"]) == ("install", "review", "deny")
    digest = refused["text"]
    assert home.pisces("extensions", "install", "./review", "--accept", "sha256:no").returncode == 1
    assert home.pisces("extensions", "install", "./review", "--accept", digest).returncode == 0
    assert home.pisces("extensions", "disable", "review").returncode == 0
    home.package("review", "2.0.0")
    assert home.pisces("extensions", "update", "review").returncode == 1
    assert home.pisces("extensions", "uninstall", "review").returncode == 0
    assert review.exists()
    shown = [each.get("act") or each.get("decision") for each in home.records()]
    assert shown == ["deny", "deny", "allow", "installed", "disabled", "deny", "uninstalled"]
    installed = home.records()[3]
    assert (installed["version"], installed["sha256"]) == ("1.0.0", digest)


def test_trust_is_recorded_given_refused_and_taken_back(home: Home) -> None:
    module = home.project / ".pisces" / "extensions" / "one.py"
    module.parent.mkdir(parents=True)
    module.write_text(MODULE)
    home.pisces("trust")
    home.pisces("trust", "--yes")
    home.pisces("trust", "--revoke")
    refused, trusted, revoked = home.records()
    assert (refused["what"], refused["code"]) == ("refused", "trust-not-given")
    assert (trusted["act"], trusted["who"], trusted["sha256"][:7]) == ("trusted", "--yes", "sha256:")
    assert revoked["act"] == "revoked"


def test_listing_and_checking_record_nothing(home: Home) -> None:
    home.package("review")
    for words in (("list",), ("extensions", "list"), ("doctor",), ("check", "review"), ("trust", "--list")):
        home.pisces(*words)
    assert not home.path.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="links of POSIX")
def test_a_log_that_cannot_be_written_stops_nothing(home: Home) -> None:
    home.path.parent.mkdir(parents=True)
    home.path.symlink_to(home.folder / "victim")
    commands = home.project / ".gemini" / "commands"
    commands.mkdir(parents=True)
    (commands / "who.toml").write_text("prompt = 'it is !{echo me} and !{echo you}'")
    done = home.pisces("run", "--yes", "/who")
    assert (done.returncode, done.stdout) == (0, "it is me and you\n")
    assert done.stderr.count("[audit-not-written]") == 1
    assert not (home.folder / "victim").exists()


def test_a_project_cannot_switch_the_log_off(home: Home) -> None:
    commands = home.project / ".gemini" / "commands"
    commands.mkdir(parents=True)
    (commands / "who.toml").write_text("prompt = 'it is !{echo me}'")
    for name in (".env", ".gemini/.env", ".pisces/.env"):
        (home.project / name).parent.mkdir(exist_ok=True)
        (home.project / name).write_text("PISCES_AUDIT=off\nPI_CODING_AGENT_DIR=/tmp/elsewhere\n")
    settings = {"audit": "off", "env": {"PISCES_AUDIT": "off"}, "passEnv": ["PISCES_AUDIT"]}
    for name in (".pisces/settings.json", ".gemini/settings.json"):
        (home.project / name).write_text(json.dumps(settings))
    home.pisces("run", "--yes", "/who")
    assert [each["what"] for each in home.records()] == ["judged", "ran"]
