"""Every skill, subagent and context file of the real extensions can be told to a model, within bounds."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pisces.discovery.capabilities import SKILLS, SUBAGENTS
from pisces.discovery.found import Candidate, Found
from pisces.discovery.inventory import Inventory, inspect
from pisces.discovery.state import ACTIVE
from pisces.instructions.activated_skill import MOST_RESOURCES, activated
from pisces.instructions.cost import Costs, costs
from pisces.instructions.skills import index_of
from pisces.instructions.subagents import subagent
from pisces.places import Places
from tests.conformance.corpus import unpack, why_missing

pytestmark = pytest.mark.skipif(bool(why_missing()), reason=why_missing())

TOOLS = ("Read", "Write", "Edit", "Bash", "Grep", "Glob")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    corpus = tmp_path_factory.mktemp("corpus")
    unpack(corpus)
    real, odd = corpus / "gemini-extensions" / "corpus", corpus / "synthetic" / "synthetic"
    return [each for folder in (real, odd) for each in sorted(folder.iterdir()) if each.is_dir()]


@pytest.fixture(scope="module")
def inventories(folders: list[Path], tmp_path_factory: pytest.TempPathFactory) -> list[Inventory]:
    home = str(tmp_path_factory.mktemp("home"))
    return [each for folder in folders for each in inspect(str(folder), Places(home, str(folder)))]


@pytest.fixture(scope="module")
def installed(folders: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Costs:
    """What all of them cost in one home."""
    home = tmp_path_factory.mktemp("home")
    (home / ".gemini" / "extensions").mkdir(parents=True)
    for folder in folders:
        shutil.copytree(folder, home / ".gemini" / "extensions" / folder.name, symlinks=True)
    workspace = tmp_path_factory.mktemp("work")
    return costs(Places(str(home), str(workspace)))


def _skills(inventories: list[Inventory]) -> Iterator[Found]:
    return (found for inventory in inventories for found in inventory.of(SKILLS))


def test_every_skill_is_activated_with_its_body(inventories: list[Inventory]) -> None:
    count = 0
    for found in _skills(inventories):
        skill = activated(found)
        text = Path(found.item.path).read_bytes().decode("utf-8", "replace")
        assert text.endswith(skill.body), found.item.path
        assert len(skill.resources) <= MOST_RESOURCES
        assert all((Path(skill.folder) / each).is_file() for each in skill.resources if each.isascii()), skill.resources
        assert skill.body.strip() in skill.text()
        count += 1
    assert count > 300


def test_the_index_has_a_line_for_each(inventories: list[Inventory]) -> None:
    for inventory in inventories:
        index = index_of([Candidate(found, ACTIVE) for found in inventory.of(SKILLS)])
        assert len(index.text.split("\n")) == (len(index.skills) + 1 if index.skills else 1)


def test_no_subagent_has_a_tool_that_its_parent_has_not(inventories: list[Inventory]) -> None:
    plans = [subagent(found, TOOLS) for inventory in inventories for found in inventory.of(SUBAGENTS)]
    assert len(plans) > 20
    assert not [plan for plan in plans if not {each.partition("(")[0] for each in plan.tools} <= {*TOOLS}]


def test_all_of_them_together_have_a_cost(installed: Costs) -> None:
    assert len(installed.items) > 500
    dear = [each for each in installed.items if each.kind == "context-files" and each.before]
    assert len(dear) > 60
    assert json.dumps([(each.before, each.after) for each in installed.items])
