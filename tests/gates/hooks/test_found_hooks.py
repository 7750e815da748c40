"""Which hooks fire: a project adds guards and removes none, nothing of it runs without trust, packages as agreed to."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from pisces.gates.coverable import coverable
from pisces.gates.hooks.dialect import LoadedHook
from pisces.gates.hooks.engine import HookSet
from pisces.gates.hooks.found_hooks import FoundHooks, found_hooks, hooks_of_package
from pisces.gates.hooks.hook_place import line_of
from pisces.gates.trusted import Trust
from pisces.places import Places
from pisces.shapes.events import ToolCall
from pisces.shapes.request import ToolRequest
from pisces.shapes.session_facts import SessionFacts
from pisces.shapes.verdict import Verdict
from tests.packages.test_install import World

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="hooks run by /bin/sh here")

ALLOW = """printf '%s' '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}}'"""


def settings(*commands: str, **more: Any) -> dict[str, Any]:
    hooks = [{"type": "command", "command": command} for command in commands]
    return {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": hooks}]}, **more}


class Scene:
    def __init__(self, root: Path) -> None:
        self.home, self.work = root / "home", root / "work"
        for folder in (self.home, self.work):
            (folder / ".claude").mkdir(parents=True)
        self.places = Places(str(self.home), str(self.work), {"PATH": "/usr/bin:/bin"})
        self.trust = Trust()

    def user(self, values: object) -> None:
        (self.home / ".claude" / "settings.json").write_text(json.dumps(values, indent=1))

    def project(self, values: object, name: str = "settings.json") -> None:
        (self.work / ".claude" / name).write_text(json.dumps(values, indent=1))

    def agree(self) -> None:
        """As `pisces trust` does."""
        covered, _ = coverable(self.places)
        self.trust = self.trust.including(str(self.work), covered)

    def found(self) -> FoundHooks:
        return found_hooks(self.places, self.trust)

    def decision(self, loaded: tuple[LoadedHook, ...] | None = None) -> str:
        """About one call of a shell; empty where no hook has a word."""

        async def run() -> str:
            facts = SessionFacts(str(self.work), str(self.work), str(self.home))
            hooks = HookSet(self.found().loaded if loaded is None else loaded, lambda: facts, self.places.env)
            answer = await hooks.judged(ToolRequest(ToolCall("Bash", "c", {"command": "ls"})), [])
            await hooks.close()
            return answer.decision if isinstance(answer, Verdict) else ""

        return asyncio.run(run())

    def codes(self) -> list[str]:
        return [each.code for each in self.found().diagnostics]


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def test_a_hook_of_the_user_fires_with_its_line(scene: Scene) -> None:
    scene.user(settings("exit 2"))
    (loaded,) = scene.found().loaded
    text = (scene.home / ".claude" / "settings.json").read_text().splitlines()
    assert "{" in text[line_of(loaded) - 1]
    assert '"type"' in text[line_of(loaded)]
    assert scene.decision() == "deny"


@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
def test_a_project_cannot_switch_off_what_the_user_has(name: str, scene: Scene) -> None:
    scene.user(settings("exit 2"))
    scene.project({"disableAllHooks": True}, name)
    assert scene.decision() == "deny"
    assert "hook-still-on" in scene.codes()
    assert scene.found().loaded[0].rule == 5


def test_the_user_can_and_a_project_can_bring_back_guards_but_no_allows(scene: Scene) -> None:
    scene.user(settings("exit 2", disableAllHooks=True))
    assert scene.decision() == ""
    scene.project({"disableAllHooks": True})
    assert scene.decision() == "", "off by both is off"
    scene.project({"disableAllHooks": False})
    assert scene.decision() == "deny", "as in Claude Code"
    scene.user(settings(ALLOW, disableAllHooks=True))
    assert scene.decision() == ""


def test_what_a_project_brings_runs_only_with_trust_and_cannot_allow(scene: Scene) -> None:
    scene.project(settings("exit 2"))
    assert scene.decision() == ""
    assert "hook-untrusted" in scene.codes()
    scene.agree()
    assert scene.decision() == "deny"
    scene.project(settings(ALLOW))
    assert scene.decision() == "", "other content is not trusted"
    scene.agree()
    (loaded,) = scene.found().loaded
    assert loaded.is_narrowing
    assert scene.decision() == ""


@pytest.mark.parametrize(
    "line", ["./scripts/guard.sh", '"$CLAUDE_PROJECT_DIR"/scripts/guard.sh', "cd scripts && sh guard.sh", "make guard"]
)
def test_a_hook_of_the_user_runs_files_of_a_project_only_as_somebody_trusted_them(scene: Scene, line: str) -> None:
    (scene.work / "scripts").mkdir()
    script = scene.work / "scripts" / "guard.sh"
    script.write_text("#!/bin/sh\ntouch ../ran ran\n")
    script.chmod(0o755)
    (scene.work / "Makefile").write_text("guard:\n\t@touch ran\n")
    scene.user(settings(line))
    assert scene.decision() == "deny", "the user meant a guard, and it cannot run"
    assert not list(scene.work.rglob("ran"))
    scene.agree()
    loaded = scene.found().loaded
    assert scene.decision(loaded) == ""
    assert list(scene.work.rglob("ran"))
    for file in (script, scene.work / "Makefile"):
        file.write_text(file.read_text() + "# another\n")
    assert scene.decision(loaded) == "deny"
    assert scene.decision() == "deny"


def test_files_of_the_users_own_are_no_files_of_a_project(scene: Scene) -> None:
    guard = scene.home / ".claude" / "guard.sh"
    guard.write_text("exit 2\n")
    scene.user(settings(f"sh {guard}"))
    assert scene.decision() == "deny"
    guard.write_text("exit 0\n")
    assert scene.decision() == ""
    scene.places = scene.places.replace(cwd=str(scene.home))
    assert scene.decision() == "", "in the home folder all files are the user's"


def test_trust_for_this_run_covers_hooks(scene: Scene) -> None:
    scene.project(settings("exit 2"))
    scene.trust = Trust().including_for_this_run(str(scene.work))
    assert scene.decision() == "deny"


def test_a_script_of_a_project_that_changes_after_it_was_loaded_does_not_run(scene: Scene) -> None:
    script = scene.work / "guard.sh"
    script.write_text("#!/bin/sh\nexit 0\n")
    script.chmod(0o755)
    scene.project(settings("./guard.sh"))
    scene.agree()
    loaded = scene.found().loaded
    assert scene.decision(loaded) == ""
    script.write_text("#!/bin/sh\ntouch ran\n")
    assert scene.decision(loaded) == "deny"
    assert not (scene.work / "ran").exists()
    script.write_text("#!/bin/sh\nexit 0\n")
    assert scene.decision(loaded) == "", "as it was"


@pytest.mark.parametrize(
    "flaw",
    [
        {"type": "nonsense", "command": "exit 0"},
        {"type": "command", "command": "true", "timeout": 0},
        {"type": "command", "command": "true", "timeout": "5"},
        "text",
    ],
    ids=str,
)
def test_one_mistake_in_a_file_keeps_its_guards_and_costs_its_allows(flaw: Any, scene: Scene) -> None:
    values = settings("exit 2")
    values["hooks"]["PreToolUse"].append({"matcher": "Write", "hooks": [flaw]})
    scene.user(values)
    assert scene.decision() == "deny"
    values = settings(ALLOW)
    values["hooks"]["PreToolUse"].append({"matcher": "Write", "hooks": [flaw]})
    scene.user(values)
    assert scene.decision() == ""


@pytest.mark.parametrize(
    "groups",
    [
        [{"matcher": "Bash", "hooks": [{"type": "nonsense", "command": "exit 0"}]}],
        [{"matcher": "Bash", "hooks": [5]}],
        [{"matcher": "Bash"}],
        [{"matcher": 5, "hooks": [{"type": "command", "command": "exit 2"}]}],
        [5],
        {"matcher": "Bash"},
    ],
    ids=str,
)
def test_a_guard_that_cannot_be_read_blocks_what_it_would_judge(groups: Any, scene: Scene) -> None:
    scene.user({"hooks": {"PreToolUse": groups}})
    assert scene.decision() == "deny"


def test_a_guard_for_another_tool_that_cannot_be_read_blocks_that_tool_only(scene: Scene) -> None:
    scene.user({"hooks": {"PreToolUse": [{"matcher": "Write", "hooks": [{"type": "nonsense"}]}]}})
    assert scene.decision() == ""


def test_an_address_that_is_not_on_the_users_list_blocks_and_a_project_adds_none(scene: Scene) -> None:
    guard = {"type": "http", "url": "http://127.0.0.1:9/h", "onFailure": "continue"}
    values = {"hooks": {"PreToolUse": [{"hooks": [guard]}]}}
    scene.user({**values, "allowedHttpHookUrls": ["https://example.com/*"]})
    scene.project({"allowedHttpHookUrls": ["*"]})
    assert scene.decision() == "deny"
    scene.user({**values, "allowedHttpHookUrls": ["http://127.0.0.1:*"]})
    assert scene.decision() == "", "it fails, and says that this is no obstacle"


def test_hooks_of_a_program_that_is_not_known_are_named(scene: Scene) -> None:
    (scene.work / ".cursor").mkdir()
    hooks = {"version": 1, "hooks": {"beforeShellExecution": [{"command": "./guard.sh"}]}}
    (scene.work / ".cursor" / "hooks.json").write_text(json.dumps(hooks))
    assert "hook-dialect" in scene.codes()


AGENT = """---
name: guarded
description: d
hooks:
  PreToolUse:
    - matcher: Bash
      hooks:
        - type: command
          command: exit 2
