"""Asks every harness for one capability and settles who wins in pisces: highest priority first, first seen wins.

This is what pisces itself would run. An item that its harness does not load does not load here either, and one that a
harness has switched off does not come back through another harness that reads the same file. Losers are in the result,
with the reason. A harness that breaks loses only its own results.
"""

from __future__ import annotations

import os

from pisces.diagnostics import WARNING, Diagnostic, Rule
from pisces.discovery.found import PROJECT, Candidate, Found, Kind, OfKind
from pisces.discovery.harness import Harness, Run
from pisces.discovery.own_switches import own_switch
from pisces.discovery.presence import harnesses_here, is_set_up
from pisces.discovery.standing import Standing, key_of, settled, standing_in_pisces
from pisces.discovery.state import ACTIVE, INVALID, OFF, SHADOWED, UNTRUSTED, WAITING, State
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from pisces.discovery.capability import Capability
    from pisces.places import Places

_ACT_BY_THEMSELVES = ("mcp-servers", "hooks", "modules")

ITEM_INVALID = Rule("item-invalid", WARNING, "A found item lacks what its kind needs")


class Switches(Value):
    """What the user turned off: whole harnesses, single items by id (`skill:review`), or all but some harnesses."""

    disabled_harnesses: frozenset[str] = frozenset()
    disabled_items: frozenset[str] = frozenset()
    only_harnesses: frozenset[str] | None = None

    def wants(self, harness_id: str) -> bool:
        if harness_id in self.disabled_harnesses:
            return False
        return self.only_harnesses is None or harness_id in self.only_harnesses


class Discovered(OfKind[Kind]):
    """`items` are the winners; `all` has every candidate with its state; `harnesses` contributed something."""

    capability: Capability[Kind]
    items: tuple[Found[Kind], ...]
    all: tuple[Candidate[Kind], ...]
    diagnostics: tuple[Diagnostic, ...]
    harnesses: tuple[str, ...]

    @property
    def undecided(self) -> tuple[Found[Kind], ...]:
        """What only an open question of a harness holds back, one of a name: whoever asks that question may use it."""
        taken = {key_of(self.capability, found.item) for found in self.items}
        open_ones = {
            key_of(self.capability, each.found.item): each.found for each in reversed(self.all) if is_undecided(each)
        }
        return tuple(found for key, found in reversed(open_ones.items()) if key not in taken)


def discover(
    capability: Capability[Kind],
    places: Places,
    switches: Switches = Switches(),  # noqa: B008  # a value, never changed
    *,
    harnesses: Sequence[Harness] | None = None,
    run: Run | None = None,
) -> Discovered[Kind]:
    """Every item of one capability in these places, who wins, and what is wrong."""
    if harnesses is None:  # without a run nobody will ask for other kinds, which others may have
        harnesses = harnesses_for(places, switches, run) if run else _harnesses_with(capability.id, places, switches)
    run = run or Run()
    chosen = [each for each in sorted(harnesses, key=lambda each: -each.priority) if switches.wants(each.id)]
    stands = [standing_in_pisces(harness, capability, places, run) for harness in chosen]
    elsewhere = _Elsewhere(capability, stands, places)
    taken: dict[Any, Found[Kind]] = {}

    switched_off = _ids_of(capability, switches.disabled_items)

    def off(found: Found[Kind]) -> State | None:
        if not capability.is_in(switched_off, found.item):
            return None
        return own_switch(capability.item_ids(found.item), places, run)

    candidates = [
        _united(
            candidate,
            elsewhere.rules(candidate, each.harness) if elsewhere.said else None,
            capability,
            off(candidate.found) if switched_off else None,
            taken,
        )
        for each in stands
        for candidate in each.candidates
    ]
    diagnostics = [problem for each in stands for problem in each.diagnostics]
    diagnostics.extend(_invalid(candidate) for candidate in candidates if candidate.state == INVALID)
    items = tuple(candidate.found for candidate in candidates if candidate.state == ACTIVE)
    contributed = tuple(each.harness.id for each in stands if each.candidates)
    return Discovered(capability, items, tuple(candidates), tuple(diagnostics), contributed)


def harnesses_for(places: Places, switches: Switches, run: Run) -> list[Harness]:
    """Those that matter here, and those that are asked for by name."""
    asked_for = switches.only_harnesses or frozenset()
    return run.once(("harnesses", asked_for), lambda: harnesses_here(places, asked_for))


def _harnesses_with(kind: str, places: Places, switches: Switches) -> list[Harness]:
    return harnesses_here(places, switches.only_harnesses or frozenset(), kind)


