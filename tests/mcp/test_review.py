"""`pisces mcp review`: the difference is shown, and only what was shown is agreed to. No server is started."""

from __future__ import annotations

import asyncio
import json
import subprocess
from typing import Any

import pytest

from pisces import Host
from pisces.audit.place import audit_log
from pisces.audit.reading import Logged
from tests.host.world import Answers
from tests.mcp.wiring_world import ADD, SAY, ServerWorld
from tests.warm_shell import pisces


def run(world: ServerWorld, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**world.places.env, "HOME": world.places.home, "USERPROFILE": world.places.home}
    return pisces("mcp", "review", *words, cwd=world.cwd, env=env)


def offered(world: ServerWorld) -> list[str]:
    async def opened() -> list[str]:
        async with Host.open(world.places, approve=Answers(), is_interactive=False) as host:
            await host.connect()
            return sorted(host.tools)

    return asyncio.run(opened())


@pytest.fixture
def changed(world: ServerWorld) -> ServerWorld:
    """A server that says something else at its second start."""
    world.configure("boat")
    world.say_of("boat", ADD, SAY)
    offered(world)
    world.say_of("boat", {**ADD, "description": "Adds\x1b[2K three\nnumbers"}, {**SAY, "name": "speak"}, version="2")
    assert offered(world) == []
    return world


def _hash(world: ServerWorld) -> str:
    found: dict[str, Any] = json.loads(run(world, "--output-format", "json").stdout)
    return str(found["servers"][0]["hash"])


def test_nothing_was_remembered(world: ServerWorld) -> None:
    assert run(world).returncode == 0
    done = run(world, "boat")
    assert done.returncode == 1
    assert "mcp-not-reviewed" in done.stderr


def test_the_difference_is_shown_with_its_escapes_visible_and_nothing_is_agreed_to(changed: ServerWorld) -> None:
    log = changed.log_of("boat")
    done = run(changed)
    assert done.returncode == 1
    assert "tool add: it has the control character U+001B in it" in done.stderr
    assert '-  "description": "Adds two numbers"' in done.stderr.replace("- ", "-  ")
    assert "\x1b" not in done.stderr
    assert "tool speak: it was called `say`" in done.stderr
    assert "version   1 -> 2" in done.stderr
    assert changed.log_of("boat") == log, "no server is started"
    assert offered(changed) == []


def test_json_has_both_sides(changed: ServerWorld) -> None:
    (server,) = json.loads(run(changed, "--output-format", "json").stdout)["servers"]
    items = {each["item"]: each for each in server["items"]}
    assert items["tool add"]["before"]["description"] == "Adds two numbers"
    assert items["tool speak"]["before"] is None
    assert server["outcome"] == "held"


@pytest.mark.parametrize("answer", ["--yes", "--accept"])
def test_yes_lets_it_say_that(answer: str, changed: ServerWorld) -> None:
    words = ["boat", answer, *([_hash(changed)] if answer == "--accept" else [])]
    assert run(changed, *words).returncode == 0
    assert offered(changed) == ["boat__add", "boat__speak"]
    assert run(changed, "boat").returncode == 0, "and there is nothing left to review"


def test_yes_to_another_difference_is_no_yes_to_this_one(changed: ServerWorld) -> None:
    agreed = _hash(changed)
    changed.say_of("boat", {**ADD, "description": "Something worse"}, SAY)
    assert offered(changed) == ["boat__say"]
    assert run(changed, "boat", "--accept", agreed).returncode == 1
    assert offered(changed) == ["boat__say"]


def test_what_changes_after_the_review_is_held_again(changed: ServerWorld) -> None:
    run(changed, "--yes")
    changed.say_of("boat", {**ADD, "description": "Something worse"}, SAY)
    assert offered(changed) == ["boat__say"]


def test_what_is_rejected_stays_held_and_nobody_is_asked_again(changed: ServerWorld) -> None:
    assert run(changed, "boat", "--reject").returncode == 0
    answers = Answers()

    async def opened() -> list[str]:
        async with Host.open(changed.places, approve=answers) as host:
            await host.connect()
            return sorted(host.tools)

    assert asyncio.run(opened()) == []
    assert answers.asked == []


def test_a_memory_that_cannot_be_read_is_forgotten_on_request(changed: ServerWorld) -> None:
    (path,) = changed.memories
    path.write_text("{", "utf-8")
    changed.say_of("boat", ADD)
    assert offered(changed) == []
    assert run(changed, "boat").returncode == 1
    assert run(changed, "boat", "--yes").returncode == 0
    assert offered(changed) == ["boat__add"]


def test_the_audit_log_says_who_reviewed_what(changed: ServerWorld) -> None:
    run(changed, "boat", "--yes")
    logged = [each for each in audit_log(changed.places, lambda _: None).records() if isinstance(each, Logged)]
    reviewed = [each for each in logged if each.text("act") == "reviewed"]
    assert [(each.text("name"), each.text("who")) for each in reviewed] == [("boat", "--yes")]
