"""Hooks of a plugin keep their meaning in Codex: converted, installed and judged by the real program."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.codex_sessions import CodexSession, told
from tests.conformance.test_hook_shim import PROTOCOL, answer, inner
from tests.peer_programs import CODEX

pytestmark = pytest.mark.skipif(
    CODEX is None or not shutil.which("node"), reason="needs node, and Codex: npm install --prefix .peers @openai/codex"
)
BLOCKED = "blocked by PreToolUse hook"
# Reads which row is asked for, and does what that row says.
BY_ROW = '. "${CLAUDE_PLUGIN_ROOT}/rows/$(sed -n \'s/.*echo row-\\([0-9]*\\)".*/\\1/p\')"'


def shell(line: str) -> tuple[str, dict[str, Any]]:
    return "exec_command", {"cmd": line}


def patch(*lines: str) -> tuple[str, dict[str, Any]]:
    return "apply_patch", {"freeform": "\n".join(("*** Begin Patch", *lines, "*** End Patch"))}


def group(hook: dict[str, Any] | str, matcher: str | None = "Bash") -> dict[str, Any]:
    fields = {"type": "command", **({"command": hook} if isinstance(hook, str) else hook)}
    return {**({"matcher": matcher} if matcher else {}), "hooks": [fields]}


def test_every_row_of_the_protocol_ends_as_in_claude_code_or_is_stricter(tmp_path: Path) -> None:
    plain = {name: row for name, row in PROTOCOL.items() if isinstance(row[0], str)}
    others = {name: row for name, row in PROTOCOL.items() if isinstance(row[0], dict) and "if" not in row[0]}
    groups = [group(BY_ROW)]
    groups += [group({**row[0], "if": f"Bash(echo own-{number})"}) for number, row in enumerate(others.values())]  # type: ignore[dict-item]
    files = {f"rows/{number}": f"{row[0]}\n" for number, row in enumerate(plain.values())}
    session = CodexSession(tmp_path, {"PreToolUse": groups}, {**files, "rows/.keep": ""})
    session.install()
    calls = [shell(f"echo row-{number}") for number in range(len(plain))]
    calls += [shell(f"echo own-{number}") for number in range(len(others))]
    texts = told(session.talk(*calls))
    verdicts = dict(zip((*plain, *others), ("deny" if BLOCKED in each else "allow" for each in texts), strict=True))
    wanted = {name: "deny" if row[1] == "ask" else row[1] for name, row in (plain | others).items()}
    assert verdicts == wanted
    reasons = dict(zip((*plain, *others), texts, strict=True))
    assert [name for name, row in (plain | others).items() if row[2] and row[2] not in reasons[name]] == []


BY_PATH = 'grep -q "\\"file_path\\":\\"[^\\"]*secret" && { echo "not that file" >&2; exit 2; }; exit 0'
BY_CONTENT = 'grep -Eq "\\"(content|new_string)\\":\\"[^\\"]*PASSWORD" && { echo "no passwords" >&2; exit 2; }; exit 0'


def test_guards_about_files_see_the_files_of_a_patch(tmp_path: Path) -> None:
    session = CodexSession(
        tmp_path, {"PreToolUse": [group(BY_PATH, "Edit|Write"), group(BY_CONTENT, "Write|Edit|MultiEdit")]}
    )
    session.install()
    for name in ("secret.txt", "old.txt", "plain.txt"):
        (session.work / name).write_text("one\ntwo\n", "utf-8")
    heredoc = "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: secret.txt\n@@\n-one\n+ONE\n*** End Patch\nEOF"
    denied = [
        patch("*** Add File: secret/new.txt", "+x"),
        patch("*** Update File: secret.txt", "@@", "-one", "+ONE"),
        patch("*** Delete File: secret.txt"),
        patch("*** Update File: old.txt", "*** Move to: secret2.txt", "@@", "-one", "+ONE"),
        patch("*** Add File: a.txt", "+x", "*** Update File: secret.txt", "@@", "-one", "+ONE"),
        patch("*** Add File: b.txt", "+PASSWORD=1"),
        patch("*** Update File: plain.txt", "@@", "-one", "+PASSWORD"),
        shell(heredoc),
    ]
    allowed = [patch("*** Add File: fine.txt", "+x"), patch("*** Update File: plain.txt", "@@", "-one", "+ONE")]
    texts = told(session.talk(*denied, *allowed))
    assert [BLOCKED in each for each in texts] == [True] * len(denied) + [False] * len(allowed)
    assert "not that file" in texts[0]
    assert "no passwords" in texts[5]
    assert (session.work / "secret.txt").read_text("utf-8") == "one\ntwo\n"
    assert (session.work / "plain.txt").read_text("utf-8") == "ONE\ntwo\n"
    assert {each.name for each in session.work.iterdir()} == {"secret.txt", "old.txt", "plain.txt", "fine.txt"}


def test_inputs_are_rewritten_and_contexts_arrive(tmp_path: Path) -> None:
    def changed(**fields: Any) -> str:
        return answer(**inner(permissionDecision="allow", updatedInput=fields, additionalContext="CONTEXT"))

    after = answer(decision="block", reason="LOOK AGAIN")
    prompt = answer(**inner("UserPromptSubmit", additionalContext="FROM PROMPT"))
    hooks = {
        "PreToolUse": [
            group(changed(command="echo safe")),
            group(changed(file_path="@", content="safe\n").replace('"@"', '"new.txt"'), "Write"),
        ],
        "PostToolUse": [group(after)],
        "UserPromptSubmit": [group(prompt, None)],
        "SessionStart": [group("echo FROM START", "startup")],
    }
    session = CodexSession(tmp_path, hooks)
    session.install()
    model = session.talk(shell("echo dangerous > made"), patch("*** Add File: new.txt", "+dangerous"))
    assert not (session.work / "made").exists()
    assert (session.work / "new.txt").read_text("utf-8") == "safe\n"
    assert [each for each in ("CONTEXT", "LOOK AGAIN", "FROM PROMPT", "FROM START") if each not in model.read] == []
    assert "safe" in told(model)[0]


def test_a_prompt_is_denied_and_a_stop_is_held_up_nine_times(tmp_path: Path) -> None:
    guard = "grep -q forbidden && { exit 2; }; exit 0"
    session = CodexSession(tmp_path, {"UserPromptSubmit": [group(guard, None)], "Stop": [group("exit 2", None)]})
    session.install()
    assert session.talk(prompt="forbidden").bodies == []
    assert len(session.talk(prompt="fine").bodies) == 10


@pytest.mark.parametrize("broken", ["run.mjs", "words.mjs", "protocol.mjs", "hooks.json", "run.sh", "node"])
def test_a_guard_that_cannot_run_denies_and_nothing_else_is_held_up(broken: str, tmp_path: Path) -> None:
    hooks = {"PreToolUse": [group("exit 0")], "PostToolUse": [group("exit 0")], "Stop": [group("exit 2", None)]}
    session = CodexSession(tmp_path, hooks)
    root = session.install()
    if broken != "node":
        (root / "hooks/claude-compat" / broken).unlink()
    else:
        starter = root / "hooks/claude-compat/run.sh"
        starter.write_text(starter.read_text("utf-8").replace('node "', 'no-such-node "'), "utf-8")
    model = session.talk(shell("echo hi"))
    assert [BLOCKED in each for each in told(model)] == [True]
    assert len(model.bodies) == 2


def test_only_what_codex_reads_is_written(tmp_path: Path) -> None:
    session = CodexSession(tmp_path, {"PreToolUse": [group("exit 2")]})
    made = json.loads((session.plugin / "hooks/hooks.json").read_text("utf-8"))
    (entry,) = made["hooks"]["PreToolUse"]
    assert set(entry) == {"matcher", "hooks"}
    assert set(entry["hooks"][0]) == {"type", "command", "commandWindows", "timeout"}
