"""Growth is one new file with one export of a fixed name, and every rule can explain itself."""

from __future__ import annotations

import importlib
import re
from collections import Counter
from pathlib import Path

import pytest

from pisces.by_name import export_of, folders_in, folders_with, names_in
from pisces.diagnostics import SEVERITIES, Rule
from pisces.discovery.harness import Harness, all_harnesses, finder_named
from pisces.discovery.package_format import PackageFormat, all_formats
from pisces.ui.rules import all_rules

HARNESSES = "pisces.harnesses"
FINDERS = "pisces.discovery.finders"
FORMATS = folders_with(HARNESSES, "formats")
COMMANDS = "pisces.cli"


@pytest.mark.parametrize("name", folders_in(HARNESSES))
def test_a_harness_folder_exports_its_harness(name: str) -> None:
    harness = export_of(HARNESSES, name, "HARNESS")
    assert isinstance(harness, Harness)
    assert harness.id.replace("-", "_") == name, "the folder is named for the id"
    assert harness.label
    assert harness.verified, "how and when its facts were compared with the program"


@pytest.mark.parametrize(
    ("folder", "name"),
    [(each, name) for each in (FINDERS, *folders_with(HARNESSES, "finders")) for name in names_in(each)],
)
def test_a_finder_file_exports_find(folder: str, name: str) -> None:
    assert callable(export_of(folder, name, "find"))


@pytest.mark.parametrize(("folder", "name"), [(each, name) for each in FORMATS for name in names_in(each)])
def test_a_package_format_file_exports_its_format(folder: str, name: str) -> None:
    form = export_of(folder, name, "FORMAT")
    assert isinstance(form, PackageFormat)
    assert form.id.replace("-", "_") == name, "the file is named for the id"
    assert form.label


@pytest.mark.parametrize("name", names_in(COMMANDS))
def test_a_shell_command_file_exports_its_command(name: str) -> None:
    assert export_of(COMMANDS, name, "COMMAND") is not None


def test_every_look_names_a_finder_that_exists() -> None:
    tables = [(each.id, each.looks) for each in all_harnesses()] + [(each.id, each.looks) for each in all_formats()]
    for name, table in tables:
        for look in (each for looks in table.values() for each in looks()):
            assert callable(finder_named(look.options.FINDER)), f"{name}: {look.options}"


def test_rule_codes_are_unique(package: Path) -> None:
    counted = Counter(rule.code for rule in _rules(package))
    assert [code for code, times in counted.items() if times > 1] == []


def test_rules_explain_themselves(package: Path) -> None:
    wrong = []
    for rule in _rules(package):
        if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", rule.code):
            wrong.append(f"{rule.code}: the code is not kebab-case")
        if rule.severity not in SEVERITIES:
            wrong.append(f"{rule.code}: unknown severity {rule.severity!r}")
        if rule.title.endswith("."):
            wrong.append(f"{rule.code}: the title ends with a period")
    for text in all_rules().values():  # test_docs checks that they are up to date
        empty = [field for field in ("title", "why", "example", "instead") if not getattr(text, field).strip()]
        wrong.extend(f"{text.code}: {field} is empty" for field in empty)
    assert not wrong, "\n".join(wrong)


def _rules(package: Path) -> list[Rule]:
    """Every rule constant there is; a constant that is imported elsewhere is the same one."""
    found: dict[int, Rule] = {}
    for file in sorted(package.rglob("*.py")):
        if {"templates", "adapters", "pydantic_ai.py"} & set(file.parts):
            continue  # packages for authors to change; what needs somebody's framework and has no rules
        parts = file.relative_to(package.parent).with_suffix("").parts
        module = importlib.import_module(".".join(parts).removesuffix(".__init__"))
        found.update({id(value): value for value in vars(module).values() if isinstance(value, Rule)})
    return list(found.values())
