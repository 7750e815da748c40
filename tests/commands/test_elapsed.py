"""A silent program gets a line that says how long it has been running; it never stands in the way of output."""

from __future__ import annotations

import os

import pytest

from pisces.commands.programs.elapsed import Elapsed, duration
from pisces.processes.launch import Launch, Limits, never
from pisces.processes.run import run


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_it_appears_after_a_second_of_silence_and_goes_before_output() -> None:
    clock, drawn = Clock(), list[str]()
    elapsed = Elapsed(drawn.append, "/gallery", clock)
    look = elapsed.watching(never)
    sink = elapsed.before(lambda _name, chunk: drawn.append(chunk.decode()))
    for now in (100.5, 101.1, 101.4, 102.2):
        clock.now = now
        look()
    sink("out", b"line\n")
    look()
    assert drawn == ["/gallery is running, 1 s", "/gallery is running, 2 s", "", "line\n"]


def test_a_line_that_the_program_left_open_is_not_overwritten() -> None:
    clock, drawn = Clock(), list[str]()
    elapsed = Elapsed(drawn.append, "/gallery", clock)
    elapsed.before(lambda _name, _chunk: None)("out", b"Continue? ")
    clock.now += 9
    elapsed.watching(never)()
    assert drawn == []


@pytest.mark.parametrize(
    ("seconds", "shown"), [(0.9, "0 s"), (59.9, "59 s"), (60, "1 min 00 s"), (3725, "62 min 05 s")]
)
def test_durations_are_words(seconds: float, shown: str) -> None:
    assert duration(seconds) == shown


@pytest.mark.skipif(os.name != "posix", reason="sleep")
def test_a_real_program_that_is_silent_shows_it() -> None:
    drawn: list[str] = []
    elapsed = Elapsed(drawn.append, "/slow")
    launch = Launch(("sleep", "30"), "/", {"PATH": os.environ["PATH"]}, Limits(seconds=20))
    run(launch, elapsed.before(lambda _name, _chunk: None), elapsed.watching(lambda: bool(drawn)))
    elapsed.clear()
    assert drawn == ["/slow is running, 1 s", ""]
