"""A command line of a prompt file is allowed once, for the session, or never."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from pisces.gates.judge import judge_now
from pisces.gates.lines import LineGates
from pisces.places import Places
from pisces.shapes.request import NEVER, NO, ONCE, SESSION, LineRequest, Request
from pisces.shapes.verdict import Verdict
from tests.discovery.world import written


def request(exact: str, cwd: str = "/shop") -> LineRequest:
    return LineRequest(exact, "/deploy", "deploy.toml", cwd)


class Person:
    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)


def line_gate(person: Person, places: Places) -> Callable[[Request], Verdict]:
    """A session with this person in front of it."""
    lines = LineGates(places)

    def confirm(asked: Request, _questions: tuple[Verdict, ...]) -> Verdict:
        assert isinstance(asked, LineRequest)
        return lines.answered(asked, person.answers.pop(0))

    return lambda asked: judge_now(asked, lines.gates, confirm).verdict


def test_once_asks_again_and_session_does_not(tmp_path: Path) -> None:
    person = Person(ONCE, SESSION)
    gate = line_gate(person, Places(str(tmp_path), str(tmp_path)))
    assert [gate(request("git diff")).is_allowed for _ in range(4)] == [True] * 4
    assert not person.answers


def test_what_is_allowed_for_the_session_is_that_very_line_in_that_very_folder(tmp_path: Path) -> None:
    person = Person(SESSION, NO, NO)
    gate = line_gate(person, Places(str(tmp_path), str(tmp_path)))
    lines = [request("ls"), request("ls"), request("ls "), request("ls", "/elsewhere")]
    assert [gate(each).is_allowed for each in lines] == [True, True, False, False]


def test_never_is_remembered_by_later_sessions(tmp_path: Path) -> None:
    places = Places(str(tmp_path), str(tmp_path))
    assert not line_gate(Person(NEVER), places)(request("rm -rf build")).is_allowed
    verdict = line_gate(Person(), places)(request("rm -rf build"))
    assert (verdict.is_allowed, verdict.why) == (False, "you said that it never runs")
    assert line_gate(Person(ONCE), places)(request("ls")).is_allowed


def test_a_new_session_asks_again(tmp_path: Path) -> None:
    places = Places(str(tmp_path), str(tmp_path))
    assert line_gate(Person(SESSION), places)(request("ls")).is_allowed
    assert not line_gate(Person(NO), places)(request("ls")).is_allowed


def test_a_prompt_file_without_lines_is_expanded_without_an_event_loop_and_without_reading_approvals(
    tmp_path: Path,
) -> None:
    written(tmp_path / ".gemini/commands/hello.toml", 'prompt = "Hello {{args}}"')
    script = """
import sys
from pisces.__main__ import main
sys.addaudithook(lambda name, given: name == "open" and "approvals.json" in str(given) and sys.exit("was read"))
status = main(["run", "/hello", "you"])
sys.exit(status or ("asyncio was loaded" if "asyncio" in sys.modules else 0))
"""
    env = {**os.environ, "HOME": str(tmp_path), "USERPROFILE": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "Hello you\n", "")
