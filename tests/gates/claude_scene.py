"""A workspace with settings of Claude Code, and what its rules and the approval mode say of a call. Not a test."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pisces.discovery.harness import Run
from pisces.gates.approval_mode import mode_verdict
from pisces.gates.rulebook import RuleScene, ToolUse
from pisces.harnesses.claude.permissions import PermissionRules, rulebooks
from pisces.places import Places
from pisces.shapes.events.tools import ToolCall
from pisces.shapes.session_facts import SessionFacts
from pisces.shapes.verdict import ALLOW, ASK, DENY, Verdict

STRICTNESS = {ALLOW: 0, ASK: 1, DENY: 2}
FILES = {
    "x/a.txt": "A",
    "x/y/b.txt": "B",
    ".env": "S=1",
    "src/m.ts": "t",
    "sub/.env": "T=1",
    "a": "1",
    "b": "2",
}


class ClaudeScene:
    """`user`, `project` and `local` are settings. `@WORK@`, `@HOME@` and `@ROOT@` stand for folders of the test."""

    def __init__(
        self,
        root: Path,
        user: Any = None,
        project: Any = None,
        local: Any = None,
        files: Mapping[str, str] = FILES,
    ) -> None:
        self.root, self.work, self.home = root, root / "work", root / "home"
        for path, text in files.items():
            self._write(self.work / path, text)
        for file, settings in (
            (self.home / ".claude/settings.json", user),
            (self.work / ".claude/settings.json", project),
            (self.work / ".claude/settings.local.json", local),
        ):
            if settings is not None:
                text = settings if isinstance(settings, str) else json.dumps(settings)
                self._write(file, self._filled(text))
        self.work.mkdir(exist_ok=True, parents=True)
        self.home.mkdir(exist_ok=True, parents=True)
        places = Places(home=str(self.home), cwd=str(self.work), env={})
        self.books: list[PermissionRules] = list(rulebooks(RuleScene(places, Run())))

    def _write(self, path: Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")

    def _filled(self, text: str) -> str:
        text = text.replace("@WORK@", str(self.work)).replace("@HOME@", str(self.home))
        return text.replace("@ROOT@", str(self.root))

    def verdict(self, tool: str, given: Mapping[str, Any], mode: str = "ask", server: str = "") -> Verdict:
        """The strictest of all rules; where none speaks, the mode's."""
        filled = json.loads(self._filled(json.dumps(given)))
        facts = SessionFacts(str(self.work), str(self.work), str(self.home), mode=mode)
        if tool.startswith("mcp__") and not server:
            server = tool.split("__")[1]
        use = ToolUse(ToolCall(tool, "1", filled), facts, server)
        spoken = [verdict for book in self.books if (verdict := book.judged(use))]
        return max(spoken, key=lambda each: STRICTNESS[each.decision]) if spoken else mode_verdict(use)

    def line(self, command: str, mode: str = "ask") -> str:
        return self.verdict("Bash", {"command": command}, mode).decision


def ruled(root: Path, **rules: list[Any]) -> ClaudeScene:
    """The user has these rules: `deny`, `ask`, `allow`."""
    return ClaudeScene(root, {"permissions": rules})
