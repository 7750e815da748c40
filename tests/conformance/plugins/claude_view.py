"""What the real Claude Code loads of a plugin: the names in its `init` event, and the errors that it found.

Nothing of the plugin runs: the program sees a copy whose files are empty unless they are Markdown or JSON, with hooks
off, no server, no network and a throwaway home. Dependencies are left out of the copy, because a missing one hides all.
"""

from __future__ import annotations

import json
import os
import shutil
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.conformance.workspaces.asking import answers
from tests.conformance.workspaces.claude import ENV, QUESTIONS
from tests.conformance.workspaces.workspace import Workspace
from tests.peer_programs import CLAUDE

READ = {".md", ".json"}
SKIPPED = {"node_modules", ".git"}
MANIFEST = Path(".claude-plugin", "plugin.json")
STARTING = ("dependencies", "monitors")  # keys that would start something, or ask for something that is not here


@dataclass(frozen=True)
class ClaudeView:
    """Names without the plugin's prefix. `skills` lacks those that only the model may call."""

    agents: frozenset[str]
    skills: frozenset[str]
    commands: frozenset[str]
    errors: tuple[str, ...]

    @property
    def hooks_rejected(self) -> bool:
        return any("Hook load failed" in each for each in self.errors)

    @property
    def is_rejected(self) -> bool:
        return any("Failed to load plugin" in each for each in self.errors)


def claude_view(plugin: Path, scratch: Path) -> ClaudeView | None:
    """None where the program is not installed."""
    if CLAUDE is None:
        return None
    copy = scratch / "plugin"
    harmless_copy(plugin, copy)
    event = _init_event(copy, scratch)
    prefixes = tuple(f"{each['name']}:" for each in event.get("plugins", ()) if each.get("path") == str(copy))

    def own(names: list[str]) -> frozenset[str]:
        return frozenset(each.removeprefix(prefix) for each in names for prefix in prefixes if each.startswith(prefix))

    skills = own(event.get("skills", []))
    errors = tuple(each["message"] for each in event.get("plugin_errors") or ())
    return ClaudeView(own(event.get("agents", [])), skills, own(event.get("slash_commands", [])) - skills, errors)


def harmless_copy(plugin: Path, copy: Path) -> None:
    for folder, inside, names in os.walk(plugin):
        inside[:] = [each for each in inside if each not in SKIPPED]
        for link in (Path(folder, each) for each in inside):
            if link.is_symlink() and link.resolve().is_relative_to(plugin.resolve()):
                target = copy / link.relative_to(plugin)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.symlink_to(os.path.relpath(link.resolve(), link.parent.resolve()))
        for name in names:
            source = Path(folder, name)
            target = copy / source.relative_to(plugin)
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.suffix.lower() in READ and os.path.isfile(source):  # also of a link that leads nowhere
                shutil.copyfile(source, target)
            else:
                target.write_bytes(b"")
    _without_starters(copy / MANIFEST)
    shutil.rmtree(copy / "monitors", ignore_errors=True)


def _without_starters(manifest: Path) -> None:
    try:
        value = json.loads(manifest.read_text("utf-8-sig"))
    except (OSError, ValueError):
        return
    if isinstance(value, dict) and any(each in value for each in STARTING):
        manifest.write_text(json.dumps({key: each for key, each in value.items() if key not in STARTING}), "utf-8")


def _init_event(copy: Path, scratch: Path) -> dict[str, Any]:
    workspace = Workspace("plugin", scratch / "claude-home", scratch / "claude-project")
    workspace.home.mkdir()
    workspace.folder.mkdir()
    settings = json.dumps({"disableAllHooks": True})
    formats = ("--input-format", "stream-json", "--output-format", "stream-json", "--verbose")
    assert CLAUDE
    argv: list[str | Path] = [CLAUDE, "-p", *formats, "--strict-mcp-config", "--settings", settings]
    with closing(answers([*argv, "--plugin-dir", copy], QUESTIONS[1:], workspace, **ENV)) as events:
        return next((event for event in events if event.get("subtype") == "init"), {})
