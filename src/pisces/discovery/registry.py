"""Asks every harness for one capability and settles who wins: highest priority first, first seen wins.

Shadowed candidates are in the result, with the reason. A harness that breaks loses only its own results.
"""

from __future__ import annotations

from pisces.diagnostics import WARNING, Diagnostic, Rule
from pisces.discovery.found import ACTIVE, DISABLED, INVALID, SHADOWED, Candidate, Found, Kind, OfKind
from pisces.discovery.harness import Harness, Run, all_harnesses, search
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from pisces.discovery.capability import Capability
    from pisces.places import Places

PROVIDER_FAILED = Rule("provider-failed", WARNING, "A harness could not be searched")
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


def discover(
    capability: Capability[Kind],
    places: Places,
    switches: Switches = Switches(),  # noqa: B008  # a value, never changed
    *,
    harnesses: Sequence[Harness] | None = None,
    run: Run | None = None,
) -> Discovered[Kind]:
    """Every item of one capability in these places, who wins, and what is wrong."""
    run = run or Run()
    candidates: list[Candidate[Kind]] = []
    diagnostics: list[Diagnostic] = []
    contributed: list[str] = []
    taken: dict[Any, Found[Kind]] = {}
    chosen = run.once(("harnesses",), all_harnesses) if harnesses is None else harnesses
    for harness in sorted(chosen, key=lambda each: -each.priority):
        if not switches.wants(harness.id):
            continue
        for found in _asked(harness, capability, places, run):
            if isinstance(found, Diagnostic):
                diagnostics.append(found)
                continue
            if harness.id not in contributed:
                contributed.append(harness.id)
            candidates.append(_settled(found, capability, switches, taken))
    diagnostics.extend(_invalid(candidate) for candidate in candidates if candidate.state == INVALID)
    items = tuple(candidate.found for candidate in candidates if candidate.state == ACTIVE)
    return Discovered(capability, items, tuple(candidates), tuple(diagnostics), tuple(contributed))


def _asked(
    harness: Harness, capability: Capability[Kind], places: Places, run: Run
) -> Iterator[Found[Kind] | Diagnostic]:
    try:
        yield from list(search(harness, capability.id, places, run))
    except Exception as error:  # noqa: BLE001  # the border with a harness's finders: their bug must not hide the others
        yield PROVIDER_FAILED.at("", f"[{harness.label}] Failed to load: {error}", about=harness.id)


def _settled(
    found: Found[Kind], capability: Capability[Kind], switches: Switches, taken: dict[Any, Found[Kind]]
) -> Candidate[Kind]:
    key = _key(capability, found.item)
    winner = taken.get(key) if key is not None else None
    if switches.disabled_items and capability.is_in(switches.disabled_items, found.item):
        return Candidate(found, DISABLED, f"switched off as {capability.item_id(found.item)}", winner)
    if winner is not None:
        return Candidate(found, SHADOWED, _why_lost(found, winner), winner)
    if key is not None:
        taken[key] = found
    flaw = capability.flaw(found.item)
    return Candidate(found, INVALID if flaw else ACTIVE, flaw, None)


def _key(capability: Capability[Kind], item: Kind) -> Any:
    """As a JavaScript Set compares: type counts, and two lists are never the same."""
    if capability.key is None:
        return None
    name = capability.key(item)
    if isinstance(name, str):
        return name
    if isinstance(name, bool) or name is None:
        return repr(name), name
    if isinstance(name, int | float):
        return "number", name
    return "object", id(name)


def _why_lost(found: Found, winner: Found) -> str:
    if winner.source.harness == found.source.harness:
        return f"{winner.source.label} meets {winner.source.path} first"
    return f"{winner.source.label} comes before {found.source.label}"


def _invalid(candidate: Candidate) -> Diagnostic:
    source = candidate.found.source
    message = f"[{source.label}] Invalid item at {source.path}: {candidate.reason}"
    return ITEM_INVALID.at(source.path, message, about=str(getattr(candidate.found.item, "name", "")))
