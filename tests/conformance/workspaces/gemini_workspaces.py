"""Made-up workspaces of Gemini CLI: switches, folder trust, links, same names, nested folders, broken files."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from tests.conformance.workspaces.workspace import Draft, Workspace, merged

WORDS = ["alpha", "beta", "gamma", "delta", "review", "ship", "notes", "lint"]
EVENTS = ["BeforeTool", "AfterTool", "SessionStart", "BeforeAgent", "Notification"]
HARMLESS = {"command": "true", "args": []}


def gemini_workspace(seed: int, root: Path) -> Workspace:
    draft = GeminiDraft(seed, root)
    for part in (
        place,
        trust,
        packages,
        enablement,
        commands,
        skills,
        agents,
        servers,
        hooks,
        context,
        policies,
        switches,
    ):
        part(draft)
    draft.settle()
    return draft.finished()


class GeminiDraft(Draft):
    """Settings of both levels grow part by part and are written at the end."""

    def __init__(self, seed: int, root: Path) -> None:
        super().__init__("gemini", seed, root)
        self.user_settings: dict[str, Any] = {}
        self.project_settings: dict[str, Any] = {}
        self.packages: list[str] = []
        self.servers: list[str] = []
        self.hook_count = 0

    @property
    def user(self) -> Path:
        return self.home / ".gemini"

    def set_user(self, **settings: Any) -> None:
        self.user_settings = merged(self.user_settings, settings)

    def set_project(self, **settings: Any) -> None:
        self.project_settings = merged(self.project_settings, settings)

    def set_one(self, **settings: Any) -> None:
        """At the level of the user, or of the project."""
        self.one(self.set_user, self.set_user, self.set_project)(**settings)

    def hook(self) -> dict[str, Any]:
        """Its command is its own, so that it can be recognised."""
        self.hook_count += 1
        entry: dict[str, Any] = {"type": "command", "command": f"true {self.hook_count}"}
        if self.chance(0.3):
            entry["name"] = f"hook-{self.hook_count}"
        if self.chance(0.06, "bad hook"):
            entry.pop(self.one("type", "command"))
        return {"matcher": self.one("read_file", "run_.*", "*"), "hooks": [entry]}

    def hooks(self, most: int) -> dict[str, Any]:
        names = [*EVENTS, "NoSuchEvent"] if self.chance(0.1, "unknown event") else EVENTS
        return {event: [self.hook()] for event in self.some(names, most)}

    def settle(self) -> None:
        for path, settings in (
            (self.user / "settings.json", self.user_settings),
            (self.folder / ".gemini" / "settings.json", self.project_settings),
        ):
            if settings or self.chance(0.3):
                text = json.dumps(settings, indent=2)
                comment = "// written by hand\n" if self.chance(0.2, "comments") else ""
                self.write(path, text[:-3] if self.chance(0.01, "broken settings") else comment + text)


def place(draft: GeminiDraft) -> None:
    """Where the program starts, and where its home is."""
    if draft.chance(0.7, "git"):
        draft.repository()
    if draft.chance(0.25, "subfolder"):
        draft.folder = draft.project / "packages" / "app"
    elif draft.chance(0.03, "in home"):
        draft.folder = draft.home
    if draft.chance(0.08, "GEMINI_CLI_HOME"):
        draft.home = draft.root / "elsewhere"
        draft.env["GEMINI_CLI_HOME"] = str(draft.home)
        if draft.chance(0.5):
            draft.write(draft.root / "home" / ".gemini" / "commands" / "lost.toml", 'prompt = "x"\n')


def trust(draft: GeminiDraft) -> None:
    here, above = str(draft.folder), str(draft.folder.parent)
    rules: dict[str, str] = {}
    kind = draft.one(*["off"] * 4, *["here"] * 5, "above", "above", "sibling", "none", "none", "denied", "mixed", "env")
    draft.traits.append(f"trust {kind}")
    if kind == "off":
        draft.set_user(security={"folderTrust": {"enabled": False}})
    elif kind == "here":
        rules = {here: "TRUST_FOLDER"}
    elif kind == "above":
        rules = {above: "TRUST_FOLDER"}
    elif kind == "sibling":
        rules = {f"{above}/sibling": "TRUST_PARENT"}
    elif kind == "denied":
        rules = {above: "TRUST_FOLDER", here: "DO_NOT_TRUST"}
    elif kind == "mixed":
        rules = {above: "DO_NOT_TRUST", f"{above}/a-long-sibling-name": "TRUST_PARENT"}
    elif kind == "env":
        draft.env["GEMINI_CLI_TRUST_WORKSPACE"] = draft.one("true", "false")
        rules = {here: draft.one("TRUST_FOLDER", "DO_NOT_TRUST")}
    if draft.chance(0.015, "unknown trust level"):
        rules[str(draft.root)] = "TRUSTED"
    if rules:
        draft.json(draft.user / "trustedFolders.json", rules)
    if draft.chance(0.15, "trust in project settings"):
        draft.set_project(security={"folderTrust": {"enabled": draft.one(True, False)}})


def packages(draft: GeminiDraft) -> None:
    for name in draft.some(WORDS, 4):
        folder = draft.user / "extensions" / name
        if draft.chance(0.12, "linked"):
            folder = draft.root / "sources" / name
            metadata = {"type": "link", "source": str(folder)}
            draft.json(draft.user / "extensions" / name / ".gemini-extension-install.json", metadata)
        elif draft.chance(0.6):
            kind = draft.one("local", "git", "github-release")
            source = str(draft.root / "from" / name) if kind == "local" else f"https://github.com/example/{name}"
            if draft.chance(0.05, "odd source"):
                source = draft.one("https://example.com/a.git", str(draft.root / "from"), "")
            draft.json(folder / ".gemini-extension-install.json", {"type": kind, "source": source})
        draft.packages.append(package(draft, name, folder))
    if draft.chance(0.05, "project extension"):
        package(draft, "local", draft.folder / ".gemini" / "extensions" / "local")


def package(draft: GeminiDraft, name: str, folder: Path) -> str:
    manifest: dict[str, Any] = {"name": name, "version": "1.0.0"}
    if draft.packages and draft.chance(0.015, "two of one name"):
        manifest["name"] = draft.packages[0]
    if draft.chance(0.05, "other name than its folder"):
        manifest["name"] = f"{name}-renamed"
    if draft.chance(0.04, "no version"):
        del manifest["version"]
    if draft.chance(0.04, "bad name"):
        manifest["name"] = draft.one("a b", "x/y", "", "ümlaut")
    if draft.chance(0.4):
        manifest["mcpServers"] = {each: dict(HARMLESS) for each in draft.some(["search", "files", "db"], 2)}
        draft.servers.extend(manifest["mcpServers"])
    if draft.chance(0.2):
        manifest["contextFileName"] = draft.one("NOTES.md", ["NOTES.md", "GEMINI.md"], "missing.md")
    if draft.chance(0.1):
        manifest["excludeTools"] = ["run_shell_command"]
    for file in draft.some(["GEMINI.md", "NOTES.md"], 2):
        draft.write(folder / file, "Be kind.\n")
    command_files(draft, folder / "commands", 2)
    skill_files(draft, folder / "skills", 2)
    agent_files(draft, folder / "agents", 1)
    if draft.chance(0.3):
        draft.json(folder / "hooks" / "hooks.json", {"hooks": draft.hooks(2)} if draft.chance(0.95) else draft.hooks(2))
    if draft.chance(0.15, "package policy"):
        policy(draft, folder / "policies" / "rules.toml")
    text = json.dumps(manifest)
    draft.write(folder / "gemini-extension.json", text[:-1] if draft.chance(0.02, "broken manifest") else text)
    return str(manifest["name"])


def enablement(draft: GeminiDraft) -> None:
    rules: dict[str, Any] = {}
    here, above = str(draft.folder), str(draft.folder.parent)
    for name in draft.packages:
        if draft.chance(0.3, "enablement"):
            choices = [f"!{here}/", f"!{above}/*", f"{here}/", f"{above}/*", "!/*", f"!{draft.home}/*", f"!{above}/"]
            rules[name] = {"overrides": draft.random.sample(choices, draft.random.randint(1, 3))}
    if rules and draft.chance(0.05, "bad enablement"):
        rules["other"] = {"overrides": "/*"}
    if rules:
        draft.json(draft.user / "extensions" / "extension-enablement.json", rules)


def command_files(draft: GeminiDraft, folder: Path, most: int) -> None:
    for name in draft.some([*WORDS, "git/commit", "help", "a b"], most):
        text = 'description = "d"\nprompt = "Say {{args}}"\n'
        if draft.chance(0.06, "bad command"):
            text = draft.one('description = "d"\n', "prompt = \n", "prompt = 3\n")
        draft.write(folder / f"{name}.toml", text)


def commands(draft: GeminiDraft) -> None:
    command_files(draft, draft.user / "commands", 3)
    command_files(draft, draft.folder / ".gemini" / "commands", 3)


def skill_files(draft: GeminiDraft, folder: Path, most: int) -> None:
    for name in draft.some(WORDS, most):
        header = {"name": name if draft.chance(0.85) else f"{name}-x", "description": "does it"}
        if draft.chance(0.07, "bad skill"):
            header.pop(draft.one("name", "description"))
        nested = "inner/" if draft.chance(0.1, "nested skill") else ""
        draft.markdown(folder / nested / name / "SKILL.md", header)


def skills(draft: GeminiDraft) -> None:
    for folder in (draft.user, draft.home / ".agents", draft.folder / ".gemini", draft.folder / ".agents"):
        skill_files(draft, folder / "skills", 2)
    if draft.chance(0.2, "skills.disabled"):
        draft.set_one(skills={"disabled": [*draft.some(WORDS, 3), draft.one("ALPHA", "Review")]})
    if draft.chance(0.05, "skills.enabled"):
        draft.set_one(skills={"enabled": draft.one(False, False, True)})


def agent_files(draft: GeminiDraft, folder: Path, most: int) -> list[Path]:
    written = []
    for name in draft.some([*WORDS, "generalist"], most):
        header = {"name": name, "description": "helps"}
        if draft.chance(0.08, "bad agent"):
            header.pop(draft.one("name", "description"))
        written.append(draft.markdown(folder / f"{name}.md", header))
    return written


def agents(draft: GeminiDraft) -> None:
    agent_files(draft, draft.user / "agents", 2)
    mine = agent_files(draft, draft.folder / ".gemini" / "agents", 2)
    known = {}
    for path in mine:
        if draft.chance(0.6, "acknowledged agent"):
            text = path.read_text("utf-8") if draft.chance(0.8) else "changed since"
            known[path.stem] = hashlib.sha256(text.encode()).hexdigest()
    if known:
        draft.json(draft.user / "acknowledgments" / "agents.json", {str(draft.folder): known})
    if draft.chance(0.15, "agents.overrides"):
        draft.set_one(agents={"overrides": {name: {"enabled": False} for name in draft.some(WORDS, 3)}})
    if draft.chance(0.05, "enableAgents"):
        draft.set_one(experimental={"enableAgents": False})


def servers(draft: GeminiDraft) -> None:
    names = ["search", "files", "db", "remote", "Files"]
    for place_settings in (draft.set_user, draft.set_project):
        for name in draft.some(names, 2):
            server: dict[str, Any] = dict(HARMLESS)
            if draft.chance(0.1, "server without command"):
                server = {"timeout": 5000}
            elif draft.chance(0.15):
                server = {"httpUrl": "http://127.0.0.1:9/mcp"}
            place_settings(mcpServers={name: server})
            draft.servers.append(name)
    if draft.chance(0.15, "mcp.allowed"):
        draft.set_one(mcp={"allowed": draft.some(names, 3)})
    if draft.chance(0.15, "mcp.excluded"):
        draft.set_one(mcp={"excluded": draft.some(names, 2)})
    if draft.chance(0.2, "mcp-server-enablement"):
        states = {name.lower(): {"enabled": draft.one(False, False, True)} for name in draft.some(names, 2)}
        draft.json(draft.user / "mcp-server-enablement.json", states)


def hooks(draft: GeminiDraft) -> None:
    if draft.chance(0.4):
        draft.set_user(hooks=draft.hooks(2))
    if draft.chance(0.4):
        draft.set_project(hooks=draft.hooks(2))
    if draft.chance(0.08, "hooksConfig.enabled"):
        draft.set_one(hooksConfig={"enabled": False})
    if draft.chance(0.15, "hooksConfig.disabled"):
        draft.set_one(hooksConfig={"disabled": ["hook-1", "true 2", "hook-3"]})


def context(draft: GeminiDraft) -> None:
    names = ["GEMINI.md"]
    if draft.chance(0.25, "context.fileName"):
        chosen = draft.one("AGENTS.md", ["AGENTS.md", "GEMINI.md"], ["CONTEXT.md"])
        draft.set_one(context={"fileName": chosen})
        names += ["AGENTS.md", "CONTEXT.md"]
    extra = draft.root / "code" / "shared"
    folders = [
        draft.user,
        draft.project,
        draft.project / "packages",
        draft.project / "packages" / "app",
        draft.project.parent,
    ]
    for folder in [*folders, extra, draft.project / "src" / "deep", draft.folder / ".gemini"]:
        for name in names:
            if draft.chance(0.4):
                draft.write(folder / name, f"About {folder.name}.\n")
    if draft.chance(0.12, "includeDirectories"):
        extra.mkdir(parents=True, exist_ok=True)
        include = {"includeDirectories": [str(extra)], "loadMemoryFromIncludeDirectories": draft.one(True, False)}
        draft.set_one(context=include)


def policy(draft: GeminiDraft, path: Path) -> None:
    tool = draft.one("read_file", "write_file", "run_shell_command", "glob")
    decision = draft.one("allow", "deny", "ask_user")
    text = f'[[rule]]\ntoolName = "{tool}"\ndecision = "{decision}"\npriority = {draft.one(1, 50, 100)}\n'
    if draft.chance(0.1, "bad policy"):
        text = draft.one(text.replace("priority", "priorities"), text.replace(decision, "perhaps"), text + "[[rule\n")
    draft.write(path, text)


def policies(draft: GeminiDraft) -> None:
    if draft.chance(0.25, "user policy"):
        policy(draft, draft.user / "policies" / "mine.toml")
    if draft.chance(0.2, "project policy"):
        policy(draft, draft.folder / ".gemini" / "policies" / "ours.toml")
    if draft.chance(0.1, "policyPaths"):
        path = draft.root / "rules" / "team.toml"
        policy(draft, path)
        draft.set_one(policyPaths=[str(draft.one(path, path.parent))])


def switches(draft: GeminiDraft) -> None:
    if draft.chance(0.06, "blockGitExtensions"):
        draft.set_one(security={"blockGitExtensions": True})
    if draft.chance(0.04, "allowedExtensions"):
        draft.set_one(security={"allowedExtensions": [draft.one(str(draft.root), "a$", "^https:", "^(?!.*alpha)")]})
    if draft.chance(0.06, "tools.exclude"):
        draft.set_one(tools={"exclude": ["run_shell_command"]})