def _ids_of(capability: Capability[Kind], ids: Iterable[str]) -> frozenset[str]:
    """Those of the ids that name items of this kind."""
    words = [word for word in (capability.singular.replace(" ", "-"), capability.also) if word]
    return frozenset(each for each in ids if each.partition(":")[0] in words)


def _united(
    candidate: Candidate[Kind],
    ruled: Candidate[Kind] | None,
    capability: Capability[Kind],
    off: State | None,
    taken: dict[Any, Found[Kind]],
) -> Candidate[Kind]:
    found = candidate.found
    if off:
        return Candidate(found, OFF, off.reason, taken.get(key_of(capability, found.item)), off)
    if ruled is not None:
        return ruled
    key = key_of(capability, found.item)
    as_there = candidate.held is None and candidate.state != SHADOWED
    if as_there and (key is None or taken.setdefault(key, found) is found):
        return candidate  # as in its own harness
    return settled(found, capability, taken)


class _Elsewhere:
    """What other harnesses say about the file of a candidate. Where `said` is empty there is nothing to ask."""

    def __init__(self, capability: Capability[Kind], stands: Sequence[Standing[Kind]], places: Places) -> None:
        self.capability, self.places = capability, places
        self.set_up: dict[str, bool] = {}
        self.real: dict[str, str] = {}
        bound = {self._key(each.found) for stand in stands for each in stand.candidates if _binds(each, capability)}
        self.said: dict[Any, list[tuple[Harness, Candidate]]] = {key: [] for key in bound}
        for stand in stands if bound else ():
            for candidate in stand.candidates:
                key = self._key(candidate.found)
                if key in bound:
                    self.said[key].append((stand.harness, candidate))

    def rules(self, candidate: Candidate[Kind], harness: Harness) -> Candidate[Kind] | None:
        """The candidate as it stands in pisces, if a harness has the last word on it."""
        if _binds(candidate, self.capability):
            return candidate
        said = self._of_the_same_file(candidate)
        held = [(other, each) for other, each in said if _binds(each, self.capability)]
        for other, each in held:
            if each.state == OFF:
                return candidate.replace(state=OFF, reason=f"off in {other.label}: {each.reason}", held=each.held)
        if held and len(held) == len(said) and not self._counts(harness):
            first = held[0][1]
            return candidate.replace(state=first.state, reason=first.reason, held=first.held)
        return None

    def _of_the_same_file(self, candidate: Candidate[Kind]) -> list[tuple[Harness, Candidate]]:
        """What harnesses that count say. Links are followed only where a name is met twice: that is slow."""
        same_name = self.said.get(self._key(candidate.found), [])
        counted = [each for each in same_name if each[1] is not candidate and self._counts(each[0])]
        if not counted:
            return []
        real = self._real(candidate.found.source.path)
        found = [each for each in counted if self._real(each[1].found.source.path) == real]
        return [*found, *(each for each in same_name if each[1] is candidate and self._counts(each[0]))]

    def _real(self, path: str) -> str:
        if path not in self.real:
            self.real[path] = os.path.realpath(path)
        return self.real[path]

    def _counts(self, harness: Harness) -> bool:
        """A harness that nobody has set up, and a convention, say nothing about what others load."""
        if harness.id not in self.set_up:
            self.set_up[harness.id] = harness.is_program and is_set_up(harness, self.places)
        return self.set_up[harness.id]

    def _key(self, found: Found) -> Any:
        key = key_of(self.capability, found.item)
        if key is not None:
            return key
        return found.package, os.path.basename(found.source.path), getattr(found.item, "keys", ())


def is_undecided(candidate: Candidate) -> bool:
    """Whether only an open question of a harness holds it back."""
    return candidate.state in (UNTRUSTED, WAITING) and candidate.held is not None and candidate.held.only_here


def _binds(candidate: Candidate, capability: Capability) -> bool:
    """Whether what holds it back in its harness holds in pisces as well.

    An open question of a harness is also one of ours, but only about what a project brings and what acts by itself.
    """
    if candidate.held is None:
        return False
    if is_undecided(candidate):
        return capability.id in _ACT_BY_THEMSELVES and candidate.found.source.level == PROJECT
    return not candidate.held.only_here


def _invalid(candidate: Candidate) -> Diagnostic:
    source = candidate.found.source
    message = f"[{source.label}] Invalid item at {source.path}: {candidate.reason}"
    return ITEM_INVALID.at(source.path, message, about=str(getattr(candidate.found.item, "name", "")))
