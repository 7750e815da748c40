"""`pisces -p` and broken extensions: one line, unless they are what was asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.agent_world import AgentWorld
from tests.models.recorder import Recorder

GREET = """
def extension(pisces):
    @pisces.command("greet")
    def greet(args):
        return f"hello {args}"
"""
BROKEN = "def extension(pisces):\n    raise ValueError('boom')\n"


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AgentWorld]:
    with Recorder() as model:
        made = AgentWorld(tmp_path, monkeypatch, model)
        for name in ("one", "two"):
            write(made.home / f".gemini/extensions/{name}/gemini-extension.json", "{")
        yield made


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_problems_of_extensions_are_one_line(world: AgentWorld, capfd: pytest.CaptureFixture[str]) -> None:
    assert world.run("-p", "hi") == 0
    assert capfd.readouterr() == ("fine\n", "2 problems in extensions: `pisces doctor` shows them\n")


@pytest.mark.parametrize("named", [False, True])
def test_a_module_that_does_not_load_is_said_once(
    world: AgentWorld, capfd: pytest.CaptureFixture[str], named: bool
) -> None:
    path = world.home / ("broken.py" if named else ".pisces/agent/extensions/broken.py")
    write(path, BROKEN)
    assert world.run("-p", "hi", *(("-e", str(path)) if named else ())) == 0
    said = capfd.readouterr().err
    assert said.count("boom") == 1
    assert said.endswith("2 more problems in extensions: `pisces doctor` shows them\n")


@pytest.mark.parametrize("flag", ["-e", "--hook"])
def test_a_module_that_is_named_and_not_there_ends_the_run(
    world: AgentWorld, capfd: pytest.CaptureFixture[str], flag: str
) -> None:
    assert world.run("-p", "hi", flag, "nosuch.py") == 2
    assert "nosuch.py: error [module-path]" in capfd.readouterr().err
    assert not world.asked


def test_a_guard_that_is_named_and_does_not_load_ends_the_run(
    world: AgentWorld, capfd: pytest.CaptureFixture[str]
) -> None:
    write(world.home / "guard.py", BROKEN)
    assert world.run("-p", "hi", "--hook", str(world.home / "guard.py")) == 2
    assert capfd.readouterr().err.count("boom") == 1
    assert not world.asked


def test_what_needs_no_model_works_without_the_key_of_the_settings(
    world: AgentWorld, capfd: pytest.CaptureFixture[str]
) -> None:
    world.without_model()
    write(world.home / ".pisces/agent/config.yml", "model: anthropic/claude-sonnet-4-5\n")
    write(world.home / ".pisces/agent/extensions/greet.py", GREET)
    assert world.run("-p", "/greet you") == 0
    assert capfd.readouterr().out == "hello you\n"
    assert world.run("-p", "hi") == 2
    assert "there is no key for `anthropic`" in capfd.readouterr().err
    assert not world.asked
