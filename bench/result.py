"""One line of the report: what was compared, by how much, and whether that is the goal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from bench.measure import Cost, ratio, typical

_UNITS = {"cpu": "ms CPU", "wall": "ms", "memory": "MB"}
_HEADINGS = ("what", "against", "theirs", "pisces", "ratio", "goal", "verdict")


@dataclass(frozen=True)
class Result:
    """`ratio` is pisces to the other where the goal is `at_most`, the other to pisces where it is `at_least`."""

    what: str
    against: str
    theirs: float
    ours: float
    unit: str
    ratio: float
    at_most: float | None = None
    at_least: float | None = None

    @property
    def is_met(self) -> bool:
        return (self.at_most is None or self.ratio <= self.at_most) and self.ratio >= (self.at_least or 0)

    def as_json(self) -> dict[str, object]:
        return {**asdict(self), "met": self.is_met}

    def cells(self) -> tuple[str, ...]:
        goal = f"<= {self.at_most:g}" if self.at_most is not None else f">= {self.at_least:g}"
        sides = [f"{value:.1f} {_UNITS[self.unit]}" if value else "" for value in (self.theirs, self.ours)]
        return (self.what, self.against, *sides, f"{self.ratio:.2f}", goal, "ok" if self.is_met else "over")


@dataclass(frozen=True)
class Skipped:
    what: str
    why: str


@dataclass(frozen=True)
class Broken:
    """A comparison that ended with an error: nothing is known, and that is a fault."""

    what: str
    why: str


Outcome = Result | Skipped | Broken


def at_most(limit: float, names: tuple[str, str], ours: Sequence[Cost], floor: Sequence[Cost]) -> Result:
    """pisces costs at most so many times the CPU of the floor. `names`: what, against what."""
    return Result(*names, typical(floor, "cpu"), typical(ours, "cpu"), "cpu", ratio(ours, floor, "cpu"), at_most=limit)


def at_least(limit: float, names: tuple[str, str], unit: str, ours: Sequence[Cost], peer: Sequence[Cost]) -> Result:
    """The peer costs at least so many times what pisces does."""
    return Result(*names, typical(peer, unit), typical(ours, unit), unit, ratio(peer, ours, unit), at_least=limit)


def lines_of(outcomes: Sequence[Outcome]) -> list[str]:
    """An aligned table, then a line for each comparison that could not be made."""
    rows = [_HEADINGS, *(each.cells() for each in outcomes if isinstance(each, Result))]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    table = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    others = [each for each in outcomes if not isinstance(each, Result)]
    return table + [f"{type(each).__name__.lower()}: {each.what}: {each.why}" for each in others]
