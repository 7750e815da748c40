"""Made-up workspaces of Claude Code: settings of three levels, plugins of marketplaces, servers that wait for approval.

Descriptions, arguments of servers and the commands of hooks say in which file they stand, so that the program's answer
tells the winner. The folder is trusted: without a terminal the program asks nobody.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.conformance.workspaces.claude_packages import MANIFEST, ODDITIES, changed
from tests.conformance.workspaces.workspace import Draft, Workspace, merged

WORDS = ["alpha", "beta", "gamma", "delta", "ship", "notes", "polish"]
LEVELS = ("user", "project", "local")
SERVERS = ["search", "files", "db", "remote"]
ODD_MANIFESTS = sorted(set(ODDITIES["manifests"]) - {"ok", "comment", "bom"})


def claude_workspace(seed: int, root: Path) -> Workspace:
    draft = ClaudeDraft(seed, root)
    for part in (place, skills, commands, agents, servers, plugins, hooks, context, switches):
        part(draft)
    draft.settle()
    return draft.finished()


class ClaudeDraft(Draft):
    """Settings and the state file grow part by part and are written at the end."""

    def __init__(self, seed: int, root: Path) -> None:
        super().__init__("claude", seed, root)
        self.settings: dict[str, dict[str, Any]] = {level: {} for level in LEVELS}
        self.state: dict[str, Any] = {}
        self.hook_count = 0

    @property
    def user(self) -> Path:
        return self.home / ".claude"

    def marker(self, path: Path) -> str:
        return str(path.relative_to(self.root))

    def set(self, level: str, **settings: Any) -> None:
        self.settings[level] = merged(self.settings[level], settings)

    def set_one(self, **settings: Any) -> None:
        self.set(self.one(*LEVELS), **settings)

    def set_state(self, **values: Any) -> None:
        """Of this project, in the program's own file."""
        self.state = merged(self.state, {"projects": {str(self.folder): values}})

    def server(self, path: Path) -> dict[str, Any]:
        if self.chance(0.15):
            return {"type": "http", "url": f"http://127.0.0.1:9/{self.marker(path)}"}
        if self.chance(0.06, "bad server"):
            return self.one({}, {"command": 3}, {"type": "nope", "command": "true"}, {"type": "http"})
        return {"command": "true", "args": [self.marker(path)]}

    def hook(self) -> dict[str, Any]:
        """It writes its number, so that one sees which ones ran."""
        self.hook_count += 1
        entry: dict[str, Any] = {"type": "command", "command": f'echo {self.hook_count} >>"$HOME/.ran"'}
        if self.chance(0.05, "bad hook"):
            entry = self.one({"type": "command"}, {"type": "nope", "command": "true"}, {"command": "true"})
        return {"hooks": [entry]} if self.chance(0.7) else {"matcher": self.one("startup", "*"), "hooks": [entry]}

    def hooks(self) -> dict[str, Any]:
        found: dict[str, Any] = {"SessionStart": [self.hook() for _ in range(self.random.randint(1, 2))]}
        if self.chance(0.08, "unknown event"):
            found["NoSuchEvent"] = [self.hook()]
        if self.chance(0.04, "bad PreToolUse"):
            found["PreToolUse"] = [{"matcher": "Bash"}]
        if self.chance(0.04, "bad Stop"):
            found["Stop"] = [{"matcher": "Bash"}]
        return found

    def settle(self) -> None:
        self.set_state(hasTrustDialogAccepted=True)
        self.json(self.home / ".claude.json", self.state)
        folder = self.folder / ".claude"
        names = ("user", self.user / "settings.json"), ("project", folder / "settings.json")
        for level, path in (*names, ("local", folder / "settings.local.json")):
            if self.settings[level] or self.chance(0.2):
                text = json.dumps(self.settings[level], indent=2)
                self.write(path, text[:-2] if self.chance(0.01, f"broken {level} settings") else text)


def place(draft: ClaudeDraft) -> None:
    if draft.chance(0.7, "git"):
        draft.repository()
    if draft.chance(0.25, "subfolder"):
        draft.folder = draft.project / "packages" / "app"


def project_folders(draft: ClaudeDraft) -> list[Path]:
    """The folder of the session, and the one above where it is in a subfolder."""
    return list(dict.fromkeys((draft.folder, draft.project)))


