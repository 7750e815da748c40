"""A lone file that is made for one harness makes that harness matter, in a project and at home."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pisces.discovery.harness import FinderOptions, Harness, all_harnesses
from pisces.discovery.options import ContextWalk, FirstFound, Upward
from pisces.discovery.presence import harnesses_here, matters
from pisces.places import Places
from tests.discovery.world import written

HARNESSES = all_harnesses()
# Continue reads it beside any code, and many projects have a file of that name that is no rule.
TOO_COMMON = frozenset(("rules.md", ".claude/CLAUDE.md"))  # the second is made for another harness


def below(base: str, options: FinderOptions) -> Iterator[str]:
    """Where a finder looks below a place."""
    if isinstance(options, ContextWalk):
        yield from (f"{base}/{name}".strip("/").removesuffix("/*") for name in options.names)
    elif isinstance(options, Upward):
        for inside in options.inside:
            yield from below(f"{base}/{inside}".strip("/"), options.then)
    elif base and not isinstance(options, FirstFound):  # that one looks below the folders of its harness
        yield base


def looked_at(harness: Harness, bases: dict[str, str]) -> set[str]:
    found: set[str] = set()
    for looks in harness.looks.values():
        for look in looks():
            base, _, rest = look.at.partition(":")
            if base in bases:
                found.update(below(f"{bases[base]}/{rest}".strip("/"), look.options))
    return found


def in_project(harness: Harness) -> set[str]:
    own = "" if harness.project_dir == "." else harness.project_dir
    return {place.replace("/*", "") for place in looked_at(harness, {"cwd": "", "": "", "project": own})}


def at_home(harness: Harness) -> set[str]:
    """Without what lies in the folder of another harness."""
    others = tuple(f"{each.user_dir.removeprefix('~/')}/" for each in HARNESSES if each is not harness)
    found = {place.replace("/*", "") for place in looked_at(harness, {"home": ""})}
    return {place for place in found if not f"{place}/".startswith(others)}


PROJECT, HOME = [{each.id: places(each) for each in HARNESSES} for places in (in_project, at_home)]


def its_own(harness: Harness, claims: dict[str, set[str]]) -> list[str]:
    """The places that no other harness looks at, nor below."""
    others = {place for name, places in claims.items() if name != harness.id for place in places}
    shared = [each for each in claims[harness.id] if any(f"{other}/".startswith(f"{each}/") for other in others)]
    return sorted(claims[harness.id] - set(shared) - TOO_COMMON)


def cases(claims: dict[str, set[str]]) -> list[tuple[Harness, str]]:
    return [(each, place) for each in HARNESSES if each.is_program for place in its_own(each, claims)]


def shown(value: object) -> str:
    return value.id if isinstance(value, Harness) else str(value)


@pytest.mark.parametrize(("harness", "place"), cases(PROJECT), ids=shown)
def test_a_lone_file_of_a_project_makes_its_harness_matter(harness: Harness, place: str, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    written(tmp_path / "work" / place, "x")
    places = Places(str(tmp_path / "home"), str(tmp_path / "work"), {})
    assert matters(harness, places)
    assert harness in harnesses_here(places)


@pytest.mark.parametrize(("harness", "place"), cases(HOME), ids=shown)
def test_a_lone_file_at_home_makes_its_harness_matter(harness: Harness, place: str, tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    written(tmp_path / "home" / place, "x")
    places = Places(str(tmp_path / "home"), str(tmp_path / "work"), {})
    assert matters(harness, places)
    assert harness in harnesses_here(places)


def test_there_are_such_places() -> None:
    assert len(cases(PROJECT)) > 80
    assert len(cases(HOME)) > 20


def test_a_shared_folder_speaks_for_nobody(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    written(tmp_path / "work" / ".agents" / "skills" / "s" / "SKILL.md", "x")
    found = harnesses_here(Places(str(tmp_path / "home"), str(tmp_path / "work"), {}))
    assert [each.id for each in found if each.is_program] == []
