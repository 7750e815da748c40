"""A host reads again what it has read: each kind of component, and nothing that nobody agreed to."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from pisces.gates.coverable import coverable
from pisces.gates.trust import remember_trust
from pisces.host.host import Host
from pisces.host.watching import FileWatch
from pisces.shapes.events.tools import ToolCall
from tests.host.world import Answers, World

SKILL = "---\nname: {0}\ndescription: {1}\n---\nDo {1}.\n"
GREETS = "def extension(pisces):\n    @pisces.tool()\n    def {0}() -> str:\n        return '{1}'\n"


def in_host(world: World, use: Callable[[Host], Awaitable[Any]], approve: Any = None, **options: Any) -> Any:
    async def used() -> Any:
        async with Host.open(world.places, approve or Answers(False), **options) as host:
            return await use(host)

    return asyncio.run(used())


def trust_all(world: World) -> None:
    covered, _ = coverable(world.places)
    remember_trust(world.places, lambda trust: trust.including(world.places.cwd, covered))


async def shell(host: Host, command: str) -> str:
    return (await host.judge(ToolCall("shell", "1", {"command": command}))).verdict.decision


def test_commands_are_found_and_forgotten(world: World) -> None:
    async def use(host: Host) -> None:
        assert "greet" not in host.commands.names
        path = world.write("~/.claude/commands/greet.md", "Say hello")
        await host.refresh()
        assert "greet" in host.commands.names
        assert "Say hello" in str((await host.submit("/greet")).prompt)
        world.write("~/.claude/commands/greet.md", "Say goodbye")
        await host.refresh()
        assert "Say goodbye" in str((await host.submit("/greet")).prompt)
        Path(path).unlink()
        await host.refresh()
        assert "greet" not in host.commands.names

    in_host(world, use)


def test_skills_and_the_tool_that_activates_them(world: World) -> None:
    async def use(host: Host) -> None:
        assert "activate_skill" not in host.tools
        world.write("~/.claude/skills/tea/SKILL.md", SKILL.format("tea", "tea"))
        await host.refresh()
        assert "activate_skill" in host.tools
        assert "Do tea" in await host.activate_skill("tea")
        world.write("~/.claude/skills/tea/SKILL.md", SKILL.format("tea", "coffee"))
        await host.refresh()
        assert "Do coffee" in await host.activate_skill("tea")
        Path(world.places.home, ".claude/skills/tea/SKILL.md").unlink()
        await host.refresh()
        assert "activate_skill" not in host.tools

    in_host(world, use)


def test_subagents_and_context(world: World) -> None:
    async def use(host: Host) -> None:
        assert not host.subagents
        world.write("~/.claude/agents/critic.md", "---\nname: critic\ndescription: reads\n---\nRead.\n")
        world.write("~/.claude/CLAUDE.md", "Prefer tabs.")
        await host.refresh()
        assert [each.item.name for each in host.subagents] == ["critic"]
        assert any("Prefer tabs" in part.text for part in host.instructions)

    in_host(world, use)


def test_rules(world: World) -> None:
    async def use(host: Host) -> list[str]:
        found = [await shell(host, "make x")]
        path = world.write("~/.pisces/agent/rules.toml", "[[rule]]\ncommand='make'\ndecision='allow'\n")
        await host.refresh()
        found.append(await shell(host, "make x"))
        Path(path).unlink()
        await host.refresh()
        return [*found, await shell(host, "make x")]

    assert in_host(world, use) == ["deny", "allow", "deny"]


def hooks(command: str) -> str:
    entry = {"matcher": "Bash", "hooks": [{"type": "command", "command": command}]}
    return json.dumps({"hooks": {"PreToolUse": [entry]}})


def test_hooks_of_the_user(world: World) -> None:
    async def use(host: Host) -> list[str]:
        found = [await shell(host, "ls")]
        world.write("~/.claude/settings.json", hooks("echo no >&2; exit 2"))
        await host.refresh()
        found.append(await shell(host, "ls"))
        world.write("~/.claude/settings.json", "{}")
        await host.refresh()
        return [*found, await shell(host, "ls")]

    assert in_host(world, use) == ["allow", "deny", "allow"]


def test_modules_come_change_and_go(world: World) -> None:
    async def use(host: Host) -> None:
        path = world.write("~/.pisces/agent/extensions/one.py", GREETS.format("one", "first"))
        await host.refresh()
        assert "one" in host.tools
        host.mode = "all"
        assert (await host.call("one", {})).text == "first"
        world.write("~/.pisces/agent/extensions/one.py", GREETS.format("one", "second, longer"))
        await host.refresh()
        assert (await host.call("one", {})).text == "second, longer"
        world.write("~/.pisces/agent/extensions/one.py", "this is no Python")
        assert any("one" in each.path for each in await host.refresh()), "what is wrong is said"
        assert (await host.call("one", {})).text == "second, longer", "the old one stays"
        world.write("~/.pisces/agent/extensions/one.py", GREETS.format("one", "mended"))
        await host.refresh()
        assert (await host.call("one", {})).text == "mended"
        Path(path).unlink()
        await host.refresh()
        assert "one" not in host.tools

    in_host(world, use)


def test_a_module_that_did_not_change_is_not_loaded_again(world: World) -> None:
    text = "def extension(pisces):\n    with open({0!r}, 'a') as log:\n        log.write('x')\n"
    log = world.cwd / "log"
    world.write("~/.pisces/agent/extensions/one.py", text.format(str(log)))

    async def use(host: Host) -> None:
        await host.refresh()
        await host.refresh()

    in_host(world, use)
    assert log.read_text("utf-8") == "x"


def test_servers(world: World) -> None:
    async def use(host: Host) -> None:
        assert not host.servers
        world.write("~/.claude.json", json.dumps({"mcpServers": {"one": {"command": "true"}}}))
        await host.refresh()
        one = host.servers["one"]
        await host.refresh()
        assert host.servers["one"] is one, "an entry that is the same goes on"
        world.write("~/.claude.json", json.dumps({"mcpServers": {"one": {"command": "false"}}}))
        await host.refresh()
        assert host.servers["one"] is not one
        world.write("~/.claude.json", "{}")
        await host.refresh()
        assert not host.servers

    in_host(world, use)


@pytest.mark.parametrize("is_trusted", [False, True])
def test_nothing_of_the_project_runs_that_nobody_agreed_to(world: World, is_trusted: bool) -> None:
    """What is trusted by its content does not run any more when it changes, whatever refreshes it."""
    world.write(".claude/settings.json", hooks("echo first >&2; exit 2"))
    world.write(".pisces/extensions/brought.py", GREETS.format("brought", "first"))
    if is_trusted:
        trust_all(world)

    async def use(host: Host) -> None:
        assert (await shell(host, "ls") == "deny") == is_trusted
        assert ("brought" in host.tools) == is_trusted
        world.write(".claude/settings.json", hooks("touch ran; exit 2"))
        world.write(".pisces/extensions/brought.py", GREETS.format("brought", "second, longer"))
        world.write(".pisces/extensions/new.py", GREETS.format("new", "new"))
        await host.refresh()
        await shell(host, "ls")
        assert not (world.cwd / "ran").exists()
        assert not {"brought", "new"} & set(host.tools)

    in_host(world, use)


def test_trust_that_is_given_meanwhile_holds(world: World) -> None:
    world.write(".pisces/extensions/brought.py", GREETS.format("brought", "first"))

    async def use(host: Host) -> None:
        assert "brought" not in host.tools
        trust_all(world)
        await host.refresh()
        assert host.is_trusted
        assert "brought" in host.tools
        remember_trust(world.places, lambda trust: trust.without(world.places.cwd))
        await host.refresh()
        assert not host.is_trusted
        assert "brought" not in host.tools

    in_host(world, use)


def test_a_module_of_the_user_still_keeps_out_what_the_project_brings(world: World) -> None:
    guard = "from pisces.events import ProjectTrust\n\ndef extension(pisces):\n    @pisces.on(ProjectTrust)\n"
    guard += "    def no(event):\n        return event.replace(trusted='no')\n"
    world.write(
        "~/.pisces/agent/extensions/guard.py", guard + "    def no(event):\n        return event.decide('no')\n"
    )
    world.write(".pisces/extensions/brought.py", GREETS.format("brought", "first"))
    trust_all(world)

    async def use(host: Host) -> None:
        assert "brought" not in host.tools
        await host.refresh()
        assert "brought" not in host.tools

    in_host(world, use)


def test_what_was_allowed_for_the_session_stays_allowed(world: World) -> None:
    async def use(host: Host) -> str:
        host.remember([{"tool": "shell", "command": "make", "decision": "allow"}], "session")
        await host.refresh()
        return await shell(host, "make x")

    assert in_host(world, use) == "allow"


@pytest.mark.parametrize(
    "path",
    [
        "~/.claude/commands/a.md",
        "~/.gemini/settings.json",
        "~/.claude/skills/x/SKILL.md",
        ".pisces/extensions/a.py",
        "~/.pisces/agent/rules.toml",
        "AGENTS.md",
        ".mcp.json",
        "~/.pisces/agent/trusted.json",
    ],
)
def test_a_change_is_noticed_where_anybody_looks(world: World, path: str) -> None:
    async def use(host: Host) -> list[bool]:
        watch = FileWatch(host)
        watch.changed()
        found = [watch.changed()]
        world.write(path, "{}")
        return [*found, watch.changed(), watch.changed()]

    assert in_host(world, use) == [False, True, False]


def test_files_of_the_workspace_itself_are_not_watched(world: World) -> None:
    async def use(host: Host) -> bool:
        watch = FileWatch(host)
        watch.changed()
        world.write("src/main.py", "print()")
        world.write("~/notes.txt", "x")
        return watch.changed()

    assert in_host(world, use) is False
