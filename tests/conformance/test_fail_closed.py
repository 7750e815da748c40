"""The page `docs/concepts/fail-closed.md`: each line of its table is run, in every dialect that has such a guard."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pisces import Host, Places, ToolCall
from tests.hook_cases.codex_reviews import reviews
from tests.hook_cases.hook_server import HookServer
from tests.hook_cases.session import Asked
from tests.hook_cases.workspace import write_json

PAGE = Path(__file__).resolve().parents[2] / "docs" / "concepts" / "fail-closed.md"
ROW = re.compile(r"^\| (?!the guard|---)(.+?) \| (.+?) \| (.+?) \| (.+?) \| (\w+) \|$", re.MULTILINE)
CLAUDE_DENY: dict[str, Any] = {
    "hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "R"}
}
GEMINI_DENY: dict[str, Any] = {"decision": "deny", "reason": "R"}
DENY: dict[str, dict[str, Any]] = {"claude": CLAUDE_DENY, "codex": CLAUDE_DENY, "gemini": GEMINI_DENY}
OTHER: dict[str, dict[str, Any]] = {"claude": GEMINI_DENY, "codex": GEMINI_DENY, "gemini": CLAUDE_DENY}
EVENT = {"claude": "PreToolUse", "codex": "PreToolUse", "gemini": "BeforeTool"}
SECOND = {"claude": 1, "codex": 1, "gemini": 1000}
CALL: dict[str, tuple[str, dict[str, Any]]] = {
    "claude": ("Bash", {"command": "echo hi"}),
    "codex": ("exec_command", {"cmd": "echo hi"}),
    "gemini": ("run_shell_command", {"command": "echo hi"}),
}


def _printing(value: Any, exit_code: int = 0, before: str = "", after: str = "") -> dict[str, Any]:
    text = value if isinstance(value, str) else json.dumps(value)
    return {"type": "command", "command": f"printf '%s' '{before}{text}{after}'; exit {exit_code}"}


def _command(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "command", "command": text, **more}


def _changed(dialect: str, **changes: Any) -> dict[str, Any]:
    """The deny of a dialect with other fields, where the dialect has its decision."""
    value = json.loads(json.dumps(DENY[dialect]))
    inner = value.get("hookSpecificOutput", value)
    reason = "permissionDecisionReason" if inner is not value else "reason"
    decision = "permissionDecision" if inner is not value else "decision"
    for name, change in changes.items():
        inner[{"reason": reason, "decision": decision}.get(name, name)] = change
    return {**value}


def _without_reason(dialect: str) -> dict[str, Any]:
    value = _changed(dialect)
    inner = value.get("hookSpecificOutput", value)
    inner.pop("permissionDecisionReason", None)
    inner.pop("reason", None)
    return value


def guards(dialect: str) -> dict[str, dict[str, Any]]:
    """For each line of the page, the hook; `timeout` and `matcher` as the dialect writes them."""
    deny = DENY[dialect]
    allow = _changed(dialect, decision="allow")
    found = {
        "exits with 2 and says why on stderr": _command("echo NO >&2; exit 2"),
        "exits with 2 and says nothing": _command("exit 2"),
        "exits with 2, its text on stdout": _command("echo NO; exit 2"),
        "exits with 2 and prints an allow": _printing(allow, 2),
        "exits with 2 and prints a deny": _printing(deny, 2),
        "exits with 1, text on stderr": _command("echo broken >&2; exit 1"),
        "exits with 1 and prints a deny": _printing(deny, 1),
        "exits with 3, text on stderr": _command("echo broken >&2; exit 3"),
        "is a program that does not exist": _command("/does/not/exist"),
        "takes too long": _command("sleep 20", timeout=SECOND[dialect]),
        "prints a deny and then takes too long": _command(
            _printing(deny)["command"].replace("exit 0", "sleep 20"), timeout=SECOND[dialect]
        ),
        "is killed by a signal": _command("kill -9 $$"),
        "prints a log line before its deny": _printing(deny, before="checking\n"),
        "prints a log line after its deny": _printing(deny, after="\ndone"),
        "prints a deny with a byte order mark": _printing(deny, before="\ufeff"),
        "prints a deny without a reason": _printing(_without_reason(dialect)),
        "prints a deny beside an unknown field": _printing({**deny, "score": 3}),
        "prints a deny in capital letters": _printing(_changed(dialect, decision="DENY")),
        "prints a deny whose reason is a number": _printing(_changed(dialect, reason=5)),
        "prints a deny beside `continue: false`": _printing({**deny, "continue": False}),
        "prints the deny of another program": _printing(OTHER[dialect]),
        "prints an ask": _printing(_changed(dialect, decision="ask")),
        "prints half a JSON object": _printing('{"hookSpecificOutput": {"permission'),
        "has a matcher that is no regular expression": _command("echo NO >&2; exit 2"),
    }
    if dialect != "gemini":
        found["is marked `async`"] = _command("echo NO >&2; exit 2", **{"async": True})
        found["is an address that refuses the connection"] = {"type": "http", "url": "http://127.0.0.1:9/h"}
        found["is an address that answers 500"] = {"type": "http", "url": "@HTTP@/h"}
        found["is a question to a model, which answers nonsense"] = {"type": "prompt", "prompt": "Is this fine?"}
        found["is a tool of a server that does not exist"] = {"type": "mcp_tool", "server": "no", "tool": "no"}
    return found


TABLE: Mapping[str, str] = {row[0]: row[4] for row in ROW.findall(PAGE.read_text("utf-8"))}
CASES = [(dialect, line) for dialect in DENY for line in guards(dialect)]


def _write(home: Path, dialect: str, line: str, url: str) -> None:
    hook = json.loads(json.dumps(guards(dialect)[line]).replace("@HTTP@", url))
    group = {"hooks": [hook], **({"matcher": "Bash("} if "matcher" in line else {})}
    hooks = {EVENT[dialect]: [group]}
    if dialect == "claude":
        write_json(home / ".claude" / "settings.json", {"hooks": hooks})
    elif dialect == "gemini":
        write_json(home / ".gemini" / "settings.json", {"hooks": hooks})
    else:
        write_json(home / ".codex" / "hooks.json", {"hooks": hooks})
        (home / ".codex" / "config.toml").write_text(reviews(Places(str(home), str(home.parent / "work"))), "utf-8")


async def _verdict(home: Path, work: Path, dialect: str) -> str:
    async def nonsense(_question: object) -> str:
        return "as you like"

    asked = Asked("deny", can_ask=True)
    tool, given = CALL[dialect]
    places = Places(str(home), str(work), {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(home)})
    async with Host.open(places, asked, mode="all", complete=nonsense, is_audited=False) as host:
        judged = await host.judge(ToolCall(tool, "call-1", given))
    return "asked" if asked.calls else "ran" if judged.verdict.is_allowed else "blocked"


def test_every_line_of_the_page_is_run() -> None:
    assert {line for _, line in CASES} == set(TABLE)


@pytest.mark.parametrize(("dialect", "line"), CASES)
def test_a_guard_that_means_to_refuse_refuses(dialect: str, line: str, tmp_path: Path) -> None:
    home, work = tmp_path / "home", tmp_path / "work"
    home.mkdir()
    work.mkdir()
    server = HookServer({"/h": {"status": 500, "body": "broken"}})
    try:
        _write(home, dialect, line, server.url)
        assert asyncio.run(_verdict(home, work, dialect)) == TABLE[line]
    finally:
        server.close()
