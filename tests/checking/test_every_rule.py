"""Every rule there is can be triggered: by a tree here, or by a test elsewhere that names its code."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.checking.check import check
from pisces.discovery.harness import Run, Where
from pisces.harnesses.gemini.enabled import reasons_against
from pisces.places import Places
from pisces.ui.rules import all_rules
from tests.checking.planting import plant
from tests.checking.trees import HOME_TREES, TREES, Tree, gemini

TESTS = Path(__file__).resolve().parents[1]


def codes(folder: Path, tree: Tree) -> set[str]:
    plant(folder / "box", tree)
    places = Places(str(folder / "home"), str(folder))
    return {diagnostic.code for diagnostic in check([str(folder / "box")], places).diagnostics}


@pytest.mark.parametrize("code", TREES)
def test_the_tree_of_a_rule_breaks_it(code: str, tmp_path: Path) -> None:
    assert code in codes(tmp_path, TREES[code])


@pytest.mark.parametrize("code", HOME_TREES)
def test_the_tree_of_a_rule_about_installed_packages_breaks_it(code: str, tmp_path: Path) -> None:
    plant(tmp_path / "home", HOME_TREES[code])
    places = Places(str(tmp_path / "home"), str(tmp_path))
    told = reasons_against(Where(places, Run(), "packages", "gemini", "Gemini CLI"))
    assert code in {diagnostic.code for diagnostic in told}


def test_every_rule_has_a_tree_or_a_test_that_names_it() -> None:
    every = [file for suffix in ("py", "md") for file in TESTS.rglob(f"*.{suffix}")]
    files = [file for file in every if file.relative_to(TESTS).parts[0] != "check"]
    elsewhere = "".join(file.read_text("utf-8") for file in files)
    untested = [code for code in all_rules() if code not in {**TREES, **HOME_TREES} and code not in elsewhere]
    assert not untested


def test_trees_are_of_rules_that_exist() -> None:
    assert not {*TREES, *HOME_TREES} - set(all_rules())


def test_an_extension_that_is_fine_has_no_findings(tmp_path: Path) -> None:
    assert codes(tmp_path, gemini({"commands/fix.toml": 'prompt = "Fix {{args}}"', "GEMINI.md": "Be kind."})) == set()
