"""All rules of all harnesses together: deny beats ask beats allow, and each verdict names its rule."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pisces.gates.judge import judge_now
from pisces.gates.rules import denied_tool, rulebooks, rules_gate, verdict_of
from pisces.shapes.events.tools import ToolCall
from pisces.shapes.request import ToolRequest
from pisces.shapes.verdict import Verdict
from tests.gates.policy_rows import scene_of, use_of, written

SHELL = "run_shell_command"


def wired(root: Path, gemini: str = "", codex: str = "", own: str = "", claude: str = "") -> Any:
    scene = scene_of({"user": {"a.toml": gemini}}, root)
    written(root / "home" / ".codex" / "rules", {"a.rules": codex} if codex else {})
    written(root / "home" / ".pisces" / "agent", {"rules.toml": own} if own else {})
    written(root / "home" / ".claude", {"settings.json": claude} if claude else {})
    return scene


def policy(command: str, decision: str) -> str:
    return f'[[rule]]\ntoolName = "{SHELL}"\ncommandPrefix = "{command}"\ndecision = "{decision}"\npriority = 1\n'


def decisions(scene: Any, line: str) -> list[str]:
    use = use_of({"call": {"name": SHELL, "args": {"command": line}}}, scene)
    return [each.decision for each in verdict_of(rulebooks(scene), use)]


def test_the_strictest_of_all_harnesses_comes_first(tmp_path: Path) -> None:
    scene = wired(
        tmp_path,
        policy("git", "allow"),
        'prefix_rule(pattern=["git", "push"], decision="prompt")\n',
        "[[rule]]\ncommand = 'git push --force'\ndecision = 'deny'\n",
    )
    assert decisions(scene, "git status") == ["allow"]
    assert decisions(scene, "git push") == ["ask", "allow"]
    assert decisions(scene, "git push --force") == ["deny", "ask", "allow"]
    assert decisions(scene, "ls") == []


def test_claudes_permissions_are_among_them(tmp_path: Path) -> None:
    scene = wired(tmp_path, policy("rm", "allow"), claude='{"permissions": {"deny": ["Bash(rm:*)"]}}')
    assert decisions(scene, "rm x") == ["deny", "allow"]


def test_nobody_has_rules_where_there_are_none(tmp_path: Path) -> None:
    scene = scene_of({}, tmp_path)
    assert not [book for book in rulebooks(scene) if getattr(book, "rules", ())]
    assert decisions(scene, "rm -rf /") == []


def test_a_gate_of_rules_sees_the_agent_and_the_mode_of_each_call(tmp_path: Path) -> None:
    scene = wired(tmp_path, own="[[rule]]\ntool = '*'\nmodes = ['plan']\ndecision = 'deny'\nreason = 'no'\n")
    facts = use_of({"call": {"name": "x", "args": {}}}, scene).facts
    modes = iter(("ask", "plan"))
    gate = rules_gate(rulebooks(scene), lambda: facts.replace(mode=next(modes)))
    request = ToolRequest(ToolCall("glob", "1", {}))
    allow: Any = lambda *_given: Verdict.allow()  # noqa: E731  # the user says yes
    assert judge_now(request, [gate], allow).verdict.is_allowed
    denied = judge_now(request, [gate], allow).verdict
    assert (denied.decision, denied.who) == ("deny", "~/.pisces/agent/rules.toml:1 deny tool=* modes=plan")


def test_a_tool_that_somebody_denies_is_not_offered(tmp_path: Path) -> None:
    scene = wired(tmp_path, '[[rule]]\ntoolName = "web_fetch"\ndecision = "deny"\npriority = 1\n')
    books = rulebooks(scene)
    assert denied_tool(books, "WebFetch") is not None
    assert denied_tool(books, "Read") is None


def test_a_broken_file_of_one_harness_takes_nothing_from_another(tmp_path: Path) -> None:
    scene = wired(tmp_path, "{{{", 'prefix_rule(pattern=["rm"], decision="forbidden")\n', "[[[")
    assert decisions(scene, "rm x")[0] == "deny"
    assert {each.code for book in rulebooks(scene) for each in book.diagnostics} == {"policy-syntax", "rules-syntax"}


def test_a_tool_of_a_server_is_not_allowed_by_the_name_of_a_built_in_tool(tmp_path: Path) -> None:
    scene = wired(
        tmp_path,
        f'[[rule]]\ntoolName = "{SHELL}"\ndecision = "allow"\npriority = 1\n',
        'prefix_rule(pattern=["make"], decision="allow")\n',
        "[[rule]]\ntool = ['shell', 'Bash', 'run_shell_command']\ndecision = 'allow'\n",
    )
    books = rulebooks(scene)
    for name in (SHELL, "Bash", "exec_command"):
        argument = "cmd" if name == "exec_command" else "command"
        row = {"call": {"name": name, "args": {argument: "make"}}}
        assert "allow" in [each.decision for each in verdict_of(books, use_of(row, scene))]
        assert not verdict_of(books, use_of({**row, "server": "evil"}, scene))


def test_a_tool_of_a_server_is_denied_by_the_name_that_it_has_taken(tmp_path: Path) -> None:
    scene = wired(tmp_path, policy("rm", "deny"), own="[[rule]]\ntool = 'Bash'\ndecision = 'deny'\n")
    row = {"call": {"name": SHELL, "args": {"command": "rm x"}}, "server": "evil"}
    assert [each.decision for each in verdict_of(rulebooks(scene), use_of(row, scene))] == ["deny"]
