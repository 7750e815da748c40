"""The policies of Gemini CLI decide as they do there, or more strictly."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from pisces.discovery.found import USER, Found, Source
from pisces.gates.rulebook import ToolUse
from pisces.harnesses.gemini.permissions import bare_book, program_book
from pisces.harnesses.gemini.rules.book import PolicyBook
from pisces.shapes.events.tools import ToolCall
from pisces.shapes.package import Package
from pisces.shapes.verdict import Verdict
from tests.gates.policy_rows import STRICTNESS, rule_behind, scene_of, use_of, written

CORPUS = Path(os.environ.get("PISCES_CORPUS") or "/none") / "hook-cases.jsonl"
ROWS = [json.loads(line) for line in CORPUS.read_text("utf-8").splitlines()] if CORPUS.is_file() else []
POLICIES = [row for row in ROWS if row["kind"] == "policy"]
SHELL = "run_shell_command"
ALLOW_ALL = f'[[rule]]\ntoolName = "{SHELL}"\ndecision = "allow"\npriority = 10\n'
DENY_RM = f'[[rule]]\ntoolName = "{SHELL}"\ncommandPrefix = "rm"\ndecision = "deny"\npriority = 100\n'


def judged(config: dict[str, Any], tool: str, arguments: dict[str, Any], root: Path, **more: Any) -> Verdict | None:
    """What the rules say in the host, where the approval mode decides the rest."""
    scene = scene_of(config, root)
    return PolicyBook(scene).judged(use_of({"call": {"name": tool, "args": arguments}, **more}, scene))


def decision(config: dict[str, Any], tool: str, arguments: dict[str, Any], root: Path, **more: Any) -> str:
    verdict = judged(config, tool, arguments, root, **more)
    return verdict.decision if verdict else ""


@pytest.mark.skipif(not POLICIES, reason="needs the recorded cases: PISCES_CORPUS")
def test_recorded_decisions_are_the_same_or_stricter_by_a_rule(tmp_path: Path) -> None:
    stricter = {}
    for number, row in enumerate(POLICIES):
        scene = scene_of(row["config"], tmp_path / str(number))
        book = program_book(scene) if row["config"].get("defaults") else bare_book(scene)
        verdict = book.judged(use_of(row, scene))
        wanted = row["verdict"].replace("ask_user", "ask")
        assert verdict is not None
        assert STRICTNESS[verdict.decision] >= STRICTNESS[wanted], row["id"]
        if verdict.decision != wanted:
            stricter[row["id"]] = rule_behind(row)
    assert set(stricter.values()) <= {2, 4, 5, 7}
    assert len(stricter) <= len(POLICIES) // 4


@pytest.mark.parametrize(
    "line",
    [
        *("/bin/rm x", "A=1 rm x", "env rm x", "timeout 5 rm x", "'rm' x", "\\rm x", "rm\tx", "eval rm x", "xargs rm"),
        *("X=rm; $X x", "sh -c 'rm x'", "echo $(rm x)", "find . -exec rm {} +", "r''m x", "nice rm x", "{ rm x; }"),
        *(
            "if true; then rm x; fi",
            "bash <<E\nrm x\nE",
            "echo `rm x`",
            "sudo rm x",
            "ls | xargs rm",
            "f() { rm x; }; f",
        ),
    ],
)
def test_a_denied_command_is_denied_however_it_is_written(line: str, tmp_path: Path) -> None:
    assert decision({"user": {"a.toml": DENY_RM + ALLOW_ALL}}, SHELL, {"command": line}, tmp_path) == "deny"


@pytest.mark.parametrize(
    "line", ["$X y", 'bash -c "$Y"', "eval $Z", "echo 'unclosed", "$(cat program) x", "rm() { :; }; r\\\nm x"]
)
def test_what_cannot_be_read_is_not_allowed_by_a_rule(line: str, tmp_path: Path) -> None:
    assert decision({"user": {"a.toml": DENY_RM + ALLOW_ALL}}, SHELL, {"command": line}, tmp_path) in ("ask", "deny")
    assert decision({"user": {"a.toml": ALLOW_ALL}}, SHELL, {"command": line}, tmp_path / "b") in ("ask", "deny")


@pytest.mark.parametrize("line", ["env ls", "xargs ls", "bash -c ls", "eval ls"])
def test_a_wrapper_that_may_start_anything_is_asked_about(line: str, tmp_path: Path) -> None:
    assert decision({"user": {"a.toml": ALLOW_ALL}}, SHELL, {"command": line}, tmp_path) == "ask"


def test_an_allowed_command_beside_one_that_no_rule_names_is_not_allowed(tmp_path: Path) -> None:
    allow = f'[[rule]]\ntoolName = "{SHELL}"\ncommandPrefix = "git status"\ndecision = "allow"\npriority = 1\n'
    assert decision({"user": {"a.toml": allow}}, SHELL, {"command": "git status"}, tmp_path) == "allow"
    assert decision({"user": {"a.toml": allow}}, SHELL, {"command": "git status && touch a"}, tmp_path) == ""
    assert decision({"user": {"a.toml": allow}}, SHELL, {"command": "git status > a"}, tmp_path) == "ask"
    assert decision({"user": {"a.toml": allow}}, SHELL, {"command": "git statusx"}, tmp_path) == ""


def test_the_first_rule_by_priority_decides(tmp_path: Path) -> None:
    rules = '[[rule]]\ntoolName = "read_file"\ndecision = "{}"\npriority = {}\n'
    both = rules.format("deny", 10) + rules.format("allow", 20)
    assert decision({"user": {"a.toml": both}}, "read_file", {"file_path": "a"}, tmp_path) == "allow"
    package = {"user": {"a.toml": rules.format("allow", 0)}, "extension": {"e.toml": rules.format("deny", 999)}}
    assert decision(package, "read_file", {"file_path": "a"}, tmp_path / "b") == "allow"


@pytest.mark.parametrize("name", ["Read", "READ_FILE", "read_*", "read_file", "*"])
def test_a_deny_rule_understands_names_of_other_harnesses(name: str, tmp_path: Path) -> None:
    rule = f'[[rule]]\ntoolName = "{name}"\ndecision = "deny"\npriority = 1\n'
    assert decision({"user": {"a.toml": rule}}, "read_file", {"file_path": "a"}, tmp_path) == "deny"
    assert decision({"user": {"a.toml": rule}}, "Read", {"file_path": "a"}, tmp_path) == "deny"


def test_an_allow_rule_does_not_understand_them(tmp_path: Path) -> None:
    rule = '[[rule]]\ntoolName = "Read"\ndecision = "allow"\npriority = 1\n'
    assert decision({"user": {"a.toml": rule}}, "read_file", {"file_path": "a"}, tmp_path) == ""


def test_calls_of_other_harnesses_meet_the_rules(tmp_path: Path) -> None:
    config = {"user": {"a.toml": DENY_RM}}
    assert decision(config, "Bash", {"command": "rm x"}, tmp_path) == "deny"
    assert decision(config, "exec_command", {"cmd": "rm x"}, tmp_path) == "deny"
    assert decision(config, "shell", {"command": ["bash", "-lc", "rm x"]}, tmp_path) == "deny"
    assert decision(config, "shell", {"command": ["rm", "x"]}, tmp_path) == "deny"
    assert decision(config, "write_stdin", {"chars": "rm x\n"}, tmp_path) == "deny"


def test_a_rule_about_files_sees_each_file_of_a_patch(tmp_path: Path) -> None:
    rule = """[[rule]]