---
You are.
"""


def test_hooks_of_agents_are_loaded_for_inside_them_and_those_of_a_project_need_trust(scene: Scene) -> None:
    for folder in (scene.home, scene.work):
        (folder / ".claude" / "agents").mkdir()
    (scene.home / ".claude" / "agents" / "guarded.md").write_text(AGENT)
    (loaded,) = scene.found().loaded
    assert (loaded.agent, loaded.hook.event, loaded.is_narrowing) == ("guarded", "PreToolUse", False)
    assert scene.decision() == "", "outside of it"
    (scene.work / ".claude" / "agents" / "other.md").write_text(AGENT.replace("guarded", "other"))
    assert [each.agent for each in scene.found().loaded] == ["guarded"]
    scene.agree()
    found = {each.agent: each.is_narrowing for each in scene.found().loaded}
    assert found == {"guarded": False, "other": True}


def plugin(folder: Path, *commands: str) -> Path:
    for path, values in (
        (".claude-plugin/plugin.json", {"name": "guards", "version": "1.0.0"}),
        ("hooks/hooks.json", settings(*commands)),
    ):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(json.dumps(values))
    return folder


def test_hooks_of_a_package_that_the_user_names_fire_with_its_folder(scene: Scene) -> None:
    folder = plugin(scene.home / "guards", 'test -f "$CLAUDE_PLUGIN_ROOT/hooks/hooks.json" && exit 2')
    loaded = hooks_of_package(str(folder), scene.places)
    assert scene.decision(loaded) == "deny"
    scene.project({"disableAllHooks": True})
    assert scene.decision(hooks_of_package(str(folder), scene.places)) == "deny"
    scene.user({"disableAllHooks": True})
    assert hooks_of_package(str(folder), scene.places) == ()


@pytest.mark.parametrize("name", ["guards", "gu ards", "a;touch made;b", "a$(touch made)", "a'b"])
def test_the_name_of_a_package_folder_is_never_read_by_a_shell(name: str, scene: Scene) -> None:
    folder = plugin(scene.home / name, 'test -f "${CLAUDE_PLUGIN_ROOT}/hooks/hooks.json" && exit 2')
    assert scene.decision(hooks_of_package(str(folder), scene.places)) == "deny"
    assert not (scene.work / "made").exists()


def test_a_guard_of_a_package_that_cannot_be_read_blocks(scene: Scene) -> None:
    folder = plugin(scene.home / "guards", "true")
    values = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "nonsense"}]}]}}
    (folder / "hooks" / "hooks.json").write_text(json.dumps(values))
    assert scene.decision(hooks_of_package(str(folder), scene.places)) == "deny"
    skills = scene.home / ".claude" / "skills"
    skills.mkdir()
    folder.rename(skills / "guards")  # a plugin in a skills folder is on
    assert scene.decision() == "deny"
    scene.user({"disableAllHooks": True})
    assert scene.decision() == ""


def test_an_installed_package_runs_as_agreed_to_and_blocks_once_its_files_changed(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.install(plugin(world.project / "guards", '"$CLAUDE_PLUGIN_ROOT"/guard.sh'))
    scene = Scene(tmp_path / "scene")
    scene.places = world.places
    (loaded,) = found_hooks(world.places, Trust()).loaded
    assert loaded.difference is not None
    assert loaded.difference() == ""
    file = Path(loaded.folder) / "hooks" / "hooks.json"
    file.chmod(0o644)
    before = file.read_bytes()
    file.write_bytes(before.replace(b"guard.sh", b"other.sh"))
    assert "pisces extensions info guards" in loaded.difference()
    file.write_bytes(before)
    assert loaded.difference() == ""
    (Path(loaded.folder) / "new.py").write_text("")
    assert loaded.difference()
    (after,) = found_hooks(world.places, Trust()).loaded
    assert after.difference is not None
    assert after.difference()
