"""What becomes of every item of one kind in one harness: its switches, its trust, its approvals, its own order.

Harnesses never compete with each other here: that is the registry's part, for pisces itself.
"""

from __future__ import annotations

from pisces.by_name import export_of
from pisces.diagnostics import ERROR, WARNING, Diagnostic, Rule
from pisces.discovery.found import Candidate, Found, Kind, OfKind
from pisces.discovery.harness import Harness, Run, search
from pisces.discovery.state import ACTIVE, INVALID, REFUSED, SHADOWED, Scene, State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from pisces.discovery.capability import Capability
    from pisces.discovery.state import StateOf
    from pisces.places import Places

PROVIDER_FAILED = Rule("provider-failed", WARNING, "A harness could not be searched")
HARNESS_REFUSES = Rule("harness-refuses", ERROR, "A program refuses a whole package or file, or does not start")


class Standing(OfKind[Kind]):
    """`candidates` are in the order of the harness, best first."""

    harness: Harness
    candidates: tuple[Candidate[Kind], ...]
    diagnostics: tuple[Diagnostic, ...]


def standing(harness: Harness, capability: Capability[Kind], places: Places, run: Run) -> Standing[Kind]:
    """Every item that this harness finds, with its state there. Read once in a run."""
    return run.once(("standing", harness.id, capability.id), lambda: _stand(harness, capability, places, run))


def standing_in_pisces(harness: Harness, capability: Capability[Kind], places: Places, run: Run) -> Standing[Kind]:
    """The same as far as it concerns pisces itself. States that do not are not read, which spares a listing a lot."""
    if capability.id not in harness.private_states:
        return standing(harness, capability, places, run)
    key = ("standing in pisces", harness.id, capability.id)
    return run.once(key, lambda: _settle(harness, capability, places, run, None))


def _stand(harness: Harness, capability: Capability[Kind], places: Places, run: Run) -> Standing[Kind]:
    loaded: list[StateOf] = []

    def state_of(kind: str, found: Found) -> State | None:
        if not loaded:  # a harness without an item of this kind is not asked
            scene = Scene(harness, harness.own_places(places), run)
            loaded.append(run.once(("states", harness.id), lambda: _states(scene)))
        return loaded[0](kind, found)

    return _settle(harness, capability, places, run, state_of if harness.states else None)


def _settle(
    harness: Harness, capability: Capability[Kind], places: Places, run: Run, state_of: StateOf | None
) -> Standing[Kind]:
    candidates: list[Candidate[Kind]] = []
    diagnostics: list[Diagnostic] = []
    taken: dict[Any, Found[Kind]] = {}
    if capability.id in harness.side_by_side:
        capability = capability.replace(key=None)
    for found in _asked(harness, capability, places, run):
        if isinstance(found, Diagnostic):
            diagnostics.append(found)
            continue
        held = found.held or (state_of(capability.id, found) if state_of else None)
        if held and held.name != ACTIVE:
            candidates.append(_held(found, held))
        else:
            candidates.append(_on_condition(settled(found, capability, taken), held))
    return Standing(harness, tuple(candidates), tuple(diagnostics))


def refusals(stand: Standing) -> Iterator[Diagnostic]:
    """Each package or file that a program refuses as a whole, or why it does not even start."""
    for candidate in stand.candidates:
        if candidate.state == REFUSED and candidate.held:
            held, source = candidate.held, candidate.found.source
            message = f"{stand.harness.label} refuses {source.path}: {held.reason}"
            place = (held.line, 1 if held.line else 0)
            yield HARNESS_REFUSES.at(held.path or source.path, message, place=place, hint=held.change)


def settled(found: Found[Kind], capability: Capability[Kind], taken: dict[Any, Found[Kind]]) -> Candidate[Kind]:
    """The state of an item that nothing holds back: the first of a name takes it."""
    key = key_of(capability, found.item)
    winner = taken.get(key) if key is not None else None
    if winner is not None:
        return Candidate(found, SHADOWED, _why_lost(found, winner), winner)
    if key is not None:
        taken[key] = found
    flaw = capability.flaw(found.item)
    return Candidate(found, INVALID if flaw else ACTIVE, flaw, None)


def key_of(capability: Capability[Kind], item: Kind) -> Any:
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


def _held(found: Found[Kind], held: State) -> Candidate[Kind]:
    return Candidate(found, held.name, held.reason, None, held)


def _on_condition(candidate: Candidate[Kind], condition: State | None) -> Candidate[Kind]:
    """An item that loads may have a reason too: when it does."""
    return candidate.replace(reason=condition.reason) if condition and candidate.state == ACTIVE else candidate


def _states(scene: Scene) -> StateOf:
    package, _, file = scene.harness.states.rpartition(".")
    found: StateOf = export_of(package, file, "states")(scene)
    return found


def _asked(
    harness: Harness, capability: Capability[Kind], places: Places, run: Run
) -> Sequence[Found[Kind] | Diagnostic]:
    if capability.id not in harness.private_states:
        return _searched(harness, capability, places, run)
    # a listing of every kind settles these twice, for pisces and for the harness
    return run.once(("asked", harness.id, capability.id), lambda: _searched(harness, capability, places, run))


def _searched(
    harness: Harness, capability: Capability[Kind], places: Places, run: Run
) -> Sequence[Found[Kind] | Diagnostic]:
    try:
        return list(search(harness, capability.id, places, run))
    except Exception as error:  # noqa: BLE001  # the border with a harness's finders: their bug must not hide the others
        return [PROVIDER_FAILED.at("", f"[{harness.label}] Failed to load: {error}", about=harness.id)]


def _why_lost(found: Found, winner: Found) -> str:
    if winner.source.harness == found.source.harness:
        return f"{winner.source.label} meets {winner.source.path} first"
    return f"{winner.source.label} comes before {found.source.label}"