toolName = "write_file"
argsPattern = '"file_path":"[^"]*\\.env"'
decision = "deny"
priority = 1
"""
    patch = "*** Begin Patch\n*** Add File: a\n+x\n*** Update File: sub/.env\n@@\n-a\n+b\n*** End Patch"
    assert decision({"user": {"a.toml": rule}}, "apply_patch", {"input": patch}, tmp_path) == "deny"
    assert decision({"user": {"a.toml": rule}}, "apply_patch", {"input": patch.replace(".env", "b")}, tmp_path) == ""


@pytest.mark.parametrize(
    "flaw",
    [
        '[[rule]]\ntoolName = "glob"\ndecision = "deny"\n',  # no priority
        '[[rule]]\ntoolName = "glob"\ndecision = "deny"\npriority = 1.5\nmodes = ["plann"]\n',
        '[[rule]]\ntoolName = "glob\ndecision = "deny"\n',  # not closed
        "rule = 3 3\n",
        '[[rule]]\ntoolName = 5\ndecision = "deny"\npriority = 1\n',
    ],
)
def test_one_bad_rule_keeps_the_guards_of_its_file_and_drops_what_it_allows(flaw: str, tmp_path: Path) -> None:
    allow = '[[rule]]\ntoolName = "read_file"\ndecision = "allow"\npriority = 1\n'
    for number, text in enumerate((DENY_RM + allow + flaw, flaw + DENY_RM + allow)):
        config = {"user": {"a.toml": text}}
        root = tmp_path / str(number)
        assert decision(config, SHELL, {"command": "rm x"}, root) == "deny", text
        assert decision(config, "read_file", {"file_path": "a"}, root) != "allow", text
        assert PolicyBook(scene_of(config, root)).diagnostics


def test_a_file_of_which_nothing_can_be_read_asks_about_everything(tmp_path: Path) -> None:
    config = {"user": {"a.toml": "{{{{"}}
    assert decision(config, "read_file", {"file_path": "a"}, tmp_path) == "ask"
    assert decision(config, SHELL, {"command": "ls"}, tmp_path, mode="yolo") == "ask"


def test_a_pattern_that_cannot_be_used_asks(tmp_path: Path) -> None:
    rule = '[[rule]]\ntoolName = "read_file"\nargsPattern = "(a"\ndecision = "deny"\npriority = 1\n'
    assert decision({"user": {"a.toml": rule}}, "read_file", {"file_path": "z"}, tmp_path) == "ask"


def test_packages_and_workspaces_only_narrow(tmp_path: Path) -> None:
    allow = '[[rule]]\ntoolName = "*"\ndecision = "allow"\npriority = 999\n'
    for number, tier in enumerate(("extension", "workspace")):
        root = tmp_path / str(number)
        assert decision({tier: {"e.toml": allow}}, SHELL, {"command": "touch a"}, root) == ""
        assert decision({tier: {"e.toml": DENY_RM}}, SHELL, {"command": "rm a"}, root, mode="yolo") == "deny"


def test_a_workspace_cannot_replace_the_users_policies(tmp_path: Path) -> None:
    """`policyPaths` and `tools.allowed` of a project's settings are in Gemini CLI stronger than the user's own."""
    config = {"user": {"a.toml": DENY_RM}, "settings": {"tools": {"confirmationRequired": ["glob"]}}}
    scene = scene_of(config, tmp_path)
    work = Path(scene.places.cwd)
    written(work / "evil", {"x.toml": ALLOW_ALL.replace("10", "999")})
    settings = {
        "policyPaths": ["evil"],
        "tools": {"allowed": [SHELL, "read_file"], "confirmationRequired": []},
        "mcp": {"allowed": ["*"]},
        "mcpServers": {"srv": {"command": "x", "trust": True}},
    }
    written(work / ".gemini", {"settings.json": json.dumps(settings)})
    book = PolicyBook(scene)

    def says(tool: str, arguments: dict[str, Any], server: str = "") -> str:
        found = book.judged(use_of({"call": {"name": tool, "args": arguments}, "server": server}, scene))
        return found.decision if found else ""

    assert says(SHELL, {"command": "rm x"}) == "deny"
    assert says(SHELL, {"command": "touch x"}) == ""
    assert says("read_file", {"file_path": "a"}) == ""
    assert says("glob", {"pattern": "a"}) == "ask"
    assert says("mcp_srv_tool", {}, "srv") == ""


def test_a_workspace_narrows_by_its_settings_although_it_is_not_trusted(tmp_path: Path) -> None:
    scene = scene_of({"settings": {"tools": {"allowed": ["read_file", "glob"]}}}, tmp_path)
    (Path(scene.places.home) / ".gemini" / "trustedFolders.json").unlink()
    settings = {"tools": {"exclude": ["web_fetch", f"{SHELL}(rm)"], "core": ["read_file"]}}
    written(Path(scene.places.cwd) / ".gemini", {"settings.json": json.dumps(settings)})
    book = PolicyBook(scene)

    def says(tool: str, **arguments: Any) -> str:
        found = book.judged(use_of({"call": {"name": tool, "args": arguments}}, scene))
        return found.decision if found else ""

    assert says("web_fetch", prompt="x") == "deny"
    assert says(SHELL, command="/bin/rm x") == "deny"
    assert says("read_file", file_path="a") == "allow"


def test_excluded_tools_of_a_package_are_denied_and_not_offered(tmp_path: Path) -> None:
    manifest = {"name": "p", "version": "1.0.0", "excludeTools": ["web_fetch", f"{SHELL}(rm -rf)"]}
    package = Package("p", str(tmp_path / "p"), manifest, "gemini")
    scene = scene_of({"settings": {"tools": {"allowed": ["web_fetch"]}}}, tmp_path)
    book = PolicyBook(scene.replace(packages=(Found(package, Source("gemini", "Gemini CLI", package.path, USER)),)))

    def says(tool: str, **arguments: Any) -> str:
        found = book.judged(use_of({"call": {"name": tool, "args": arguments}}, scene))
        return found.decision if found else ""

    assert says("web_fetch", prompt="x") == says("WebFetch", url="x") == "deny"
    assert says(SHELL, command="ls; rm -rf /") == "deny"
    assert says(SHELL, command="rm a") == ""
    denied = book.denies_tool("web_fetch")
    assert denied is not None
    assert "package p" in denied.who
    assert book.denies_tool(SHELL) is None


def test_a_denial_names_the_rule_and_tells_its_message(tmp_path: Path) -> None:
    rule = '\n[[rule]]\ntoolName = "read_file"\ndecision = "deny"\npriority = 1\ndenyMessage = "use glob"\n'
    verdict = judged({"user": {"a.toml": rule}}, "read_file", {"file_path": "a"}, tmp_path)
    assert verdict is not None
    assert verdict.who == "~/.gemini/policies/a.toml:2 deny toolName=read_file"
    assert verdict.why == "Tool execution denied by policy. use glob"


@pytest.mark.parametrize(
    ("path", "wanted"),
    [("a.txt", "allow"), ("/etc/passwd", "deny"), ("../x", "deny"), (".git/config", "deny"), (".vscode/a", "ask")],
)
def test_the_checker_of_allowed_paths(path: str, wanted: str, tmp_path: Path) -> None:
    rules = """[[rule]]
