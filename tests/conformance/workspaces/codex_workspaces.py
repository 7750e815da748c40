"""Made-up workspaces of Codex: trust of a project, servers and skills that are off, plugins, config that it rejects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.conformance.workspaces.workspace import Draft, Workspace, merged

WORDS = ["alpha", "beta", "gamma", "delta", "ship", "notes"]
SERVERS = ["search", "files", "db", "remote"]

# What its reader has something against, or not: each is the table of a server.
SHAPES: list[dict[str, Any]] = [
    {"command": "true", "url": "http://127.0.0.1:9"},
    {"url": "http://127.0.0.1:9", "env": {"A": "b"}},
    {"url": "http://127.0.0.1:9", "args": ["a"]},
    {"url": "http://127.0.0.1:9", "cwd": "/"},
    {"command": "true", "http_headers": {"A": "b"}},
    {"command": "true", "bearer_token_env_var": "TOKEN"},
    {"command": "true", "oauth": {"client_id": "x"}},
    {"url": "http://127.0.0.1:9", "bearer_token": "secret"},
    {"url": "http://127.0.0.1:9", "bearer_token_env_var": "TOKEN", "http_headers": {"A": "b"}},
    {"command": "true", "env_vars": [{"name": "A", "source": "nowhere"}]},
    {"command": "true", "env_vars": ["A", {"name": "B", "source": "local"}]},
    {"command": "true", "args": "text"},
    {"command": "true", "enabled": "no"},
    {"command": "true", "startup_timeout_sec": "soon"},
    {"command": "true", "startup_timeout_sec": 2.5, "tool_timeout_sec": 10},
    {"command": "true", "startup_timeout_ms": 100},
    {"command": "true", "startup_timeout_sec": -1},
    {"command": "true", "unknown_key": 1},
    {"command": 3},
    {"command": ""},
    {"url": ""},
    {"type": "http", "url": "http://127.0.0.1:9"},
    {"enabled": True},
    {},
    {"command": "true", "required": True, "enabled_tools": ["a"], "disabled_tools": ["b"]},
    {"command": "true", "enabled_tools": "a"},
    {"command": "true", "env": {"A": 1}},
    {"command": "true", "env": ["A"]},
]


def codex_workspace(seed: int, root: Path) -> Workspace:
    draft = CodexDraft(seed, root)
    for part in (place, trust, servers, skills, plugins, hooks, context, prompts, shapes):
        part(draft)
    draft.settle()
    return draft.finished()


class CodexDraft(Draft):
    """Both config files grow part by part and are written at the end."""

    def __init__(self, seed: int, root: Path) -> None:
        super().__init__("codex", seed, root)
        self.seed = seed
        self.config: dict[str, dict[str, Any]] = {"user": {}, "project": {}}
        self.hook_count = 0

    @property
    def user(self) -> Path:
        return Path(self.env.get("CODEX_HOME", self.home / ".codex"))

    @property
    def files(self) -> dict[str, Path]:
        return {"user": self.user / "config.toml", "project": self.folder / ".codex" / "config.toml"}

    def marker(self, path: Path) -> str:
        return str(path.relative_to(self.root))

    def set(self, level: str, **values: Any) -> None:
        self.config[level] = merged(self.config[level], values)

    def hook(self) -> dict[str, Any]:
        self.hook_count += 1
        return {"hooks": [{"type": "command", "command": f"true {self.hook_count}"}]}

    def settle(self) -> None:
        for level, path in self.files.items():
            if self.config[level]:
                text = "\n".join(toml_lines(self.config[level], ()))
                self.write(path, text + "\n[broken\n" if self.chance(0.02, f"broken {level} config") else text)


def toml_lines(table: dict[str, Any], above: tuple[str, ...]) -> list[str]:
    """Values first, then a heading for each table below; lists of tables as `[[...]]`."""
    below = {key: value for key, value in table.items() if isinstance(value, dict) or is_tables(value)}
    lines = [f"{quoted(key)} = {toml_value(value)}" for key, value in table.items() if key not in below]
    for key, value in below.items():
        name = (*above, key)
        heading = ".".join(map(quoted, name))
        if isinstance(value, dict):
            lines += ["", f"[{heading}]", *toml_lines(value, name)]
        else:
            for each in value:
                lines += ["", f"[[{heading}]]", *toml_lines(each, name)]
    return lines


def is_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)


def toml_value(value: Any) -> str:
    """Tables among other values of a list stand in one line."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{quoted(key)} = {toml_value(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    return json.dumps(value)


def quoted(key: str) -> str:
    return key if key.replace("_", "").replace("-", "").isalnum() and key.isascii() else json.dumps(key)


def place(draft: CodexDraft) -> None:
    if draft.chance(0.75, "git"):
        draft.repository()
    if draft.chance(0.25, "subfolder"):
        draft.folder = draft.project / "packages" / "app"
    if draft.chance(0.1, "CODEX_HOME"):
        draft.env["CODEX_HOME"] = str(draft.home / "moved")
        draft.user.mkdir(parents=True)


def trust(draft: CodexDraft) -> None:
    kind = draft.one(*["trusted"] * 5, "untrusted", "none", "above", "above")
    draft.traits.append(f"trust {kind}")
    if kind != "none":
        path = draft.project.parent if kind == "above" else draft.one(draft.folder, draft.project)
        level = "untrusted" if kind == "untrusted" else "trusted"
        draft.set("user", projects={str(path): {"trust_level": level}})


