"""`pisces --help` and `pisces explain` against a bare start: they read an index and import no command."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bench.floors import bare_start
from bench.measure import Subject, in_turns, pisces
from bench.result import Outcome, at_most

HELP_LIMIT = 3
EXPLAIN_LIMIT = 4


def compare(folder: Path, rounds: int) -> Iterator[Outcome]:
    lines = {"--help": HELP_LIMIT, "extensions --help": HELP_LIMIT}
    lines |= {"explain": EXPLAIN_LIMIT, "explain agent-header": EXPLAIN_LIMIT}
    ours = [Subject(line, pisces(*line.split()), folder, folder) for line in lines]
    bare, *costs = in_turns([bare_start(folder, folder), *ours], rounds)
    for (line, limit), cost in zip(lines.items(), costs, strict=True):
        yield at_most(limit, (line, "python -c pass"), cost, bare)