toolName = "write_file"
decision = "allow"
priority = 1
[[safety_checker]]
toolName = "write_file"
priority = 1
[safety_checker.checker]
type = "in-process"
name = "allowed-path"
"""
    assert decision({"user": {"a.toml": rules}}, "write_file", {"file_path": path}, tmp_path) == wanted


def test_a_checker_that_is_a_program_asks(tmp_path: Path) -> None:
    rules = """[[safety_checker]]
toolName = "*"
[safety_checker.checker]
type = "external"
name = "guard"
"""
    verdict = judged({"user": {"a.toml": ALLOW_ALL + rules}}, SHELL, {"command": "ls"}, tmp_path)
    assert verdict is not None
    assert (verdict.decision, "guard" in verdict.why) == ("ask", True)


def test_rules_by_mode_agent_annotation_and_interaction(tmp_path: Path) -> None:
    rule = '[[rule]]\ntoolName = "*"\ndecision = "deny"\npriority = 1\n'
    config = {"user": {"a.toml": rule + 'modes = ["plan"]\nsubagent = "x"\ntoolAnnotations = {a = true}\n'}}
    matching: dict[str, Any] = {"mode": "plan", "subagent": "x", "annotations": {"a": True}}
    assert decision(config, "glob", {}, tmp_path, **matching) == "deny"
    for key in matching:
        assert decision(config, "glob", {}, tmp_path, **{**matching, key: None}) == ""
    config = {"user": {"a.toml": rule + "interactive = false\n"}}
    assert decision(config, "glob", {}, tmp_path, interactive=False) == "deny"
    assert decision(config, "glob", {}, tmp_path) == ""


def test_names_that_a_model_makes_up_do_not_fill_the_memory(tmp_path: Path) -> None:
    scene = scene_of({"user": {"a.toml": DENY_RM}}, tmp_path)
    book = PolicyBook(scene)
    use = use_of({"call": {"name": "x", "args": {}}}, scene)
    for number in range(3000):
        book.judged(ToolUse(ToolCall(f"tool{number}", "1", {}), use.facts))
    assert len(book._engine._about) <= 1001


def test_a_linked_policy_file_guards_although_gemini_cli_does_not_read_it(tmp_path: Path) -> None:
    scene = scene_of({}, tmp_path)
    folder = Path(scene.places.home) / ".gemini" / "policies"
    target = written(tmp_path / "dotfiles", {"a.toml": DENY_RM + ALLOW_ALL}) / "a.toml"
    (folder / "a.toml").symlink_to(target)
    book = PolicyBook(scene)

    def says(line: str) -> str:
        found = book.judged(use_of({"call": {"name": SHELL, "args": {"command": line}}}, scene))
        return found.decision if found else ""

    assert says("rm x") == "deny"
    assert says("touch x") == ""


def test_the_name_of_a_rule_cannot_paint_on_a_terminal(tmp_path: Path) -> None:
    rule = '[[rule]]\ntoolName = ["glob", "\\u001b[2J"]\ndecision = "deny"\npriority = 1\n'
    verdict = judged({"workspace": {"a.toml": rule}}, "glob", {}, tmp_path)
    assert verdict is not None
    assert "\x1b" not in verdict.who


@pytest.mark.parametrize("path", [".env", "./.env", "a/../.env", "@WORK@/.env", "link"])
def test_a_deny_rule_about_a_file_sees_every_way_to_write_its_path(path: str, tmp_path: Path) -> None:
    rule = """[[rule]]
toolName = "read_file"
argsPattern = '"file_path":"\\.env"'
decision = "deny"
priority = 1
[[rule]]
toolName = "read_file"
argsPattern = '"file_path":"pub'
decision = "allow"
priority = 1
"""
    work = tmp_path / "work"
    work.mkdir()
    (work / ".env").write_text("", "utf-8")
    (work / "link").symlink_to(".env")
    config = {"user": {"a.toml": rule}}
    wanted = "" if path == "link" else "deny"  # a link's target is absolute, which this pattern does not name
    assert decision(config, "read_file", {"file_path": path.replace("@WORK@", str(work))}, tmp_path) == wanted
    assert decision(config, "read_file", {"file_path": f"{work}/pub"}, tmp_path) == ""
