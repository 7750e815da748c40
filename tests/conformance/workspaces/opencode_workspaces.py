"""Made-up workspaces of OpenCode: merged config files, both spellings of its folders, switches, foreign skills."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.conformance.workspaces.workspace import Draft, Workspace, merged

WORDS = ["alpha", "beta", "gamma", "delta", "ship", "notes"]
SERVERS = ["search", "files", "db"]
INVALID: tuple[dict[str, Any], ...] = (
    {"unknown_key": 1},
    {"mcp": {"bad": {"command": "true"}}},
    {"mcp": {"bad": {"type": "local", "command": "true"}}},
    {"agent": {"bad": {"mode": "sometimes"}}},
    {"command": {"bad": {"description": "no template"}}},
    {"instructions": "AGENTS.md"},
)


def opencode_workspace(seed: int, root: Path) -> Workspace:
    draft = OpenCodeDraft(seed, root)
    for part in (place, servers, commands, agents, skills, modules, switches):
        part(draft)
    draft.settle()
    return draft.finished()


class OpenCodeDraft(Draft):
    def __init__(self, seed: int, root: Path) -> None:
        super().__init__("opencode", seed, root)
        self.user = self.home / ".config" / "opencode"
        self.config: dict[Path, dict[str, Any]] = {}

    def marker(self, path: Path) -> str:
        return str(path.relative_to(self.root))

    @property
    def files(self) -> list[Path]:
        return [
            self.user / "opencode.json",
            self.folder / "opencode.json",
            self.folder / ".opencode" / "opencode.jsonc",
        ]

    def set(self, path: Path, **values: Any) -> None:
        self.config[path] = merged(self.config.get(path, {}), values)

    def set_one(self, **values: Any) -> None:
        self.set(self.one(*self.files), **values)

    def settle(self) -> None:
        for path, value in self.config.items():
            text = json.dumps(value, indent=2)
            self.write(path, text[:-2] if self.chance(0.02, "broken config") else text)


def place(draft: OpenCodeDraft) -> None:
    if draft.chance(0.8, "git"):
        draft.repository()
    if draft.chance(0.2, "subfolder"):
        draft.folder = draft.project / "packages" / "app"


def folders(draft: OpenCodeDraft) -> list[Path]:
    return list(dict.fromkeys((draft.user, draft.folder / ".opencode", draft.project / ".opencode")))


def servers(draft: OpenCodeDraft) -> None:
    for path in draft.files:
        for name in draft.some(SERVERS, 1):
            server: dict[str, Any] = {"type": "local", "command": ["true", draft.marker(path)]}
            if draft.chance(0.2):
                server = {"type": "remote", "url": f"http://127.0.0.1:9/{draft.marker(path)}"}
            if draft.chance(0.2, "enabled: false"):
                server["enabled"] = False
            draft.set(path, mcp={name: server})
    if draft.chance(0.15, "only enabled"):
        draft.set(draft.files[1], mcp={draft.one(*SERVERS): {"enabled": draft.one(True, False)}})


def markdown_files(draft: OpenCodeDraft, kinds: tuple[str, str], **header: str) -> None:
    for folder in folders(draft):
        for name in draft.some([*WORDS, "deep/one"], 2):
            path = folder / draft.one(*kinds) / f"{name}.md"
            if draft.chance(0.05, "no header"):
                draft.write(path, f"{draft.marker(path)}\n")
            else:
                draft.markdown(path, {"description": draft.marker(path), **header}, draft.marker(path))


def commands(draft: OpenCodeDraft) -> None:
    markdown_files(draft, ("command", "commands"))
    if draft.chance(0.2, "command in config"):
        path = draft.one(*draft.files)
        draft.set(path, command={draft.one(*WORDS): {"template": "x", "description": draft.marker(path)}})


def agents(draft: OpenCodeDraft) -> None:
    markdown_files(draft, ("agent", "agents"), mode=draft.one("subagent", "primary", "all"))
    if draft.chance(0.2, "agent in config"):
        path = draft.one(*draft.files)
        draft.set(path, agent={draft.one(*WORDS): {"prompt": "x", "description": draft.marker(path)}})
    if draft.chance(0.2, "disable"):
        draft.set_one(agent={draft.one(*WORDS, "plan"): {"disable": True}})


def skills(draft: OpenCodeDraft) -> None:
    above = [*folders(draft), draft.home / ".claude", draft.home / ".agents"]
    for folder in [*above, draft.folder / ".claude", draft.folder / ".agents"]:
        for name in draft.some(WORDS, 1):
            path = folder / draft.one("skills", "skills" if folder.name[0] == "." else "skill") / name / "SKILL.md"
            header = {"name": name if draft.chance(0.85) else f"{name}-x", "description": "does it"}
            if draft.chance(0.07, "bad skill"):
                header.pop(draft.one("name", "description"))
            draft.markdown(path, header)


def modules(draft: OpenCodeDraft) -> None:
    for folder in folders(draft):
        if draft.chance(0.2, "plugin file"):
            draft.write(folder / draft.one("plugin", "plugins") / "mine.js", "export const Mine = async () => ({})\n")


def switches(draft: OpenCodeDraft) -> None:
    if draft.chance(0.1, "invalid config"):
        draft.set_one(**draft.one(*INVALID))
    for name in ("DISABLE_PROJECT_CONFIG", "DISABLE_EXTERNAL_SKILLS", "DISABLE_CLAUDE_CODE_SKILLS"):
        if draft.chance(0.06, name):
            draft.env[f"OPENCODE_{name}"] = "1"
    if draft.chance(0.06, "OPENCODE_CONFIG"):
        path = draft.root / "code" / "extra.json"
        draft.json(path, {"mcp": {"extra": {"type": "local", "command": ["true", draft.marker(path)]}}})
        draft.env["OPENCODE_CONFIG"] = str(path)
