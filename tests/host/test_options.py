"""What a program that opens a host chooses: packages and modules of its own, nothing else, a mode, tools, callbacks."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from pisces import COMMANDS, PACKAGES, SKILLS, Gate, PiscesError, Tool, Verdict
from pisces.events import SessionStart
from pisces.testing import open_host

SKILL = "---\nname: {0}\ndescription: About {0}\n---\nTie it.\n"
KIT: dict[str, Any] = {
    "work/kit/gemini-extension.json": {"name": "kit", "version": "2.0.0", "excludeTools": ["write_file"]},
    "work/kit/commands/tie.toml": 'description = "Ties"\nprompt = "Tie {{args}}"\n',
    "work/kit/skills/knots/SKILL.md": SKILL.format("knots"),
    "work/kit/policies/push.toml": (
        '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "git push"\ndecision = "deny"\npriority = 5\n'
    ),
    "work/kit/hooks/hooks.json": {
        "hooks": {"BeforeTool": [{"matcher": "read_file", "hooks": [{"type": "command", "command": "exit 2"}]}]}
    },
}
FOUND: dict[str, Any] = {
    "home/.claude/settings.json": {"permissions": {"allow": ["Bash(touch:*)"], "deny": ["Bash(cook:*)"]}},
    "home/.claude/skills/boats/SKILL.md": SKILL.format("boats"),
    "home/.gemini/commands/sail.toml": 'prompt = "Sail"\n',
    "home/.claude/CLAUDE.md": "Use metres.\n",
    "home/.pisces/agent/extensions/brought.py": "def extension(pisces): pisces.tool('brought', 'd')(lambda: 1)\n",
    "home/.gemini/extensions/old/gemini-extension.json": {"name": "old", "version": "1.0.0"},
}


class TestNamedPackages:
    def test_all_that_they_bring_is_in_force(self) -> None:
        with open_host(KIT, packages=["kit"], approve=True) as host:
            assert [each.item.name for each in host.host.found(PACKAGES)] == ["kit"]
            assert [each.item.name for each in host.host.found(SKILLS)] == ["knots"]
            submitted = host.submit("/tie it")
            assert submitted.prompt is not None
            assert submitted.prompt.text.startswith("Tie it")
            host.denies("Bash", command="git push")
            host.denies("write_file", file_path="a", content="b")
            host.denies("Read", file_path="a")
            assert "knots" in host.call("activate_skill", name="knots").text
            _ = host.errors

    def test_they_replace_what_is_installed_under_the_same_name(self) -> None:
        installed = {
            "home/.gemini/extensions/kit/gemini-extension.json": {"name": "kit", "version": "1.0.0"},
            "home/.gemini/extensions/kit/commands/old.toml": 'prompt = "Old"\n',
            "home/.gemini/extensions/kit/skills/rust/SKILL.md": SKILL.format("rust"),
        }
        with open_host({**KIT, **installed}, packages=["kit"]) as host:
            assert [each.item.version for each in host.host.found(PACKAGES)] == ["2.0.0"]
            assert [each.item.name for each in host.host.found(SKILLS)] == ["knots"]
            assert [each.item.final_name for each in host.host.found(COMMANDS)] == ["tie"]

    @pytest.mark.parametrize("folder", ["", "nothing", "kit/commands"])
    def test_a_folder_that_is_no_package_is_refused(self, folder: str) -> None:
        with pytest.raises(PiscesError), open_host(KIT, packages=[folder]):
            pytest.fail("not reached")


class TestWithoutDiscovery:
    def test_nothing_is_in_force_but_what_the_program_names(self) -> None:
        with open_host({**FOUND, **KIT}, packages=["kit"], discover=False) as host:
            assert [each.item.name for each in host.host.found(SKILLS)] == ["knots"]
            assert list(host.host.commands.names) == ["tie", "kit:tie"] or set(host.host.commands.names) >= {"tie"}
            assert "sail" not in host.host.commands.names
            assert "brought" not in host.tools
            assert "Use metres." not in "".join(part.text for part in host.host.instructions)

    def test_rules_of_the_user_deny_and_do_not_allow(self) -> None:
        with open_host(FOUND, discover=False) as host:
            host.denies("Bash", command="cook")
            host.asks("Bash", command="touch made")
        with open_host(FOUND) as host:
            host.denies("Bash", command="cook")
            host.allows("Bash", command="touch made")


def test_the_tool_of_skills_is_there_whatever_was_asked_for_first() -> None:
    for first in ("instructions", "commands", "tools"):
        with open_host(FOUND) as host:
            getattr(host.host, first)
            assert "activate_skill" in host.tools


def test_hooks_of_a_skill_fire_once_the_model_has_activated_it() -> None:
    header = (
        "hooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: exit 2\n"
    )
    skill = f"---\nname: careful\ndescription: Be careful\n{header}---\nBe careful.\n"
    with open_host({"home/.claude/skills/careful/SKILL.md": skill}, approve=True) as host:
        host.asks("Bash", command="make")
        assert "Be careful." in host.call("activate_skill", name="careful").text
        host.denies("Bash", command="make")
        _ = host.errors, host.diagnostics


class TestModes:
    @pytest.mark.parametrize(
        ("mode", "reads", "writes", "runs"),
        [
            ("ask", "allows", "asks", "asks"),
            ("edits", "allows", "allows", "asks"),
            ("plan", "allows", "asks", "denies"),
            ("all", "allows", "allows", "allows"),
        ],
    )
    def test_what_nobody_decides_is_decided_by_the_mode(self, mode: str, reads: str, writes: str, runs: str) -> None:
        with open_host(mode=mode) as host:
            getattr(host, reads)("Read", file_path=f"{host.places.cwd}/a")
            getattr(host, writes)("Write", file_path=f"{host.places.cwd}/a", content="b")
            getattr(host, runs)("Bash", command="make install")

    def test_the_program_changes_it_for_the_user(self) -> None:
        with open_host() as host:
            host.asks("Bash", command="make")
            host.host.mode = "all"
            host.allows("Bash", command="make")
            with pytest.raises(PiscesError, match="no approval mode"):
                host.host.mode = "yolo"
            assert host.host.mode == "all"


class TestToolsOfTheProgram:
    SCHEMA: ClassVar[Any] = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}

    def tool(self, run: Any) -> Tool:
        return Tool("double", "Doubles a number", self.SCHEMA, run)

    def test_they_are_offered_judged_checked_and_run(self) -> None:
        tool = self.tool(lambda given, _context: str(2 * given["n"]))
        gates = [Gate("small", lambda request: Verdict.deny("too big") if request.call.input["n"] > 9 else None)]
        with open_host(tools=[tool], gates=gates, approve=True) as host:
            assert list(host.tools) == ["double"]
            assert host.call("double", n="4").text == "8", "converted to what the schema says"
            assert host.call("double", n=10).text == "too big"
            assert host.call("double").is_error
            assert host.call("double", n="x").is_error

    def test_one_that_breaks_is_a_failed_result(self) -> None:
        def breaks(_given: object, _context: object) -> str:
            raise ValueError("oops")

        with open_host(tools=[self.tool(breaks)], approve=True) as host:
            result = host.call("double", n=1)
            assert (result.is_error, result.text) == (True, "ValueError: oops")
            assert [each.message for each in host.errors] == ["ValueError: oops"]

    def test_a_tool_that_a_rule_denies_altogether_is_not_offered(self) -> None:
        tool = Tool("Bash", "d", {"type": "object"}, lambda *_: "ran")
        with open_host({"home/.claude/settings.json": {"permissions": {"deny": ["Bash"]}}}, tools=[tool]) as host:
            assert "Bash" not in host.tools
            assert host.call("Bash", command="ls").is_error


class TestSubmit:
    FILES: ClassVar[Any] = {
        "home/.gemini/commands/hail.toml": 'prompt = "Hail {{args}} with !{echo ahoy}"\n',
        "work/mod.py": "from pisces.events import *\ndef extension(pisces):\n"
        "    pisces.command('wave', 'd')(lambda args: f'waves {args}')\n"
        "    @pisces.on(Input)\n    def reads(event):\n"
        "        if event.text == 'mine': return event.replace(handled=True)\n"
        "        if event.text == 'bad': return event.block('not that')\n",
    }

    def test_a_line_becomes_a_prompt_an_answer_or_a_refusal(self) -> None:
        with open_host(self.FILES, approve=True, modules=["mod.py"]) as host:
            host.emit(SessionStart())
            plain, command = host.submit("hello"), host.submit("/hail Ada")
            assert plain.prompt is not None
            assert plain.prompt.text == "hello"
            assert command.prompt is not None
            assert command.prompt.text == "Hail Ada with ahoy"
            assert [each.exact for each in host.asked] == ["echo ahoy"]
            assert host.submit("/wave Ada").answer == "waves Ada"
            assert host.submit("bad").blocked == "not that"
            handled = host.submit("mine")
            assert (handled.prompt, handled.output, handled.blocked) == (None, None, "")

    def test_a_line_in_a_prompt_file_that_is_not_approved_does_not_run(self) -> None:
        with open_host(self.FILES) as host, pytest.raises(PiscesError, match="does not run"):
            host.submit("/hail Ada")

    def test_a_command_that_does_not_exist_is_said(self) -> None:
        with open_host(self.FILES) as host, pytest.raises(PiscesError, match="hial"):
            host.submit("/hial Ada")


def test_what_needs_a_model_is_refused_by_name() -> None:
    prompt = {"hooks": {"PreToolUse": [{"hooks": [{"type": "prompt", "prompt": "Is $ARGUMENTS fine?"}]}]}}
    files = {"home/.claude/settings.json": prompt}
    with open_host(files, approve=True) as host:
        assert not host.judge("Bash", command="make").verdict.is_allowed
        _ = host.errors, host.diagnostics

    async def complete(_request: Any) -> str:
        return '{"ok": true}'

    with open_host(files, approve=True, complete=complete) as host:
        assert host.judge("Bash", command="make").verdict.is_allowed
        _ = host.errors, host.diagnostics
