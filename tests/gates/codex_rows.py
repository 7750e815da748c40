"""Recorded cases of Codex' approval rules as trees of files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pisces.discovery.harness import Run
from pisces.gates.rulebook import RuleScene, ToolUse
from pisces.places import Places
from pisces.shapes.events.tools import ToolCall
from pisces.shapes.session_facts import SessionFacts
from tests.gates.policy_rows import written


def codex_scene(config: dict[str, Any], root: Path) -> RuleScene:
    home, work = root / "home", root / "work"
    written(home / ".codex" / "rules", config.get("rules", {}))
    written(work, {".git/HEAD": "", **config.get("files", {})})
    approval = config.get("approval") or "never"
    lines = [f'approval_policy = "{approval}"', f'[projects."{work}"]', 'trust_level = "trusted"']
    if config.get("sandbox"):
        lines.insert(0, f'sandbox_mode = "{config["sandbox"]}"')
    (home / ".codex" / "config.toml").write_text("\n".join(lines) + "\n", "utf-8")
    return RuleScene(Places(str(home), str(work)), Run(), (), True)


def codex_use(row: dict[str, Any], scene: RuleScene) -> ToolUse:
    """`codex exec` asks nobody; the app server does."""
    places, call = scene.places, row["call"]
    given = call.get("arguments")
    arguments = json.loads(given) if isinstance(given, str) else given or {"input": call.get("input", "")}
    is_interactive = bool(row["config"].get("host"))
    facts = SessionFacts(places.cwd, places.cwd, places.home, is_interactive=is_interactive)
    return ToolUse(ToolCall(call["call"], "1", arguments), facts)
