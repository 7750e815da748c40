"""A module that settings require: while it does not run, every tool call is blocked, and the block says why."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pisces import Diagnostic, Host, Places
from tests.modules.python_module import module

TOOL = "@pisces.tool()\ndef it(): return 'ran'"
GUARD = "@pisces.on(ToolCall)\ndef guard(event): pass"


class World:
    """A home and a project, with a tool of the user's own."""

    def __init__(self, folder: Path) -> None:
        self.home, self.cwd = folder / "home", folder / "project"
        self.agent = self.home / ".pisces" / "agent"
        self.users, self.projects = self.agent / "extensions", self.cwd / ".pisces" / "extensions"
        self.users.mkdir(parents=True)
        self.projects.mkdir(parents=True)
        module(self.users, TOOL, "tools")
        self.places = Places(str(self.home), str(self.cwd))

    def require(self, setting: str) -> None:
        (self.agent / "config.yml").write_text(setting)

    def result(self, mend: str = "") -> list[str]:
        """The text of one call; of a second one after the guard was mended and loaded again."""

        async def play() -> list[str]:
            async with Host.open(self.places, lambda *_: True) as host:
                texts = [(await host.call("it", {})).text]
                if mend:
                    await host.reload(module(self.users, mend, "guard"))
                    texts.append((await host.call("it", {})).text)
                return texts

        return asyncio.run(play())

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        async def play() -> tuple[Diagnostic, ...]:
            async with Host.open(self.places, lambda *_: False) as host:
                return host.diagnostics

        return asyncio.run(play())


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


@pytest.mark.parametrize("name", ["guard", "extension-module:guard", "~/.pisces/agent/extensions/guard.py"])
def test_a_required_module_that_runs_changes_nothing(world: World, name: str) -> None:
    module(world.users, GUARD, "guard")
    world.require(f"required: ['{name}']")
    assert world.result() == ["ran"]
    assert not world.diagnostics()


def test_one_that_does_not_load_blocks_every_call_until_it_does(world: World) -> None:
    module(world.users, "1 / 0", "guard")
    world.require("required:\n  - guard\n")
    before, after = world.result(mend=GUARD)
    assert "`guard` is required and does not run: it did not load: " in before
    assert "division by zero" in before
    assert str(world.agent / "config.yml") in before
    assert after == "ran"


@pytest.mark.parametrize("setting", ["required: [gaurd]", "required: [../guard.py]"])
def test_one_that_is_not_there_blocks_every_call(world: World, setting: str) -> None:
    world.require(setting)
    assert "there is no module of that name or path here" in world.result()[0]
    (problem,) = world.diagnostics()
    assert (problem.code, problem.line) == ("module-required", 1)


def test_one_that_is_switched_off_blocks_every_call(world: World) -> None:
    module(world.users, GUARD, "guard")
    world.require("required: [guard]\ndisabledExtensions: ['extension-module:guard']")
    assert "it is switched off" in world.result()[0]


def test_what_a_project_requires_blocks_until_the_project_is_trusted(world: World) -> None:
    module(world.projects, GUARD, "guard")
    (world.cwd / ".pisces" / "settings.json").write_text('{"required": ["guard"]}')
    assert "this project is not trusted" in world.result()[0]


def test_a_project_cannot_stand_in_for_a_guard_of_the_user(world: World) -> None:
    module(world.projects, GUARD, "guard")
    world.require("required: [guard]")
    assert "there is no module of that name or path here" in world.result()[0]


@pytest.mark.parametrize("setting", ["required: 5", "required: [{path: guard}]", "required: ['']", "required: true"])
def test_a_setting_that_cannot_be_understood_is_not_met(world: World, setting: str) -> None:
    world.require(setting)
    assert "`required` must be a list of names or paths" in world.result()[0]


def test_a_single_name_counts_as_a_list_of_one(world: World) -> None:
    module(world.users, GUARD, "guard")
    world.require("required: guard")
    assert world.result() == ["ran"]


def test_a_script_that_does_not_load_blocks_every_call(world: World) -> None:
    (world.users / "guard.ts").write_text("export default () => { throw new Error('no guard today') }")
    world.require("required: [guard]")
    assert "`guard` is required and does not run: it did not load" in world.result()[0]
