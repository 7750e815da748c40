"""A program runs as the very file that somebody agreed to, and as nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pisces.gates.approvals import approvals_in
from pisces.gates.content import content_hash, identity_of
from pisces.gates.judge import judge_now
from pisces.gates.programs import AUTHOR, ProgramGates
from pisces.places import Places
from pisces.shapes.request import NEVER, NO, ONCE, ProgramRequest, Request
from pisces.shapes.verdict import Verdict


class Person:
    """Answers what it is told to, and remembers what it was asked."""

    def __init__(self, answer: str) -> None:
        self.answer = answer
        self.asked: list[str] = []

    def __call__(self, about: str) -> str:
        self.asked.append(about)
        return self.answer


def program_gate(trusting: Person, confirming: Person, places: Places) -> Callable[[Request], Verdict]:
    """`trusting` is asked whether this file may ever run, `confirming` whether it may run now."""
    programs = ProgramGates(places)

    def confirm(asked: Request, questions: tuple[Verdict, ...]) -> Verdict:
        assert isinstance(asked, ProgramRequest)
        for question in questions:
            answer = (confirming if question.who == AUTHOR else trusting)(question.why)
            verdict = programs.answered(asked, question, answer)
            if not verdict.is_allowed:
                break
        return verdict

    return lambda asked: judge_now(asked, programs.gates, confirm).verdict


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "box" / "tool"
    path.parent.mkdir()
    path.write_text("#!/bin/sh\necho one\n")
    return path


def request(program: Path, **more: bool) -> ProgramRequest:
    identity = identity_of(os.stat(program))
    asked = ProgramRequest(str(program), "/tool", "m.json", "/", str(program), "box", identity)
    return asked.replace(**more)


def decided(program: Path, answer: str, confirm: str = ONCE, **more: bool) -> tuple[Verdict, list[str]]:
    home = program.parents[1] / "home"
    person, confirming = Person(answer), Person(confirm)
    gate = program_gate(person, confirming, Places(str(home), str(home)))
    return gate(request(program, **more)), person.asked + confirming.asked


def outcome(program: Path, answer: str, **more: bool) -> tuple[bool, list[str]]:
    verdict, asked = decided(program, answer, **more)  # type: ignore[arg-type]
    return verdict.is_allowed, asked


def test_a_program_is_asked_about_once_and_then_remembered(program: Path) -> None:
    assert outcome(program, ONCE) == (True, ["it never ran here before"])
    assert outcome(program, NO) == (True, [])


def test_a_program_that_changed_is_asked_about_again(program: Path) -> None:
    decided(program, ONCE)
    program.write_text("#!/bin/sh\necho two\n")
    verdict, asked = decided(program, NO)
    assert not verdict.is_allowed
    assert asked == ["it changed since you allowed it"]


def test_a_program_that_was_only_touched_is_not(program: Path) -> None:
    decided(program, ONCE)
    os.utime(program, (1, 1))
    assert outcome(program, NO) == (True, [])


def test_a_refusal_names_the_hash_to_accept_and_is_not_remembered(program: Path) -> None:
    verdict, _ = decided(program, NO)
    assert f"sha256:{content_hash(str(program))}" in verdict.hint
    assert decided(program, ONCE)[1] == ["it never ran here before"]


@pytest.mark.parametrize("answer", [NO, NEVER, "", "what?"])
def test_whatever_is_no_yes_is_a_no(program: Path, answer: str) -> None:
    assert not decided(program, answer)[0].is_allowed
    assert decided(program, NO)[1] == ["it never ran here before"]


def test_a_file_swapped_after_it_was_opened_is_refused(program: Path) -> None:
    asked = request(program)
    other = program.with_name("other")
    other.write_text("#!/bin/sh\necho swapped\n")
    os.replace(other, program)
    home = program.parents[1] / "home"
    verdict = program_gate(Person(ONCE), Person(ONCE), Places(str(home), str(home)))(asked)
    assert verdict.why == "it changed while it was being checked"


def test_a_package_named_for_this_run_is_trusted_but_still_asks_where_its_author_wants_it(program: Path) -> None:
    assert outcome(program, NO, is_named=True) == (True, [])
    gate_asked = Person(NO)
    home = program.parents[1] / "home"
    gate = program_gate(Person(NO), gate_asked, Places(str(home), str(home)))
    refused = gate(request(program, is_named=True, confirm=True))
    assert (refused.is_allowed, refused.why) == (False, "it was not confirmed")
    assert gate_asked.asked == ["it wants every call confirmed"]


def test_a_broken_file_of_approvals_means_asking_again(program: Path) -> None:
    decided(program, ONCE)
    home = program.parents[1] / "home"
    places = Places(str(home), str(home))
    kept = Path(places.agent_dir) / "approvals.json"
    assert kept.stat().st_mode & 0o777 == 0o600
    for broken in ("{", "[]", '{"programs": 5, "never": {}}', '{"programs": {"x": {"sha256": 5}}, "never": [1]}'):
        kept.write_text(broken)
        assert not approvals_in(places).programs
        assert not approvals_in(places).never
    assert decided(program, NO)[1] == ["it never ran here before"]


def test_two_that_remember_at_once_do_not_undo_each_other(tmp_path: Path) -> None:
    home = str(tmp_path)
    lines = [f"line {number}" for number in range(8)]
    script = "import sys; from pisces.gates.approvals import *; from pisces.places import Places; " + (
        "remember_never(Places(sys.argv[1], sys.argv[1]), sys.argv[2])"
    )
    started = [subprocess.Popen([sys.executable, "-c", script, home, line]) for line in lines]
    assert [each.wait(timeout=30) for each in started] == [0] * len(lines)
    assert approvals_in(Places(home, home)).never == set(lines)
