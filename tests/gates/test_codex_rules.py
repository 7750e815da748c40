"""Approval rules of Codex decide as they do there, or more strictly; their files are read and never executed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pisces.discovery.harness import Run
from pisces.gates.rulebook import ToolUse
from pisces.harnesses.codex.permissions import program_book, rulebooks
from pisces.harnesses.codex.rules.book import CodexBook
from pisces.harnesses.codex.rules.files import decision_on, rules_text
from pisces.shapes.events.tools import ToolCall
from pisces.shapes.session_facts import SessionFacts
from pisces.shapes.verdict import Verdict
from tests.conformance.corpus import corpus_folder
from tests.gates.codex_rows import codex_scene, codex_use

CORPUS = corpus_folder() / "hook-cases.jsonl"
ROWS = [json.loads(line) for line in CORPUS.read_text("utf-8").splitlines()] if CORPUS.is_file() else []
STRICTNESS = {"ran": 0, "asked": 1, "not run": 2}
VERDICTS = {"allow": "ran", "ask": "asked", "deny": "not run"}
TOUCH = 'prefix_rule(pattern=["touch"], decision="{}")\n'
needs_corpus = pytest.mark.skipif(not ROWS, reason="needs the recorded cases: PISCES_CORPUS")
ESCALATED = {"cmd": "touch made", "sandbox_permissions": "require_escalated"}


def judged(rules: str, line: str, root: Path, **config: Any) -> Verdict | None:
    """On the host, where somebody can be asked."""
    given = {"approval": "on-request", "rules": {"a.rules": rules}, **config}
    scene = codex_scene(given, root)
    facts = SessionFacts(scene.places.cwd, scene.places.cwd, scene.places.home)
    return CodexBook(scene).judged(ToolUse(ToolCall("exec_command", "1", {"cmd": line}), facts))


def decision(rules: str, line: str, root: Path, **config: Any) -> str:
    verdict = judged(rules, line, root, **config)
    return verdict.decision if verdict else ""


@needs_corpus
def test_recorded_checks_of_words_are_the_same() -> None:
    rows = [row for row in ROWS if row["kind"] == "execpolicy"]
    for row in rows:
        text = rules_text(row["config"]["rules"])
        resolve = "--resolve-host-executables" in row["config"].get("args", [])
        found = "load error" if text.flaw else decision_on(row["call"], [text], resolve=resolve)[0] or "no match"
        assert found == row["verdict"], row["id"]
    assert len(rows) >= 30


@needs_corpus
def test_recorded_sessions_are_the_same_or_stricter(tmp_path: Path) -> None:
    rows = [row for row in ROWS if row["kind"] == "rules" and "hooks" not in row["config"]]
    for number, row in enumerate(rows):
        scene = codex_scene(row["config"], tmp_path / str(number))
        verdict = program_book(scene).judged(codex_use(row, scene))
        assert verdict is not None
        wanted, told = row["calls"][0]["verdict"], row["calls"][0]["told"]
        found = VERDICTS[verdict.decision]
        assert STRICTNESS[found] >= STRICTNESS[wanted], row["id"]
        if found == wanted == "not run":
            assert verdict.why == told, row["id"]
        assert found == wanted or row.get("fail_open"), row["id"]
    assert len(rows) >= 16


@pytest.mark.parametrize(
    "line",
    [
        *("touch made > out", "echo $(touch a)", "A=1 touch a", "'touch' a", "touch a*", "if true; then touch a; fi"),
        *(
            "bash <<E\ntouch a\nE",
            "env touch a",
            "sh -c 'touch a'",
            "/usr/bin/touch a",
            "xargs touch",
            "timeout 3 touch a",
        ),
        *("bash -lc 'touch a'", "! touch a", "X=touch; $X a", "find . -exec touch {} +", "(touch a)", "a || touch b"),
    ],
)
def test_a_forbidden_command_is_refused_however_it_is_written(line: str, tmp_path: Path) -> None:
    assert decision(TOUCH.format("forbidden"), line, tmp_path) == "deny"


@pytest.mark.parametrize(
    "line", ["touch a > b", "touch a*", "env touch a", "touch a; ls", "A=1 touch a", "sh -c 'touch a'"]
)
def test_an_allow_rule_is_about_plain_commands_only(line: str, tmp_path: Path) -> None:
    assert decision(TOUCH.format("allow"), line, tmp_path) != "allow"


def test_an_allow_rule_does_not_allow_a_forced_removal(tmp_path: Path) -> None:
    rules = 'prefix_rule(pattern=["rm"], decision="allow")\n'
    assert decision(rules, "rm a", tmp_path) == "allow"
    assert decision(rules, "rm -rf a", tmp_path) == "ask"


def test_typing_into_a_shell_passes_the_rules(tmp_path: Path) -> None:
    scene = codex_scene({"rules": {"a.rules": TOUCH.format("forbidden")}}, tmp_path)
    facts = SessionFacts(scene.places.cwd, scene.places.cwd, scene.places.home)
    verdict = CodexBook(scene).judged(ToolUse(ToolCall("write_stdin", "1", {"chars": "touch made\n"}), facts))
    assert verdict is not None
    assert verdict.decision == "deny"


def test_a_projects_rules_only_narrow(tmp_path: Path) -> None:
    files = {".codex/rules/a.rules": TOUCH.format("allow") + 'prefix_rule(pattern=["rm"], decision="forbidden")\n'}
    assert decision("", "touch a", tmp_path, files=files) == ""
    assert decision("", "rm a", tmp_path, files=files) == "deny"
    assert decision('prefix_rule(pattern=["rm"], decision="allow")\n', "rm a", tmp_path, files=files) == "deny"


@pytest.mark.parametrize(
    "flaw",
    [
        'prefix_rule(pattern=["ls"',
        "import os",
        'prefix_rule(pattern=["x"], decision="allow", reason="y")',
        'load("x.rules", "y")',
        "undefined",
        'prefix_rule(pattern=["x"], not_match=["x y"])',
    ],
)
def test_a_file_with_an_error_keeps_what_it_forbids_and_allows_nothing(flaw: str, tmp_path: Path) -> None:
    rules = TOUCH.format("forbidden") + 'prefix_rule(pattern=["make"], decision="allow")\n' + flaw + "\n"
    assert decision(rules, "touch a", tmp_path) == "deny"
    assert decision(rules, "make", tmp_path) == ""
    found = CodexBook(codex_scene({"rules": {"a.rules": rules}}, tmp_path)).diagnostics
    assert [each.code for each in found] == ["codex-rules-file"]


def test_a_file_of_which_nothing_can_be_read_asks_about_every_command(tmp_path: Path) -> None:
    assert decision('prefix_rule(pattern=["touch"', "ls", tmp_path) == "ask"


def test_a_rule_with_a_word_that_does_not_exist_prompts(tmp_path: Path) -> None:
    assert decision('deny_rule(pattern=["ls"])', "ls", tmp_path) == "ask"
    assert decision('prefix_rule(pattern=["ls"], decision="deny")', "ls", tmp_path) == "deny"
    assert decision('prefix_rule(pattern=["ls"], decision="askme")', "ls", tmp_path) == "ask"


def test_loops_functions_and_examples_are_followed() -> None:
    text = """
