"""Made-up plugins and marketplaces of Claude Code: one oddity each, then two or three at once."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.conformance.workspaces.workspace import Draft

ODDITIES: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("claude_oddities.json").read_text("utf-8"))
SINGLE = [(table, label) for table in ("manifests", "files", "marketplaces") for label in ODDITIES[table]]
random.Random(0).shuffle(SINGLE)  # so that a sample has some of each

MANIFEST = {"name": "p", "version": "1.0.0", "description": "d"}
MARKETPLACE = {"name": "mk", "owner": {"name": "o"}, "plugins": [{"name": "p", "source": "./p"}]}
FILES = {
    "commands/c.md": "---\ndescription: d\n---\nDo it.\n",
    "agents/a.md": "---\nname: a\ndescription: d\n---\nDo it.\n",
    "skills/s/SKILL.md": "---\nname: s\ndescription: d\n---\nDo it.\n",
    "hooks/hooks.json": '{"hooks": {}}',
    ".mcp.json": '{"mcpServers": {}}',
}


@dataclass(frozen=True)
class Package:
    """A plugin or a marketplace to be validated; `label` says what is odd about it."""

    label: str
    folder: Path


def claude_package(seed: int, root: Path) -> Package:
    draft = Draft("claude-package", seed, root)
    if seed < len(SINGLE):
        table, label = SINGLE[seed]
        if table == "marketplaces":
            return Package(f"marketplace: {label}", marketplace(draft, label))
        manifests, files = ([label], []) if table == "manifests" else ([], [label])
    else:
        manifests = draft.random.sample(sorted(ODDITIES["manifests"]), draft.random.randint(1, 2))
        files = draft.random.sample(sorted(ODDITIES["files"]), draft.random.randint(0, 2))
    return Package(", ".join([*manifests, *files]), plugin(draft, draft.root / "plugin", manifests, files))


def plugin(draft: Draft, folder: Path, manifests: list[str], files: list[str]) -> Path:
    for name, text in FILES.items():
        draft.write(folder / name, text)
    for label in files:
        for name, text in ODDITIES["files"][label].items():
            draft.write(folder / name, text)
    changes = [ODDITIES["manifests"][label] for label in manifests]
    draft.write(folder / ".claude-plugin" / "plugin.json", changed(MANIFEST, changes))
    return folder


def marketplace(draft: Draft, label: str) -> Path:
    folder = draft.root / "marketplace"
    text = changed(MARKETPLACE, [ODDITIES["marketplaces"][label]])
    manifests = {"p": MANIFEST, "bad": {"name": "a b"}, "bad2": {**MANIFEST, "agents": "./agents"}}
    for name, manifest in manifests.items():
        if f'"./{name}"' in text:
            draft.json(folder / name / ".claude-plugin" / "plugin.json", manifest)
    draft.write(folder / "nomanifest" / "commands" / "c.md", "Do it.\n")
    draft.write(folder / ".claude-plugin" / "marketplace.json", text)
    return folder


def changed(value: dict[str, Any], changes: list[Any]) -> str:
    """The value as JSON, with keys set, or left out where a change has null; a text replaces everything."""
    for change in changes:
        if isinstance(change, str):
            return change
        value = {**value, **change}
    return json.dumps({key: each for key, each in value.items() if each is not None}, indent=2)