def server(draft: CodexDraft, path: Path) -> dict[str, Any]:
    table: dict[str, Any] = {"command": "true", "args": [draft.marker(path)]}
    if draft.chance(0.1):
        table = {"url": f"http://127.0.0.1:9/{draft.marker(path)}"}
    if draft.chance(0.2, "enabled = false"):
        table["enabled"] = False
    return table


def servers(draft: CodexDraft) -> None:
    for level, path in draft.files.items():
        names = draft.some(SERVERS, 3)
        if names:
            draft.set(level, mcp_servers={name: server(draft, path) for name in names})


def skill_files(draft: CodexDraft, folder: Path, most: int) -> list[Path]:
    written = []
    for name in draft.some(WORDS, most):
        path = folder / ("inner" if draft.chance(0.08, "nested skill") else "") / name / "SKILL.md"
        header = {"name": name if draft.chance(0.85) else f"{name}-x", "description": "does it"}
        if draft.chance(0.06, "bad skill"):
            header.pop(draft.one("name", "description"))
        if draft.chance(0.06, "colon in header"):
            header["description"] = "does it: well: indeed"
        if draft.chance(0.03, "no header"):
            draft.write(path, "Do it.\n")
        else:
            draft.markdown(path, header)
        written.append(path)
    return written


def skills(draft: CodexDraft) -> None:
    written = []
    for folder in dict.fromkeys(
        (draft.user, draft.home / ".agents", draft.folder / ".codex", draft.folder / ".agents")
    ):
        written += skill_files(draft, folder / "skills", 2)
    if draft.folder != draft.project:
        written += skill_files(draft, draft.project / ".agents" / "skills", 2)
    off: list[dict[str, Any]] = []
    for path in written:
        if draft.chance(0.2, "skill off"):
            off.append({"path": str(draft.one(path, path, path.parent)), "enabled": False})
    if draft.chance(0.1, "skill off by name"):
        off.append({"name": draft.one(*WORDS), "enabled": False})
    if off:
        draft.set("user", skills={"config": off})


def plugins(draft: CodexDraft) -> None:
    names = draft.some(WORDS, 2) if draft.chance(0.5, "plugins") else []
    market = draft.root / "market"
    for name in names:
        cache = draft.user / "plugins" / "cache" / "mk" / name / "1.0.0"
        for folder in (market / name, cache) if draft.chance(0.85) else (market / name,):
            plugin(draft, folder, name)
        if draft.chance(0.9):
            draft.set("user", plugins={f"{name}@mk": {"enabled": draft.one(True, True, True, False)}})
    if names:
        draft.set("user", marketplaces={"mk": {"source_type": "local", "source": str(market)}})
        entries = [{"name": name, "source": {"source": "local", "path": f"./{name}"}} for name in names]
        draft.json(market / ".agents" / "plugins" / "marketplace.json", {"name": "mk", "plugins": entries})


def plugin(draft: CodexDraft, folder: Path, name: str) -> None:
    manifest: dict[str, Any] = {"name": name, "version": "1.0.0", "description": "d"}
    if draft.chance(0.15, "odd plugin"):
        odd = ({"name": ""}, {"version": 1}, {"skills": "skills"}, {"skills": "./nope"}, {"author": "me"})
        manifest |= draft.one(*odd)
    draft.json(folder / ".codex-plugin" / "plugin.json", manifest)
    skill_files(draft, folder / "skills", 1)
    if draft.chance(0.4):
        path = folder / ".mcp.json"
        draft.json(path, {"mcpServers": {"of-plugin": {"command": "true", "args": [draft.marker(path)]}}})
    if draft.chance(0.3):
        draft.json(folder / "hooks" / "hooks.json", {"hooks": {"SessionStart": [draft.hook()]}})


def hooks(draft: CodexDraft) -> None:
    for level, path in draft.files.items():
        if draft.chance(0.3, "hooks"):
            draft.set(level, hooks={draft.one("SessionStart", "PreToolUse", "Stop"): [draft.hook()]})
        if draft.chance(0.2, "hooks.json"):
            draft.json(path.with_name("hooks.json"), {"hooks": {draft.one("SessionStart", "Stop"): [draft.hook()]}})
    if draft.chance(0.06, "features.hooks"):
        draft.set("user", features={"hooks": False})


def context(draft: CodexDraft) -> None:
    app = draft.project / "packages" / "app"
    folders = (draft.user, draft.project, app.parent, app, draft.project.parent, draft.project / "src")
    for folder in folders:
        for name in ("AGENTS.md", "AGENTS.override.md", "TEAM.md"):
            if draft.chance(0.4 if name == "AGENTS.md" else 0.1):
                draft.write(folder / name, f"This is {draft.marker(folder / name)} here.\n")
    if draft.chance(0.12, "project_doc_fallback_filenames"):
        draft.set("user", project_doc_fallback_filenames=["TEAM.md"])


def prompts(draft: CodexDraft) -> None:
    if draft.chance(0.2, "prompts"):
        draft.write(draft.user / "prompts" / "ask.md", "Ask $1.\n")


def shapes(draft: CodexDraft) -> None:
    """Every third workspace has one of the odd servers, in order, so that a run has all of them."""
    if draft.seed % 3 == 2:
        shape = SHAPES[draft.seed // 3 % len(SHAPES)]
        draft.traits.append(f"server {json.dumps(shape)}")
        draft.set("user", mcp_servers={"odd": shape})
