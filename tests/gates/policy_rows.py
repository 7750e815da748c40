"""Recorded policy cases as trees of files, and what our rulebooks make of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pisces.discovery.found import USER, Found, Source
from pisces.discovery.harness import Run
from pisces.gates.rulebook import RuleScene, ToolUse
from pisces.places import Places
from pisces.shapes.events.tools import ToolCall
from pisces.shapes.package import Package
from pisces.shapes.session_facts import SessionFacts

MODES = {"default": "ask", "autoEdit": "edits", "plan": "plan", "yolo": "all"}
STRICTNESS = {"allow": 0, "ask": 1, "deny": 2}


def written(folder: Path, files: dict[str, str]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


def scene_of(config: dict[str, Any], root: Path) -> RuleScene:
    """A case's configuration as files: tiers of policies, settings, packages."""
    home, work = root / "home", root / "work"
    home.mkdir(parents=True, exist_ok=True)
    work.mkdir(exist_ok=True)
    written(home / ".gemini" / "policies", config.get("user", {}))
    settings = dict(config.get("settings") or {})
    if "admin" in config:
        settings["adminPolicyPaths"] = [str(written(root / "admin", config["admin"]))]
    (home / ".gemini" / "settings.json").write_text(json.dumps(settings), "utf-8")
    (home / ".gemini" / "trustedFolders.json").write_text(json.dumps({str(work): "TRUST_FOLDER"}), "utf-8")
    if "workspace" in config:
        written(work / ".gemini" / "policies", config["workspace"])
    packages = []
    if "extension" in config:
        folder = written(root / "ext", {"gemini-extension.json": '{"name": "ext", "version": "1.0.0"}'})
        written(folder / "policies", config["extension"])
        package = Package("ext", str(folder), {"name": "ext", "version": "1.0.0"}, "gemini")
        packages = [Found(package, Source("gemini", "Gemini CLI", str(folder), USER))]
    return RuleScene(Places(str(home), str(work)), Run(), tuple(packages), True)


def use_of(row: dict[str, Any], scene: RuleScene) -> ToolUse:
    places = scene.places
    facts = SessionFacts(
        places.cwd,
        places.cwd,
        places.home,
        mode=MODES[row.get("mode") or "default"],
        agent=row.get("subagent") or "",
        is_interactive=row.get("interactive") is not False,
        is_trusted=row.get("trusted") is not False,
    )
    call = ToolCall(row["call"]["name"], "1", row["call"]["args"])
    return ToolUse(call, facts, row.get("server") or "", row.get("annotations") or {})


def rule_behind(row: dict[str, Any]) -> int:
    """Which of the nine rules for guards makes us stricter than Gemini CLI was in a recorded case."""
    if row.get("load_errors"):
        return 4  # a file with an error keeps its guards
    if "workspace" in row["config"]:
        return 5  # a workspace only narrows
    is_shell = row["call"]["name"] == "run_shell_command"
    if is_shell and "exclude" not in json.dumps(row["config"].get("settings") or {}):
        return 7  # commands are judged as they run
    return 2  # a denial is read liberally