def described(draft: ClaudeDraft, path: Path, **header: str) -> None:
    """A Markdown file whose description is its own path; sometimes with a header that is odd."""
    marker = draft.marker(path)
    if draft.chance(0.05, "no header"):
        draft.write(path, f"{marker}\n")
    elif draft.chance(0.05, "bad header"):
        draft.write(path, f"---\ndescription: {marker}\nbad: [\n---\n{marker}\n")
    else:
        draft.markdown(path, {**header, "description": marker}, marker)


def skill_files(draft: ClaudeDraft, folder: Path, most: int) -> None:
    for name in draft.some(WORDS, most):
        header = {"name": name if draft.chance(0.8) else f"{name}-x"}
        if draft.chance(0.06, "disable-model-invocation"):
            header["disable-model-invocation"] = "true"
        nested = "inner" if draft.chance(0.07, "nested skill") else ""
        described(draft, folder / nested / name / "SKILL.md", **header)


def skills(draft: ClaudeDraft) -> None:
    skill_files(draft, draft.user / "skills", 3)
    for folder in project_folders(draft):
        skill_files(draft, folder / ".claude" / "skills", 2)
    if draft.chance(0.15, "skillOverrides"):
        kinds = ("off", "off", "name-only", "user-invocable-only")
        draft.set_one(skillOverrides={name: draft.one(*kinds) for name in draft.some(WORDS, 3)})


def command_files(draft: ClaudeDraft, folder: Path, most: int) -> None:
    for name in draft.some([*WORDS, "deep/one", "deep/er/two"], most):
        described(draft, folder / f"{name}.md")


def commands(draft: ClaudeDraft) -> None:
    command_files(draft, draft.user / "commands", 2)
    for folder in project_folders(draft):
        command_files(draft, folder / ".claude" / "commands", 2)


def agent_files(draft: ClaudeDraft, folder: Path, most: int) -> None:
    for name in draft.some(WORDS, most):
        header = {"name": name if draft.chance(0.85) else f"{name}-x"}
        if draft.chance(0.06, "agent without name"):
            del header["name"]
        described(draft, folder / f"{name}.md", **header)


def agents(draft: ClaudeDraft) -> None:
    agent_files(draft, draft.user / "agents", 2)
    for folder in project_folders(draft):
        agent_files(draft, folder / ".claude" / "agents", 2)


def servers(draft: ClaudeDraft) -> None:
    state = draft.home / ".claude.json"
    draft.state = {"mcpServers": {name: draft.server(state) for name in draft.some(SERVERS, 2)}}
    if draft.chance(0.3, "local server"):
        draft.set_state(mcpServers={name: draft.server(state) for name in draft.some(SERVERS, 1)})
    for folder in project_folders(draft):
        names = draft.some(SERVERS, 3)
        if names:
            path = folder / ".mcp.json"
            draft.json(path, {"mcpServers": {name: draft.server(path) for name in names}})
    approvals(draft)


def approvals(draft: ClaudeDraft) -> None:
    if draft.chance(0.25, "enabledMcpjsonServers"):
        draft.set_one(enabledMcpjsonServers=draft.some(SERVERS, 3))
    if draft.chance(0.15, "disabledMcpjsonServers"):
        draft.set_one(disabledMcpjsonServers=draft.some(SERVERS, 2))
    if draft.chance(0.2, "enableAllProjectMcpServers"):
        draft.set_one(enableAllProjectMcpServers=draft.one(True, True, False))
    if draft.chance(0.15, "approved in the state file"):
        draft.set_state(enabledMcpjsonServers=draft.some(SERVERS, 2), disabledMcpjsonServers=draft.some(SERVERS, 1))
    if draft.chance(0.12, "disabledMcpServers"):
        draft.set_state(disabledMcpServers=draft.some(SERVERS, 2))
    if draft.chance(0.05, "deniedMcpServers"):
        draft.set_one(deniedMcpServers=[{"serverName": draft.one(*SERVERS)}])


def plugins(draft: ClaudeDraft) -> None:
    names = draft.some(WORDS, 3)
    if not names:
        return
    market = draft.root / "market"
    for name in names:
        plugin(draft, market / name, name)
    entries = [{"name": name, "source": f"./{name}"} for name in names]
    draft.json(
        market / ".claude-plugin" / "marketplace.json", {"name": "mk", "owner": {"name": "o"}, "plugins": entries}
    )
    source = {"source": "directory", "path": str(market)}
    if draft.chance(0.4, "github marketplace"):
        source = {"source": "github", "repo": "example/market"}
    known = {"source": source, "installLocation": str(market), "lastUpdated": "2026-11-01T00:00:00.000Z"}
    if draft.chance(0.95):
        draft.json(draft.user / "plugins" / "known_marketplaces.json", {"mk": known})
    if draft.chance(0.7):
        draft.set(draft.one("user", "project"), extraKnownMarketplaces={"mk": {"source": source}})
    install(draft, market, names)


