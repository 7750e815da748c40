"""Workspaces of each program with shapes that its generator does not have: `oddities.py`, and settings that count."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.conformance.workspaces.claude import RUN
from tests.conformance.workspaces.claude_workspaces import claude_workspace
from tests.conformance.workspaces.codex_workspaces import codex_workspace
from tests.conformance.workspaces.gemini_workspaces import gemini_workspace
from tests.conformance.workspaces.oddities import renamed, with_oddities
from tests.conformance.workspaces.opencode_workspaces import opencode_workspace
from tests.conformance.workspaces.workspace import Workspace

HOOKS = {"SessionStart": [{"hooks": [{"type": "command", "command": "true"}]}]}
WRITING_HOOKS = {"SessionStart": [{"hooks": [{"type": "command", "command": RUN.format("odd")}]}]}
GEMINI: dict[str, Any] = {
    "admin.extensions.enabled": False,
    "admin.mcp.enabled": False,
    "admin.skills.enabled": False,
    "advanced.ignoreLocalEnv": True,
    "agents.overrides.alpha.enabled": False,
    "agents.overrides.beta": {"enabled": True},
    "context.fileName": ["NOTES.md", "AGENTS.md"],
    "context.includeDirectories": ["../shared"],
    "context.loadMemoryFromIncludeDirectories": True,
    "context.discoveryMaxDirs": 1,
    "context.memoryBoundaryMarkers": [".hg"],
    "experimental.enableAgents": False,
    "experimental.extensionManagement": False,
    "extensions.disabled": ["alpha"],
    "hooks": HOOKS,
    "hooks.enabled": False,
    "hooks.disabled": ["hook-1"],
    "hooksConfig.enabled": False,
    "hooksConfig.disabled": ["hook-1", "true 2"],
    "mcp.allowed": ["search"],
    "mcp.excluded": ["files"],
    "mcp.serverCommand": "true",
    "mcpServers.search": {"command": "true"},
    "mcpServers.db": {"url": "http://127.0.0.1:9/sse", "trust": True},
    "mcpServers.files.excludeTools": ["a"],
    "policyPaths": ["rules.toml"],
    "security.allowedExtensions": ["^https:"],
    "security.blockGitExtensions": True,
    "security.folderTrust.enabled": False,
    "security.folderTrust": {"enabled": True},
    "skills.disabled": ["alpha", "BETA"],
    "skills.enabled": False,
    "tools.exclude": ["glob"],
    "useWriteTodos": True,
    "contextFileName": "AGENTS.md",
    "excludeTools": ["glob"],
    "allowMCPServers": ["search"],
    "excludeMCPServers": ["search"],
}
CLAUDE: dict[str, Any] = {
    "agent": "alpha",
    "allowedMcpServers": [{"serverName": "search"}],
    "allowManagedHooksOnly": True,
    "claudeMdExcludes": ["**/CLAUDE.md"],
    "deniedMcpServers": [{"serverName": "files"}],
    "disableAllHooks": True,
    "disabledMcpjsonServers": ["search"],
    "enableAllProjectMcpServers": True,
    "enabledMcpjsonServers": ["search", "db"],
    "enabledPlugins.alpha@mk": True,
    "enabledPlugins.beta@mk": False,
    "enabledPlugins": {"gamma@mk": True, "nobody@nowhere": True},
    "env.X": "1",
    "extraKnownMarketplaces.other": {"source": {"source": "github", "repo": "a/b"}},
    "hooks": WRITING_HOOKS,
    "hooks.SessionStart": [],
    "hooks.PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "true"}]}],
    "mcpServers.search": {"command": "true"},
    "model": "sonnet",
    "outputStyle": "Explanatory",
    "permissions.allow": ["Bash(ls:*)"],
    "permissions.deny": ["Read(.env)"],
    "permissions.deny.0": "Skill(alpha)",
    "permissions.defaultMode": "plan",
    "permissions.additionalDirectories": [".."],
    "skillOverrides.alpha": "off",
    "skillOverrides": {"beta": "name-only"},
    "statusLine": {"type": "command", "command": "true"},
    "disableSkills": True,
    "disableBundledSkills": True,
    "strictKnownMarketplaces": [],
    "strictPluginOnlyCustomization": True,
    "cleanupPeriodDays": 3,
}
OPENCODE: dict[str, Any] = {
    "agent.alpha": {"prompt": "x", "description": "y"},
    "agent.beta.disable": True,
    "agent.gamma.mode": "subagent",
    "agent.plan.disable": True,
    "autoupdate": False,
    "command.alpha": {"template": "x"},
    "command.beta.description": "d",
    "default_agent": "plan",
    "disabled_providers": ["openai"],
    "enabled_providers": ["openai"],
    "experimental.mcp_timeout": 3,
    "instructions": ["docs/*.md"],
    "keybinds.leader": "ctrl+x",
    "mcp.search": {"type": "local", "command": ["true"]},
    "mcp.files": {"type": "remote", "url": "http://127.0.0.1:9"},
    "mcp.db.enabled": False,
    "mcp.db.environment": {"A": "b"},
    "mcp.files.timeout": 5,
    "mode.alpha": {"prompt": "x"},
    "model": "a/b",
    "permission.skill": {"*": "deny"},
    "permission": "ask",
    "permission.bash": "deny",
    "plugin": ["./mine.js"],
    "share": "disabled",
    "skills.paths": ["more"],
    "skills": {"paths": []},
    "snapshot": True,
    "theme": "dark",
    "tools.bash": False,
    "tools.skill": False,
    "username": "me",
    "watcher.ignore": ["x"],
}


def odd_gemini_workspace(seed: int, root: Path) -> Workspace:
    workspace = gemini_workspace(seed, root)
    home = Path(workspace.env.get("GEMINI_CLI_HOME", workspace.home))
    files = [home / ".gemini" / "settings.json", workspace.folder / ".gemini" / "settings.json"]
    for name in ("SYSTEM_SETTINGS", "SYSTEM_DEFAULTS"):
        if seed % 3 == 0:
            path = workspace.home.parent / f"{name.lower()}.json"
            workspace.env[f"GEMINI_CLI_{name}_PATH"] = str(path)
            files.append(path)
    return with_oddities(workspace, seed, GEMINI, files)


def odd_claude_workspace(seed: int, root: Path) -> Workspace:
    workspace = claude_workspace(seed, root)
    project = workspace.folder / ".claude"
    files = [workspace.home / ".claude" / "settings.json", project / "settings.json", project / "settings.local.json"]
    changed = with_oddities(workspace, seed, CLAUDE, files)
    if seed % 5 == 0:
        moved(changed, "CLAUDE_CONFIG_DIR", changed.home / ".claude")
    return changed


def odd_codex_workspace(seed: int, root: Path) -> Workspace:
    workspace = codex_workspace(seed, root)
    files = [workspace.home / ".codex" / "hooks.json", workspace.folder / ".codex" / "hooks.json"]
    return with_oddities(workspace, seed, {"hooks": HOOKS, "hooks.SessionStart": []}, files)


def odd_opencode_workspace(seed: int, root: Path) -> Workspace:
    workspace = opencode_workspace(seed, root)
    user, folder = workspace.home / ".config" / "opencode", workspace.folder
    names = [user / "opencode.json", user / "opencode.jsonc", user / "config.json"]
    files = [*names, folder / "opencode.json", folder / "opencode.jsonc", folder / ".opencode" / "opencode.json"]
    changed = with_oddities(workspace, seed, OPENCODE, files)
    if seed % 5 == 0:
        moved(changed, "XDG_CONFIG_HOME", changed.home / ".config")
    return changed


def moved(workspace: Workspace, variable: str, folder: Path) -> None:
    """The program's own folder lies elsewhere, and the variable says so."""
    if folder.is_dir() and not folder.is_symlink():
        new = workspace.home / "moved"
        state = workspace.home / ".claude.json"
        if variable == "CLAUDE_CONFIG_DIR" and state.is_file():
            renamed(state, folder / ".claude.json", workspace.home.parent)
        renamed(folder, new, workspace.home.parent)
        workspace.env[variable] = str(new)
        workspace.traits.append(f"ODD {variable}")