def guard(names, decision = "forbidden"):
    for name in names:
        prefix_rule(pattern = [name], decision = decision)

DANGEROUS = ["dd", "mk" + "fs"]
guard(DANGEROUS)
[prefix_rule(pattern = ["git", word], decision = "prompt") for word in ["push", "pull"] if word != "pull"]
prefix_rule(pattern = ["npm", ["publish", "unpublish"]], decision = "prompt", match = ["npm publish x"])
"""
    read = rules_text(text)
    assert read.flaw == ""
    checks = {
        "dd if=x": "forbidden",
        "mkfs": "forbidden",
        "git push": "prompt",
        "git pull": "",
        "npm unpublish": "prompt",
    }
    assert {line: decision_on(line.split(), [read])[0] for line in checks} == checks


@pytest.mark.parametrize(
    "text",
    [
        "x = 'a' * 10000000000",
        "x = ['a'] * 1000000000",
        "x = 'a'\n" + "x = x + x\n" * 60,
        "[[[i for i in range(9999)] for j in range(9999)] for k in range(9999)]",
        "def f():\n    f()\nf()",
        "x = '%99999999999d' % 1",
        "x = '{:99999999999}'.format(1)",
        "x = '{0.__class__}'.format('a')",
        "x = ''.__class__",
        "x = (1).__class__.__bases__",
        "exec('1')",
        "open('/etc/passwd')",
        "__import__('os')",
        "x = 2 ** 99999",
        "(" * 5000,
        "x = " + "-" * 5000 + "1",
        "x = [].append.__self__",
        "x = 'a'.replace('', 'b' * 99999)\n" * 20,
    ],
)
def test_a_file_cannot_escape_nor_run_for_ever(text: str) -> None:
    assert rules_text(text + "\n").flaw


def test_a_list_that_grows_in_a_loop_is_bounded() -> None:
    text = "x = ['a']\nfor i in range(100000):\n    x.extend(x)\n"
    assert rules_text(text).flaw


def test_read_only_without_questions_refuses_patches(tmp_path: Path) -> None:
    patch = {"input": "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch"}
    for approval, wanted in (("never", "deny"), ("on-request", "ask")):
        scene = codex_scene({"sandbox": "read-only", "approval": approval}, tmp_path / approval)
        facts = SessionFacts(scene.places.cwd, scene.places.cwd, scene.places.home)
        (book,) = rulebooks(scene)
        verdict = book.judged(ToolUse(ToolCall("apply_patch", "1", patch), facts))
        assert verdict is not None
        assert verdict.decision == wanted


def test_where_codex_is_not_set_up_and_has_no_rules_there_is_no_rulebook(tmp_path: Path) -> None:
    scene = codex_scene({}, tmp_path)
    assert [*rulebooks(scene)]
    (tmp_path / "home" / ".codex" / "config.toml").unlink()
    assert not [*rulebooks(scene.replace(run=Run()))]


@pytest.mark.parametrize(("is_interactive", "decision"), [(True, "ask"), (False, "deny")])
def test_a_command_that_wants_to_leave_the_sandbox_is_asked_about(
    is_interactive: bool, decision: str, tmp_path: Path
) -> None:
    scene = codex_scene({"approval": "on-request"}, tmp_path)
    (book,) = rulebooks(scene)
    use = codex_use(
        {"config": {"host": is_interactive}, "call": {"call": "exec_command", "arguments": ESCALATED}}, scene
    )
    verdict = book.judged(use)
    assert verdict is not None
    assert verdict.decision == decision


def test_a_backslash_before_a_letter_warns_nobody(recwarn: pytest.WarningsRecorder) -> None:
    text = 'prefix_rule(pattern=["a\\d", r"\\q", "\\n\\\\w"], decision="forbidden")\n'
    read = rules_text(text)
    assert read.flaw == ""
    assert read.rules[0].words == (("a\\d",), ("\\q",), ("\n\\w",))
    assert not [*recwarn]
    assert not rules_text(text + "prefix_rule(\n").is_lost
    assert not [*recwarn]


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        *[(each, "ask") for each in ("-f", "-r -f", "-v -f", "-rfv", "-Rf", "-dfi", "--force", "--recursive --force")],
        *[(each, "allow") for each in ("-r", "-i", "--recursive", "--", "-- -f")],
    ],
)
def test_every_spelling_of_a_forced_removal_is_asked_about(options: str, wanted: str, tmp_path: Path) -> None:
    rules = 'prefix_rule(pattern=["rm"], decision="allow")\n'
    assert decision(rules, f"rm {options} zz", tmp_path) == wanted
    assert (decision("", "rm zz -f", tmp_path / "after")) == "ask"


@pytest.mark.parametrize(
    ("wish", "config", "wanted"),
    [
        ("require_escalated", {}, "ask"),
        ("require_escalated", {"sandbox": "danger-full-access"}, ""),
        ("require_escalated", {"rules": {"a.rules": TOUCH.format("allow")}}, "allow"),
        ("require_escalated", {"rules": {"a.rules": TOUCH.format("forbidden")}}, "deny"),
        ("require_escalated", {"approval": "never", "sandbox": "danger-full-access"}, "deny"),
        ("use_default", {}, ""),
        ("with_additional_permissions", {}, "deny"),
        ("Require_Escalated", {}, "deny"),
        (["require_escalated"], {}, "deny"),
    ],
)
def test_what_a_call_wants_of_the_sandbox(wish: object, config: dict[str, Any], wanted: str, tmp_path: Path) -> None:
    scene = codex_scene({"approval": "on-request", **config}, tmp_path)
    facts = SessionFacts(scene.places.cwd, scene.places.cwd, scene.places.home)
    call = ToolCall("exec_command", "1", {"cmd": "touch made", "sandbox_permissions": wish})
    verdict = CodexBook(scene).judged(ToolUse(call, facts))
    assert (verdict.decision if verdict else "") == wanted


@pytest.mark.parametrize(
    "text",
    [
        *('approval_policy = "untrusted"', 'approval_policy = "Never"', "approval_policy = 5"),
        *('sandbox_mode = "Read-Only"', "sandbox_mode = true", "approval_policy = ", "[[["),
    ],
)
def test_a_config_with_which_codex_does_not_start_allows_nothing(text: str, tmp_path: Path) -> None:
    scene = codex_scene({"rules": {"a.rules": TOUCH.format("allow")}}, tmp_path)
    (tmp_path / "home" / ".codex" / "config.toml").write_text(f"{text}\n", "utf-8")
    facts = SessionFacts(scene.places.cwd, scene.places.cwd, scene.places.home)
    calls = [
        ToolCall("exec_command", "1", {"cmd": "touch made"}),
        ToolCall("apply_patch", "2", {"input": "*** Begin Patch\n*** Add File: n\n+x\n*** End Patch\n"}),
    ]
    (book,) = rulebooks(scene)
    for call in calls:
        for is_interactive, wanted in ((True, "ask"), (False, "deny")):
            verdict = book.judged(ToolUse(call, facts.replace(is_interactive=is_interactive)))
            assert verdict is not None
            assert verdict.decision == wanted
            assert "config.toml" in verdict.who


@pytest.mark.parametrize("policy", ['"on-request"', '"on-failure"', "{ granular = { rules = true } }"])
def test_a_policy_that_codex_knows_is_no_flaw(policy: str, tmp_path: Path) -> None:
    scene = codex_scene({}, tmp_path)
    (tmp_path / "home" / ".codex" / "config.toml").write_text(f"approval_policy = {policy}\n", "utf-8")
    facts = SessionFacts(scene.places.cwd, scene.places.cwd, scene.places.home)
    call = ToolCall("exec_command", "1", {"cmd": "touch made"})
    assert CodexBook(scene).judged(ToolUse(call, facts)) is None