def install(draft: ClaudeDraft, market: Path, names: list[str]) -> None:
    """As `plugin install` leaves it: a copy in the cache, an entry in the list, a switch in settings."""
    installed = {}
    for name in names:
        cache = draft.user / "plugins" / "cache" / "mk" / name / "1.0.0"
        if draft.chance(0.88):
            for path in sorted(market.joinpath(name).rglob("*")):
                if path.is_file():
                    draft.write(cache / path.relative_to(market / name), path.read_text("utf-8"))
            entry = {"scope": "user", "installPath": str(cache), "version": "1.0.0"}
            times = {"installedAt": "2026-11-01T00:00:00.000Z", "lastUpdated": "2026-11-01T00:00:00.000Z"}
            installed[f"{name}@mk"] = [{**entry, **times}]
        else:
            draft.traits.append("not installed")
        for level in LEVELS:
            if draft.chance(0.75 if level == "user" else 0.15):
                draft.set(level, enabledPlugins={f"{name}@mk": draft.one(True, True, True, True, False)})
    draft.json(draft.user / "plugins" / "installed_plugins.json", {"version": 2, "plugins": installed})


def plugin(draft: ClaudeDraft, folder: Path, name: str) -> None:
    manifest: dict[str, Any] = {**MANIFEST, "name": name}
    text = json.dumps(manifest)
    if draft.chance(0.25, "odd manifest"):
        label = draft.one(*ODD_MANIFESTS)
        draft.traits.append(label)
        text = changed(manifest, [ODDITIES["manifests"][label]])
    draft.write(folder / ".claude-plugin" / "plugin.json", text)
    skill_files(draft, folder / "skills", 2)
    command_files(draft, folder / "commands", 2)
    agent_files(draft, folder / "agents", 2)
    if draft.chance(0.4):
        value = {"hooks": draft.hooks()} if draft.chance(0.93, "") else draft.hooks()
        draft.json(folder / "hooks" / "hooks.json", value)
    if draft.chance(0.4):
        path = folder / ".mcp.json"
        found = {each: draft.server(path) for each in draft.some(SERVERS, 2)}
        draft.json(path, {"mcpServers": found} if draft.chance(0.8) else found)


def hooks(draft: ClaudeDraft) -> None:
    for level in LEVELS:
        if draft.chance(0.35):
            draft.set(level, hooks=draft.hooks())
    if draft.chance(0.06, "disableAllHooks"):
        draft.set_one(disableAllHooks=draft.one(True, True, False))


def context(draft: ClaudeDraft) -> None:
    names = ["CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", ".claude/rules/style.md", "AGENTS.md"]
    app = draft.project / "packages" / "app"
    for folder in (draft.project, draft.project.parent, app.parent, app, draft.project / "src"):
        for name in names:
            if draft.chance(0.2):
                context_file(draft, folder / name)
    if draft.chance(0.5):
        context_file(draft, draft.user / "CLAUDE.md")
    if draft.chance(0.1, "user rule"):
        context_file(draft, draft.user / "rules" / "mine.md")
    if draft.chance(0.08, "claudeMdExcludes"):
        draft.set_one(claudeMdExcludes=[draft.one("**/CLAUDE.md", str(draft.project / "CLAUDE.md"), "**/packages/**")])


def context_file(draft: ClaudeDraft, path: Path) -> None:
    """Its text is its own: the program leaves out an AGENTS.md that says what another file says."""
    draft.write(path, f"Be kind in {draft.marker(path)}.\n")


def switches(draft: ClaudeDraft) -> None:
    if draft.chance(0.2, "permissions"):
        rules = {"allow": ["Bash(ls:*)"], "deny": ["Read(.env)"], "defaultMode": draft.one("default", "plan")}
        draft.set_one(permissions=rules)
    if draft.chance(0.05, "bad permissions"):
        draft.set_one(permissions=draft.one({"allow": "Bash"}, {"deny": [3]}, {"defaultMode": "perhaps"}))
