"""What one harness makes of every item of a kind, in its own order."""

from __future__ import annotations

import os

from pisces.discovery.capabilities import capability_named
from pisces.discovery.found import Candidate
from pisces.discovery.harness import Run
from pisces.discovery.standing import standing
from pisces.places import Places
from tests.discovery.world import World


def stands(world: World, kind: str) -> list[Candidate]:
    places = Places(str(world.home), str(world.cwd), world.env)
    return list(standing(world.harness, capability_named(kind), places, Run()).candidates)


def states(world: World, kind: str) -> dict[str, str]:
    """State by name; hooks by command, context files by the name of their file."""
    return {_name(each): each.state for each in stands(world, kind)}


def reasons(world: World, kind: str) -> dict[str, str]:
    return {_name(each): each.reason for each in stands(world, kind)}


def switch_line(candidate: Candidate) -> str:
    """The line that decides, as it stands in its file."""
    assert candidate.held is not None
    with open(candidate.held.path, encoding="utf-8") as file:
        return file.read().splitlines()[candidate.held.line - 1].strip()


def _name(candidate: Candidate) -> str:
    item = candidate.found.item
    if hasattr(item, "event"):
        return str(item.command)
    return str(getattr(item, "name", "")) or os.path.basename(item.path)
