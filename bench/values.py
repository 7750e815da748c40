"""A `Value` beside a frozen dataclass with slots: compared, hashed, made and copied, in turns; the best of many."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from pathlib import Path
from timeit import Timer

from bench.result import Outcome, Result
from pisces.value import Value

TIMES = 5000  # for one measurement
MANY = 41  # measurements: one of them is not disturbed

FIELDS = ("a", "b", "c", "d", "e", "f", "g", "h")

# What is measured, the goal, and the code of both; theirs where it is another.
ACTS = (
    ("equal values", 2.0, "one == same", ""),
    ("values with another first field", 2.0, "one == first", ""),
    ("values with another last field", 2.0, "one != last", ""),
    ("the hash of a value", 2.0, "hash(one)", ""),
    ("a value made", 1.5, "Kind(*texts)", ""),
    ("a field read", 1.5, "one.h", ""),
    ("a copy with one field changed", 1.5, "one.replace(d='x')", "replace(one, d='x')"),
)


class Ours(Value):
    a: str
    b: str
    c: str
    d: str
    e: str
    f: str
    g: str
    h: str


@dataclasses.dataclass(frozen=True, slots=True)
class Theirs:
    a: str
    b: str
    c: str
    d: str
    e: str
    f: str
    g: str
    h: str


def compare(_folder: Path, rounds: int) -> Iterator[Outcome]:
    for what, goal, code, other in ACTS:
        timers = Timer(code, globals=_names(Ours)), Timer(other or code, globals=_names(Theirs))
        taken = [[timer.timeit(TIMES) * 1000 for timer in timers] for _ in range(max(rounds, MANY))]
        ours, theirs = (min(column) for column in zip(*taken, strict=True))
        names = f"{what}, {TIMES} times", "a frozen dataclass with slots"
        yield Result(*names, theirs, ours, "wall", ours / theirs, at_most=goal)


def _names(kind: Callable[..., object]) -> dict[str, object]:
    """Equal texts that are not the same objects, as when both values were read from files."""
    texts, again = ([f"{field}{number}" for number, field in enumerate(FIELDS)] for _ in range(2))
    values = {"one": kind(*texts), "same": kind(*again), "first": kind("", *again[1:]), "last": kind(*again[:-1], "")}
    return {**values, "Kind": kind, "texts": texts, "replace": dataclasses.replace}
