"""What each harness makes of this workspace, kind by kind, and what pisces itself runs: the union of all of them."""

from __future__ import annotations

import os

from pisces.cli._switches import UNION
from pisces.diagnostics import ERROR
from pisces.discovery.capabilities import PACKAGES
from pisces.discovery.found import Candidate, Found, Source
from pisces.discovery.harness import Harness, Run
from pisces.discovery.presence import is_set_up
from pisces.discovery.registry import Discovered, Switches, discover, harnesses_for
from pisces.discovery.standing import standing
from pisces.discovery.state import INVALID, OFF, State
from pisces.shapes.rejected import Rejected
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pisces.diagnostics import Diagnostic
    from pisces.discovery.capability import Capability
    from pisces.places import Places

LEFT_OUT = "switched off as"  # by this call
PISCES = Harness(UNION, "pisces", 0, {}, verified="it is this program")


class Inquiry(Value):
    """The question: these kinds in these places. `left_out` are items that this call alone switches off, by id."""

    kinds: Sequence[Capability]
    places: Places
    switches: Switches
    left_out: frozenset[str]
    run: Run


class Stand(Value):
    """What becomes of every item of one kind in one harness, in its order; what it rejects comes last."""

    capability: Capability
    candidates: tuple[Candidate, ...]
    diagnostics: tuple[Diagnostic, ...]


class View(Value):
    """One harness and how each kind stands in it. A convention is no program, so nobody sets it up."""

    harness: Harness
    is_set_up: bool
    stands: tuple[Stand, ...]

    @property
    def is_absent(self) -> bool:
        """Whether it is a program that is not set up here: it loads nothing until somebody does."""
        return self.harness.is_program and not self.is_set_up


def views(asked: Inquiry) -> list[View]:
    """The harnesses that matter here, highest priority first. They do not compete with each other."""
    chosen = harnesses_for(asked.places, asked.switches, asked.run)
    return [_view(each, asked) for each in chosen if asked.switches.wants(each.id)]


def union(found: Sequence[Discovered]) -> View:
    """What pisces itself runs."""
    stands = (
        Stand(each.capability, with_rejected(each.all, each.diagnostics, each.capability, PISCES), ()) for each in found
    )
    return View(PISCES, is_set_up=True, stands=tuple(stands))


def united(asked: Inquiry) -> list[Discovered]:
    return [discover(kind, asked.places, asked.switches, run=asked.run) for kind in asked.kinds]


def in_views(chosen: Iterable[View]) -> Iterator[tuple[View, Capability, Candidate]]:
    """Every item in every harness: kind by kind, as people ask for them."""
    every = list(chosen)
    for at in range(len(every[0].stands) if every else 0):
        for view in every:
            stand = view.stands[at]
            yield from ((view, stand.capability, each) for each in stand.candidates)


def _view(harness: Harness, asked: Inquiry) -> View:
    stands = []
    for capability in asked.kinds:
        found = standing(harness, capability, asked.places, asked.run)
        candidates = with_rejected(found.candidates, found.diagnostics, capability, harness)
        if asked.left_out:
            candidates = tuple(_left_out(each, capability, asked.left_out) for each in candidates)
        stands.append(Stand(capability, candidates, found.diagnostics))
    return View(harness, _is_here(harness, asked.places), tuple(stands))


def _is_here(harness: Harness, places: Places) -> bool:
    """This program runs, so its own folders are set up whether or not the user has them yet."""
    return harness.label == PISCES.label or (harness.is_program and is_set_up(harness, places))


def _left_out(candidate: Candidate, capability: Capability, ids: frozenset[str]) -> Candidate:
    item = candidate.found.item
    if isinstance(item, Rejected) or not capability.is_in(ids, item):
        return candidate
    return candidate.replace(state=OFF, reason=f"{LEFT_OUT} {capability.item_id(item)}")


def with_rejected(
    candidates: tuple[Candidate, ...], diagnostics: Iterable[Diagnostic], capability: Capability, harness: Harness
) -> tuple[Candidate, ...]:
    """What is said about an item that was not found: that file is not one for this harness.

    A broken manifest is said of everything that its package may have; it is one package that does not load.
    """
    lost: dict[tuple[str, str], Diagnostic] = {}
    for each in diagnostics:
        is_of_package = _is_of_package(each)
        is_error = each.severity == ERROR and bool(each.about and each.path)
        if (is_error or is_of_package) if capability is PACKAGES else is_error and not is_of_package:
            lost.setdefault((each.about, each.path), each)
    if lost:
        paths = {path for _, path in lost}
        for found in [each.found for each in candidates if each.found.source.path in paths]:
            lost.pop((str(getattr(found.item, "name", "")), found.source.path), None)
    return (*candidates, *(_rejected(each, harness) for each in lost.values()))


def _is_of_package(wrong: Diagnostic) -> bool:
    """Whether it is about a whole package: a manifest in the folder that it names."""
    if not wrong.about or not wrong.path.endswith(".json"):
        return False
    folder = os.path.dirname(wrong.path)
    if os.path.basename(folder).startswith("."):  # `.claude-plugin` and its like
        folder = os.path.dirname(folder)
    return os.path.basename(folder) == wrong.about


def _rejected(wrong: Diagnostic, harness: Harness) -> Candidate:
    found = Found(Rejected(wrong.about, wrong.path), Source(harness.id, harness.label, wrong.path, ""))
    state = State(INVALID, wrong.message, wrong.path, wrong.line, wrong.hint)
    return Candidate(found, INVALID, wrong.message, None, state)
