"""What a page shows: everything found, with its state in each harness, and what acts by itself. Nothing is run for it.

A file is one row, however many harnesses read it. What pisces itself would run, the union, is a column like the others
and stands for the harness of pisces's own folders.
"""

from __future__ import annotations

import os

from pisces.discovery.capabilities import CAPABILITIES
from pisces.discovery.harness import Harness
from pisces.discovery.presence import is_set_up
from pisces.discovery.registry import Switches, discover, harnesses_for
from pisces.discovery.standing import refusals, standing
from pisces.discovery.state import ACTIVE
from pisces.scanning.acting import Acting, what_acts
from pisces.ui.titles import title_of
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pisces.diagnostics import Diagnostic
    from pisces.discovery.capability import Capability
    from pisces.discovery.found import Candidate, Found
    from pisces.discovery.harness import Run
    from pisces.places import Places

UNION = "pisces"


class Column(Value):
    """A harness on the page. `number` names it in the markup; `is_set_up` is None for a convention and for pisces."""

    number: int
    label: str
    verified: str
    is_set_up: bool | None
    candidates: dict[str, tuple[Candidate, ...]]
    problems: int = 0


class Row(Value):
    """An item, and what becomes of it in each column that finds it."""

    kind: Capability
    found: Found
    title: str
    stands: tuple[tuple[Column, Candidate], ...]

    @property
    def path(self) -> str:
        return _path(self.kind, self.found)

    @property
    def is_loaded(self) -> bool:
        return any(each.state == ACTIVE for _, each in self.stands)


class Survey(Value):
    """`rows` has those of each kind, in the order of `CAPABILITIES`, kinds without any left out."""

    places: Places
    columns: tuple[Column, ...]
    rows: tuple[tuple[Capability, tuple[Row, ...]], ...]
    acting: tuple[Acting, ...]
    problems: tuple[Diagnostic, ...]


def survey(places: Places, switches: Switches, run: Run, kinds: Iterable[Capability] = CAPABILITIES) -> Survey:
    """Reads everything once."""
    harnesses = [each for each in harnesses_for(places, switches, run) if switches.wants(each.id)]
    problems: dict[str, list[Diagnostic]] = {each.id: [] for each in harnesses}
    united: dict[str, tuple[Candidate, ...]] = {}
    for kind in kinds:
        for harness in harnesses:
            stand = standing(harness, kind, places, run)
            problems[harness.id] += (*stand.diagnostics, *refusals(stand))
        united[kind.id] = discover(kind, places, switches, run=run).all
    columns = [_column(number, each, places, run, problems[each.id]) for number, each in enumerate(harnesses, 1)]
    own = [each.user_path(places) == places.agent_dir for each in harnesses]
    others = [column for column, is_own in zip(columns, own, strict=True) if not is_own and _says(column)]
    shown = (
        *sorted(others, key=_rank),
        Column(0, UNION, "what pisces itself would run: the union of all", None, united),
    )
    acting = what_acts(harnesses, places, run)
    every = (*(each for some in problems.values() for each in some), *(each for one in acting for each in one.problems))
    rows = ((kind, _rows(kind, shown)) for kind in CAPABILITIES)
    found = tuple((kind, some) for kind, some in rows if some)
    return Survey(places, shown, found, tuple(acting), tuple(dict.fromkeys(every)))


def _column(number: int, harness: Harness, places: Places, run: Run, problems: Sequence[Diagnostic]) -> Column:
    candidates = {kind.id: standing(harness, kind, places, run).candidates for kind in CAPABILITIES}
    here = is_set_up(harness, places) if harness.is_program else None
    return Column(number, harness.label, harness.verified, here, candidates, len(dict.fromkeys(problems)))


def _says(column: Column) -> bool:
    """What is neither set up here nor finds anything says nothing."""
    return bool(column.is_set_up) or column.problems > 0 or any(column.candidates.values())


def _rank(column: Column) -> int:
    """Programs that are set up here, then others, then conventions."""
    return (True, False, None).index(column.is_set_up)


def _rows(kind: Capability, columns: Iterable[Column]) -> tuple[Row, ...]:
    """By name, then by path. The first of two names of one file counts."""
    real: dict[str, str] = {}
    stands: dict[object, dict[int, tuple[Column, Candidate]]] = {}
    for column in columns:
        seen: dict[object, int] = {}
        for candidate in column.candidates.get(kind.id, ()):
            identity = _identity(kind, candidate.found, real, seen)
            of_row = stands.setdefault(identity, {})
            before = of_row.get(column.number)
            if before is None or (before[1].state != ACTIVE and candidate.state == ACTIVE):
                of_row[column.number] = column, candidate
    rows = [_row(kind, list(each.values())) for each in stands.values()]
    return tuple(sorted(rows, key=lambda row: (row.title.lower(), row.path)))


def _identity(kind: Capability, found: Found, real: dict[str, str], seen: dict[object, int]) -> object:
    """Where the item is: the real file, the keys in it, and a number where a file has several without keys.

    The union finds a file once for each harness that reads it, so that the items of each are counted for themselves.
    """
    path = _path(kind, found)
    if path not in real:
        real[path] = os.path.realpath(path)
    place = real[path], tuple(getattr(found.item, "keys", ()))
    counted = found.source.harness, *place
    seen[counted] = seen.get(counted, 0) + 1
    return *place, seen[counted]


def _row(kind: Capability, stands: Sequence[tuple[Column, Candidate]]) -> Row:
    found = stands[0][1].found
    return Row(kind, found, title_of(kind.id, found.item), tuple(stands))


def _path(kind: Capability, found: Found) -> str:
    path: str = found.item.path if kind.id == "packages" else found.source.path
    return path
