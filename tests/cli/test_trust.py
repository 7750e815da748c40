"""`pisces trust` shows what would run, asks, and says what changed: as a person, as a script, as a program uses it."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.discovery.world import written

if sys.platform == "win32":
    pytest.skip("terminals of POSIX", allow_module_level=True)

from tests.processes.person import Person
from tests.warm_shell import pisces as answer

MODULE = "def extension(pisces): ...\n"
PISCES = [sys.executable, "-m", "pisces"]


class Home:
    def __init__(self, folder: Path) -> None:
        self.folder, self.project = folder / "home", folder / "project"
        self.folder.mkdir()
        written(self.project / ".pisces/extensions/setup.py", f"from . import _rules\n{MODULE}")
        written(self.project / ".pisces/extensions/_rules.py", "WORD = 1\n")
        hooks = {
            "SessionStart": [{"hooks": [{"type": "command", "command": "sh tools/start.sh --token=abcdefghijkl"}]}]
        }
        written(self.project / ".claude/settings.json", {"hooks": hooks})
        written(self.project / "tools/start.sh", "echo hello\n")

    def pisces(self, *words: str) -> tuple[int, str]:
        env = {"HOME": str(self.folder), "PATH": os.environ["PATH"], "COLUMNS": "0"}
        done = answer(*words, cwd=self.project, env=env)
        return done.returncode, done.stdout + ("" if "json" in words else done.stderr)

    def json(self, *words: str) -> tuple[int, Any]:
        status, text = self.pisces(*words, "--output-format", "json")
        return status, json.loads(text)

    def running(self) -> set[str]:
        return {each["name"] for each in self.json("modules", "list")[1]["modules"] if each["state"] == "runs"}

    def at_terminal(self, *words: str) -> Person:
        return Person(["env", f"HOME={self.folder}", "COLUMNS=200", *PISCES, *words], self.project)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_without_a_terminal_nothing_is_trusted_and_the_hash_to_accept_is_named(home: Home) -> None:
    status, text = home.pisces("trust")
    assert (status, "trust-not-given" in text) == (1, True)
    assert home.running() == set()
    (accepted,) = set(re.findall(r"sha256:[0-9a-f]{64}", text))
    assert home.pisces("trust", "--accept", f"sha256:{'0' * 64}")[0] == 1
    assert home.running() == set()
    assert home.pisces("trust", "--accept", accepted)[0] == 0
    assert home.running() == {"setup", "_rules"}


def test_everything_that_would_run_is_shown_with_its_files_and_without_its_secrets(home: Home) -> None:
    text = home.pisces("trust")[1]
    for shown in (".pisces/extensions/setup.py", ".pisces/extensions/_rules.py", "SessionStart", "tools/start.sh"):
        assert shown in text
    assert "abcdefghijkl" not in text
    home.pisces("trust", "--yes")
    stored = (home.folder / ".pisces/agent/trusted.json").read_text()
    assert "abcdefghijkl" not in stored


def test_what_changed_is_shown_and_asked_again(home: Home) -> None:
    assert home.pisces("trust", "--yes")[0] == 0
    assert "nothing changed" in home.pisces("trust")[1]
    written(home.project / ".pisces/extensions/evil.py", MODULE)
    written(home.project / "tools/start.sh", "echo evil\n")
    assert home.running() == {"setup", "_rules"}
    status, text = home.pisces("trust")
    assert status == 1
    assert re.search(r"\+ module  \.pisces/extensions/evil\.py .* new", text)
    assert re.search(r"~ hook  SessionStart .* changed", text)
    assert "changed tools/start.sh" in text
    assert home.running() == {"setup", "_rules"}
    status, found = home.json("trust")
    assert (status, found["trusted"]) == (1, False)
    assert {each["name"]: each["state"] for each in found["covers"] if each["kind"] == "module"} == {
        ".pisces/extensions/_rules.py": "same",
        ".pisces/extensions/evil.py": "new",
        ".pisces/extensions/setup.py": "same",
    }
    assert home.pisces("trust", "--yes")[0] == 0
    assert home.running() == {"setup", "_rules", "evil"}


def test_what_is_gone_is_new_when_it_comes_back(home: Home) -> None:
    home.pisces("trust", "--yes")
    (home.project / ".pisces/extensions/setup.py").unlink()
    assert home.pisces("trust")[0] == 0
    written(home.project / ".pisces/extensions/setup.py", f"from . import _rules\n{MODULE}")
    assert home.running() == {"_rules"}


@pytest.mark.parametrize("option", ["--revoke", "--forget"])
def test_trust_is_taken_back(home: Home, option: str) -> None:
    home.pisces("trust", "--yes")
    assert [each["folder"] for each in home.json("trust", "--list")[1]["folders"]] == [str(home.project.resolve())]
    assert home.pisces("trust", option)[0] == 0
    assert home.json("trust", "--list")[1] == {"folders": []}
    assert home.running() == set()
    assert "not on the list" in home.pisces("trust", option)[1]


@pytest.mark.parametrize(("answer", "is_trusted"), [("y\r", True), ("yes\r", True), ("n\r", False), ("\r", False)])
def test_a_person_is_shown_it_and_asked(home: Home, answer: str, is_trusted: bool) -> None:
    with home.at_terminal("trust") as person:
        person.sees("sh tools/start.sh")
        person.sees("Trust all of it")
        person.types(answer)
        person.program.wait(timeout=20)
    assert home.running() == ({"setup", "_rules"} if is_trusted else set())


def test_what_was_typed_before_the_question_is_no_answer(home: Home) -> None:
    with home.at_terminal("trust") as person:
        person.types("y\r")
        person.sees("Trust all of it")
        person.types("n\r")
        person.program.wait(timeout=20)
    assert home.running() == set()


def test_what_changes_while_the_question_waits_is_not_trusted(home: Home) -> None:
    with home.at_terminal("trust") as person:
        person.sees("Trust all of it")
        written(home.project / ".pisces/extensions/_rules.py", "WORD = 'evil'\n")
        person.types("y\r")
        person.sees("trust-changed")
        person.program.wait(timeout=20)
    assert home.running() == set()


def test_a_folder_that_brings_nothing_needs_no_trust(home: Home, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    status, text = home.pisces("trust", str(tmp_path / "empty"))
    assert (status, "nothing to trust" in text) == (0, True)
    assert home.json("trust", "--list")[1] == {"folders": []}
