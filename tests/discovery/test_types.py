"""Type checkers know what was found: `discover(SKILLS, places)` is `Discovered[Skill]`. It costs nothing to run."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from pisces.discovery.capability import Capability
from pisces.discovery.found import Candidate, Found
from pisces.discovery.registry import Discovered
from pisces.shapes.skill import Skill
from tests.typed_program import SOURCE, errors_in

RIGHT = """
from collections.abc import Mapping
from typing import Any, assert_type

from pisces.discovery.capabilities import (
    COMMANDS, CONTEXT_FILES, HOOKS, MCP_SERVERS, MODULES, PACKAGES, POLICIES, SETTINGS, SKILLS, SUBAGENTS, THEMES,
    capability_named,
)
from pisces.discovery.capability import Capability
from pisces.discovery.found import Candidate, Found
from pisces.discovery.harness import Where
from pisces.discovery.inventory import Inventory
from pisces.discovery.registry import Discovered, discover
from pisces.places import Places
from pisces.shapes.command import Command
from pisces.shapes.context_file import ContextFile
from pisces.shapes.hook import Hook
from pisces.shapes.mcp_server import McpServer
from pisces.shapes.module import Module
from pisces.shapes.package import Package
from pisces.shapes.policy import PolicyRule
from pisces.shapes.settings import PackageSetting, SettingsFile
from pisces.shapes.skill import Skill
from pisces.shapes.subagent import Subagent
from pisces.shapes.theme import Theme


def program(places: Places, where: Where, inventory: Inventory) -> None:
    assert_type(discover(PACKAGES, places).items[0].item, Package)
    assert_type(discover(MODULES, places).items[0].item, Module)
    assert_type(discover(COMMANDS, places).items[0].item, Command)
    assert_type(discover(SUBAGENTS, places).items[0].item, Subagent)
    assert_type(discover(MCP_SERVERS, places).items[0].item, McpServer)
    assert_type(discover(HOOKS, places).items[0].item, Hook)
    assert_type(discover(POLICIES, places).items[0].item, PolicyRule)
    assert_type(discover(CONTEXT_FILES, places).items[0].item, ContextFile)
    assert_type(discover(SETTINGS, places).items[0].item, SettingsFile | PackageSetting)
    assert_type(discover(THEMES, places).items[0].item, Theme)
    skills = discover(SKILLS, places)
    assert_type(skills, Discovered[Skill])
    assert_type(skills.capability, Capability[Skill])
    assert_type(skills.all, tuple[Candidate[Skill], ...])
    assert_type(skills.all[0].winner, Found[Skill] | None)
    assert_type(skills.items[0].replace(package="x"), Found[Skill])
    assert_type(where.found(skills.items[0].item), Found[Skill])
    assert_type(inventory.of(HOOKS), tuple[Found[Hook], ...])
    assert_type(discover(capability_named("skills"), places).items[0].item, Any)
    hook, skill = discover(HOOKS, places).items[0].item, skills.items[0].item
    assert_type((hook.condition, hook.once, hook.args), tuple[str, bool | None, tuple[str, ...] | None])
    assert_type((hook.seconds, hook.headers), tuple[float | None, Mapping[str, Any]])
    assert_type((skill.allowed_tools, skill.metadata), tuple[tuple[str, ...] | None, Mapping[str, Any]])
"""
WRONG = {
    "    discover(SKILLS, places).items[0].item.nonsense": '"Skill" has no attribute "nonsense"',
    "    discover(SKILLS, places).all[0].found.item.event": '"Skill" has no attribute "event"',
    "    discover(HOOKS, places).items[0].item.body_line": '"Hook" has no attribute "body_line"',
    "    discover(HOOKS, places).items[0].item.condition.nonsense": '"str" has no attribute "nonsense"',
    "    inventory.of(HOOKS)[0].item.nonsense": '"Hook" has no attribute "nonsense"',
    "    SKILLS.item_id(discover(HOOKS, places).items[0].item)": 'expected "Skill"',
    "    discover(SKILLS, places).items[0].item.fields['x'] = 1": "Unsupported target for indexed assignment",
    "    discover(SKILLS, places).items[0].item.model = 'x'": 'variable has type "Never"',
    "    where.found(5)": 'Value of type variable "Kind" of "found" of "Where" cannot be "int"',
}


@pytest.fixture(scope="module")
def errors(tmp_path_factory: pytest.TempPathFactory) -> dict[int, str]:
    """By line of the program, what mypy says of it."""
    return errors_in(RIGHT, WRONG, tmp_path_factory.mktemp("types"))


def test_what_is_right_is_accepted(errors: dict[int, str]) -> None:
    right = len(RIGHT.rstrip().split("\n"))
    assert {line: message for line, message in errors.items() if line <= right} == {}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_is_refused(wrong: str, errors: dict[int, str]) -> None:
    line = len(RIGHT.rstrip().split("\n")) + 1 + list(WRONG).index(wrong)
    assert WRONG[wrong] in errors.get(line, "nothing")


def test_at_run_time_a_subscript_is_the_class_itself() -> None:
    generics: tuple[Any, ...] = (Found, Candidate, Discovered, Capability)
    assert [each[Skill] for each in generics] == list(generics)


def test_nothing_of_typing_is_loaded_for_it() -> None:
    program = "import sys, pisces.discovery.capabilities, pisces.discovery.registry; print('typing' in sys.modules)"
    command, env = [sys.executable, "-S", "-c", program], {"PYTHONPATH": str(SOURCE)}
    assert subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout.strip() == "False"
