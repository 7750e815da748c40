"""A command line of a prompt file is allowed once, for the session, or never."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pisces.gates.judge import judge_now
from pisces.gates.lines import LineGates
from pisces.places import Places
from pisces.shapes.request import NEVER, NO, ONCE, SESSION, LineRequest, Request
from pisces.shapes.verdict import Verdict


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
