"""Asks every harness for one capability and settles who wins: highest priority first, first seen wins.

Losers are kept and say why. A harness that breaks loses only its own results. Nothing is global.
"""

from __future__ import annotations

from pisces.diagnostics import WARNING, Diagnostic, Rule
from pisces.discovery.found import ACTIVE, DISABLED, INVALID, SHADOWED, Candidate, Found
from pisces.discovery.harness import Run, all_harnesses, search
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from pisces.discovery.capability import Capability
    from pisces.discovery.harness import Harness
    from pisces.places import Places

PROVIDER_FAILED = Rule(
    "provider-failed",
    WARNING,
    "A provider failed while looking",
    "One harness's reader raised an error. Its results are missing; those of all others are complete.",
    "[Gemini CLI] Failed to load: ...",
    "Report it with the message: a reader must never raise for a bad file.",
)
ITEM_INVALID = Rule(
    "item-invalid",
    WARNING,
    "A found item lacks what its kind needs",
    "The item still holds its name, as the registry's rule is first seen wins, but it is not used.",
    '{"name": ""}',
    "Give the item the missing field, or remove the file.",
)


class Switches(Value):
    """What the user turned off: whole providers, single items by id (`skill:review`), or all but some providers."""

    disabled_providers: frozenset[str] = frozenset()
    disabled_items: frozenset[str] = frozenset()
    only_providers: frozenset[str] | None = None

    def wants(self, provider: str) -> bool:
        if provider in self.disabled_providers:
            return False
        return self.only_providers is None or provider in self.only_providers


class Discovered(Value):
    """`items` are the winners; `all` has every candidate with its state; `providers` contributed something."""

    capability: Capability
    items: tuple[Found, ...]
    all: tuple[Candidate, ...]
    diagnostics: tuple[Diagnostic, ...]
    providers: tuple[str, ...]


def discover(
    capability: Capability,
    places: Places,
    switches: Switches = Switches(),  # noqa: B008  # a value, never changed
    *,
    harnesses: Sequence[Harness] | None = None,
    run: Run | None = None,
) -> Discovered:
    """Every item of one capability in these places, who wins, and what was wrong on the way."""
    run = run or Run()
    candidates: list[Candidate] = []
    diagnostics: list[Diagnostic] = []
    providers: list[str] = []
    taken: dict[Any, Found] = {}
    chosen = run.once(("harnesses",), all_harnesses) if harnesses is None else harnesses
    for harness in sorted(chosen, key=lambda each: -each.priority):
        if not switches.wants(harness.id):
            continue
        for found in _asked(harness, capability, places, run):
            if isinstance(found, Diagnostic):
                diagnostics.append(found)
                continue
            if harness.id not in providers:
                providers.append(harness.id)
            candidates.append(_settled(found, capability, switches, taken))
    diagnostics.extend(_invalid(candidate) for candidate in candidates if candidate.state == INVALID)
    items = tuple(candidate.found for candidate in candidates if candidate.state == ACTIVE)
    return Discovered(capability, items, tuple(candidates), tuple(diagnostics), tuple(providers))


def _asked(harness: Harness, capability: Capability, places: Places, run: Run) -> Iterator[Found | Diagnostic]:
    try:
        yield from list(search(harness, capability.id, places, run))
    except Exception as error:  # noqa: BLE001  # the border with a provider: its bug must not hide the others
        yield PROVIDER_FAILED.at("", f"[{harness.label}] Failed to load: {error}", about=harness.id)


def _settled(found: Found, capability: Capability, switches: Switches, taken: dict[Any, Found]) -> Candidate:
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


def _key(capability: Capability, item: Any) -> Any:
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
    if winner.source.provider == found.source.provider:
        return f"{winner.source.label} meets {winner.source.path} first"
    return f"{winner.source.label} comes before {found.source.label}"


def _invalid(candidate: Candidate) -> Diagnostic:
    source = candidate.found.source
    message = f"[{source.label}] Invalid item at {source.path}: {candidate.reason}"
    return ITEM_INVALID.at(source.path, message, about=str(getattr(candidate.found.item, "name", "")))
