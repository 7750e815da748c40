"""What harnesses and formats say about themselves holds together: each look has a finder, each fact its harness."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pisces.discovery.capabilities import CAPABILITIES
from pisces.discovery.harness import FinderOptions, Harness, Run, Where, all_harnesses, finder_named
from pisces.discovery.options import SkillFolders
from pisces.discovery.package_format import PackageFormat, all_formats
from pisces.places import Places
from tests.conformance.workspaces.claude import Claude
from tests.conformance.workspaces.codex import Codex
from tests.conformance.workspaces.gemini import Gemini
from tests.conformance.workspaces.opencode import OpenCode

TABLES: list[Harness | PackageFormat] = [*all_harnesses(), *all_formats()]


def every_options(options: FinderOptions) -> Iterator[FinderOptions]:
    """The options themselves, and those that they hand on to other finders."""
    yield options
    for field in options.__fields__:
        value = getattr(options, field)
        if isinstance(value, FinderOptions):
            yield from every_options(value)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{type(table).__name__} {table.id}")
def test_each_look_names_a_finder_and_a_capability(table: Harness | PackageFormat) -> None:
    assert table.looks.keys() <= {each.id for each in CAPABILITIES}
    for looks in table.looks.values():
        for options in [each for look in looks() for each in every_options(look.options)]:
            assert callable(finder_named(options.FINDER))
            assert not options.INLINE or callable(finder_named(options.FINDER, options.INLINE))


def test_a_typing_mistake_in_an_option_is_seen_by_the_type_checker(tmp_path: Path) -> None:
    """Strict mypy would complain about each `type: ignore` that is not needed."""
    with pytest.raises(TypeError, match="nedes"):
        SkillFolders(nedes=("name",))  # type: ignore[call-arg]
    places = Places(str(tmp_path), str(tmp_path))
    where = Where(places, Run(), "skills", "pi", "pi").given(SkillFolders(depth=2), "")
    assert where.options.depth == 2
    with pytest.raises(AttributeError):
        where.options.dept  # type: ignore[attr-defined]  # noqa: B018
    SkillFolders(depth="2")  # type: ignore[arg-type]
    SkillFolders(name_from="headers")  # type: ignore[arg-type]


def test_each_harness_says_how_it_was_verified() -> None:
    assert [each.id for each in all_harnesses() if not each.verified] == []


def test_each_format_belongs_to_a_harness_that_knows_its_manifest() -> None:
    manifests = {each.id: each.manifests for each in all_harnesses()}
    unknown = [each.id for each in all_formats() if each.manifest not in manifests[each.harness]]
    # `package.json` and `SKILL.md` are found in packages of every kind, and a folder of skills has no manifest.
    assert unknown == ["pi-package", "skill", "skills-folder"]


def test_what_is_said_to_be_compared_by_running_is_compared() -> None:
    oracles = {"gemini": Gemini.kinds, "claude": Claude.kinds, "codex": Codex.kinds, "opencode": OpenCode.kinds}
    said = {each.id: each.was_run for each in all_harnesses() if each.was_run}
    assert {name: set(said[name]) for name in oracles} == {name: set(each) for name, each in oracles.items()}
    assert said.keys() - oracles.keys() == {"pi", "omp"}  # their modules run in tests/modules
