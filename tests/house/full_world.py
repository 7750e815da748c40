"""A home and a project in which every harness has something: packages, settings, commands, skills, hooks, servers."""

from __future__ import annotations

import json
from pathlib import Path

SKILL = "---\nname: {0}\ndescription: Writes {0} when somebody asks\n---\nDo it.\n"
AGENT = "---\nname: {0}\ndescription: Looks after {0}\n---\nYou look after one thing.\n"
PROMPT = "---\ndescription: Explains $ARGUMENTS\n---\nExplain $ARGUMENTS.\n"
COMMAND = 'description = "Explains a file"\nprompt = """\nExplain {{args}}.\n"""\n'
POLICY = '[[rule]]\ntoolName = "web_fetch"\ndecision = "ask_user"\npriority = 100\n'
SERVERS = {"docs": {"command": "docs-server", "args": ["--stdio"]}}
_SCHEMAS = "https://agent-plugins.org/schemas/1.0.0"
MODES = "customModes:\n  - slug: docs\n    name: Docs\n    roleDefinition: You write.\n    groups:\n      - read\n"
RUNS = {"type": "command", "command": "true"}

CODEX = """\
# Written by hand, with one of everything that people have there.
model = "gpt-5"
model_reasoning_effort = 'high'
hide_agent_reasoning = false
tool_output_token_limit = 12_000
notify = ["notify-send", "codex"]

[projects."/home/somebody/code"]
trust_level = "trusted"

[mcp_servers.docs]
command = "docs-server"
args = [
  "--stdio", # talks on stdout
  "--level=info",
]
env = { LEVEL = "info" }
startup_timeout_sec = 2.5

[plugins."review@team"]
enabled = true

[[hooks.PreToolUse]]
matcher = "Bash"
[[hooks.PreToolUse.hooks]]
type = "command"
command = "true"
"""


def full_world(home: Path, project: Path) -> None:
    """Writes it; a harness that is new gets its files here, or a test of the start complains."""
    for folder, tree in ((home, {**_of_users(home), **_loose()}), (project, _of_projects())):
        for path, content in tree.items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content if isinstance(content, str) else json.dumps(content, indent=2), "utf-8")
    (project / ".git").mkdir()


def _package(folder: str, name: str, manifest: str) -> dict[str, object]:
    """With one component of each kind, and its manifest at `manifest`."""
    parts: dict[str, object] = {
        "commands/fix.toml": COMMAND,
        "commands/explain.md": PROMPT,
        f"skills/{name}-notes/SKILL.md": SKILL.format(f"{name}-notes"),
        f"agents/{name}-keeper.md": AGENT.format(f"{name}-keeper"),
        "hooks/hooks.json": {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [RUNS]}]}},
        "policies/safe.toml": POLICY,
        manifest: {"name": name, "version": "1.0.0", "description": "A package", "mcpServers": SERVERS},
    }
    return {f"{folder}/{path}": content for path, content in parts.items()}


def _of_users(home: Path) -> dict[str, object]:
    plugin = ".claude/plugins/cache/team/review/1.0.0"
    stored = ".pisces/agent/packages/trees/stored"
    record = {"scope": "user", "installPath": str(home / plugin), "version": "1.0.0"}
    listed = {"name": "stored", "version": "1.0.0", "format": "gemini", "manifest": "gemini-extension.json"}
    listed |= {"folder": str(home / stored), "tree": f"sha256:{'0' * 64}"}
    return {
        **_package(".gemini/extensions/gemini-kit", "gemini-kit", "gemini-extension.json"),
        **_package(".qwen/extensions/qwen-kit", "qwen-kit", "qwen-extension.json"),
        **_package(".pisces/agent/extensions/own-kit", "own-kit", "gemini-extension.json"),
        **_package(".omp/agent/extensions/omp-kit", "omp-kit", "gemini-extension.json"),
        **_package(".cursor/plugins/local/cursor-kit", "cursor-kit", ".cursor-plugin/plugin.json"),
        ".agents/plugins/agent-kit/plugin.json": {"$schema": f"{_SCHEMAS}/plugin.schema.json", "name": "agent-kit"},
        ".agents/plugins/agent-kit/skills/kit-notes/SKILL.md": SKILL.format("kit-notes"),
        **_package(".openhands/plugins/hands-kit", "hands-kit", ".plugin/plugin.json"),
        **_package(".factory/plugins/cache/team/droid-kit/abc", "droid-kit", ".factory-plugin/plugin.json"),
        **_package(".copilot/installed-plugins/team/pilot-kit", "pilot-kit", ".plugin/plugin.json"),
        ".copilot/config.json": {"installedPlugins": [{"name": "pilot-kit", "marketplace": "team", "enabled": True}]},
        ".factory/plugins/installed_plugins.json": {
            "plugins": {"droid-kit@team": [{"installPath": str(home / ".factory/plugins/cache/team/droid-kit/abc")}]}
        },
        **_package(".codex/plugins/cache/team/review/1.10.0", "review", ".codex-plugin/plugin.json"),
        **_package(".codex/plugins/cache/team/review/1.9.0", "review", ".codex-plugin/plugin.json"),
        **_package(plugin, "review", ".claude-plugin/plugin.json"),
        **_package(stored, "stored", "gemini-extension.json"),
        ".pisces/agent/packages/index.json": {
            "version": 1,
            "packages": [{**listed, "source": {"kind": "folder", "location": "/somewhere"}}],
        },
        ".claude/plugins/installed_plugins.json": {"version": 2, "plugins": {"review@team": [record]}},
        ".claude/plugins/known_marketplaces.json": {
            "team": {
                "source": {"source": "github", "repo": "somebody/team"},
                "installLocation": str(home / ".claude/plugins/marketplaces/team"),
                "lastUpdated": "2026-01-01T00:00:00.000Z",
            }
        },
        ".claude/plugins/marketplaces/team/.claude-plugin/marketplace.json": {
            "name": "team",
            "owner": {"name": "Somebody"},
            "plugins": [{"name": "review", "source": "./review"}],
        },
        ".gemini/extensions/extension-enablement.json": {"gemini-kit": {"overrides": ["/*"]}},
        ".qwen/extensions/extension-enablement.json": {"qwen-kit": {"overrides": ["/*"]}},
    }


def _loose() -> dict[str, object]:
    """Settings, and files that lie loose in the folders of a harness."""
    hooks = {"PreToolUse": [{"matcher": "Bash", "hooks": [RUNS]}]}
    loose: dict[str, object] = {
        ".codex/config.toml": CODEX,
        ".pisces/agent/config.yml": "# What I do not want\ndisabledProviders: []\ndisabledExtensions:\n  - skill:old\n",
        ".omp/agent/config.yml": "theme: dark\nmodelRoles:\n  default: some/model\n",
        ".gemini/settings.json": '{\n  // mine\n  "mcpServers": {"docs": {"command": "docs-server"}}\n}\n',
        ".qwen/settings.json": '{\n  // mine\n  "hooks": {}\n}\n',
        ".claude/settings.json": {"enabledPlugins": {"review@team": True}, "hooks": hooks},
        ".claude.json": {"mcpServers": SERVERS},
        ".copilot/settings.json": {"theme": "dark"},
        ".copilot/mcp-config.json": {"mcpServers": SERVERS},
        ".cursor/mcp.json": {"mcpServers": SERVERS},
        ".cursor/hooks.json": {"version": 1, "hooks": {"stop": [{"command": "true"}]}},
        ".config/opencode/opencode.json": {"mcp": {"docs": {"type": "local", "command": ["docs-server"]}}},
        ".config/amp/settings.json": {"amp.mcpServers": SERVERS},
        ".config/amp/plugins/guard.ts": "export default function (amp) {}\n",
        ".factory/mcp.json": {"mcpServers": SERVERS},
        ".factory/commands/explain.md": PROMPT,
        ".continue/prompts/explain.md": PROMPT.replace("---\n", "---\ninvokable: true\n", 1),
        ".continue/mcpServers/docs.json": {"mcpServers": SERVERS},
        ".config/goose/skills/loose/SKILL.md": SKILL.format("loose"),
        ".augment/settings.json": {"mcpServers": SERVERS},
        ".openhands/mcp.json": {"mcpServers": SERVERS},
        ".openhands/hooks.json": {"hooks": {"stop": [{"hooks": [RUNS]}]}},
        ".openhands/microagents/style.md": "---\ntriggers: [style]\n---\nKeep lines short.\n",
        ".pi/agent/settings.json": {"theme": "dark"},
        ".pi/agent/prompts/explain.md": PROMPT,
        ".pi/agent/extensions/greet.ts": "export default function (pi) {}\n",
        ".codex/prompts/explain.md": PROMPT,
        ".codex/agents/keeper.toml": 'name = "keeper"\ndescription = "Keeps"\ndeveloper_instructions = "Keep."\n',
        ".pisces/agent/commands/explain.toml": COMMAND,
        ".gemini/policies/safe.toml": POLICY,
        ".cline/data/settings/cline_mcp_settings.json": {"mcpServers": SERVERS},
        ".codeium/windsurf/mcp_config.json": {"mcpServers": SERVERS},
        ".codeium/windsurf/hooks.json": {"hooks": {"pre_run_command": [{"command": "true"}]}},
        ".config/devin/mcp_config.json": {"mcpServers": SERVERS},
        ".kiro/settings/mcp.json": {"mcpServers": SERVERS},
        ".gemini/config/mcp_config.json": {"mcpServers": SERVERS},
        ".gemini/antigravity-cli/plugins/agy-kit/plugin.json": {"name": "agy-kit"},
        ".gemini/antigravity-cli/plugins/agy-kit/skills/agy-notes/SKILL.md": SKILL.format("agy-notes"),
        ".cline/agents/keeper.yml": AGENT.format("keeper"),
        ".cline/hooks/PreToolUse.sh": "true\n",
        ".cline/plugins/greet.ts": "export default {}\n",
    }
    for folder in (".agents", ".claude", ".codex", ".cursor", ".copilot", ".gemini", ".qwen", ".pi/agent"):
        loose[f"{folder}/skills/loose/SKILL.md"] = SKILL.format("loose")
    for folder in (".claude", ".cursor", ".copilot", ".gemini", ".qwen", ".config/opencode"):
        loose[f"{folder}/agents/reviewer.md"] = AGENT.format("reviewer")
    for folder in (".claude", ".cursor", ".omp/agent", ".config/opencode", ".agents"):
        loose[f"{folder}/commands/explain.md"] = PROMPT
    return loose


def _of_projects() -> dict[str, object]:
    return {
        "AGENTS.md": "# Rules\n\nKeep answers short.\n",
        "GEMINI.md": "# Rules\n",
        "CLAUDE.md": "# Rules\n",
        "mcp.json": {"mcpServers": {"words": {"command": "words-server"}}},
        ".mcp.json": {"mcpServers": SERVERS},
        ".github/prompts/explain.prompt.md": PROMPT,
        ".github/copilot-instructions.md": "Keep answers short.\n",
        ".pisces/settings.json": '{\n  // ours\n  "disabledProviders": []\n}\n',
        ".codex/config.toml": '[mcp_servers.words]\ncommand = "words-server"\n',
        ".gemini/commands/fix.toml": COMMAND,
        ".windsurf/rules/style.md": "Keep answers short.\n",
        ".windsurf/workflows/ship.md": "Ship it.\n",
        ".devin/hooks.v1.json": {"PreToolUse": [{"matcher": "exec", "hooks": [RUNS]}]},
        ".kiro/steering/style.md": "Keep answers short.\n",
        ".kiro/hooks/lint.json": {"version": "v1", "hooks": [{"name": "lint", "trigger": "Stop", "action": RUNS}]},
        ".kiro/agents/keeper.json": {"description": "Keeps", "prompt": "Keep."},
        ".agents/hooks.json": {"guard": {"PreToolUse": [{"matcher": "run_command", "hooks": [RUNS]}], "Stop": [RUNS]}},
        ".agents/rules/style.md": "Keep answers short.\n",
        ".roo/rules/style.md": "Keep answers short.\n",
        ".roo/rules-code/style.md": "Keep functions short.\n",
        ".roo/mcp.json": {"mcpServers": SERVERS},
        ".roomodes": MODES,
        ".clinerules/style.md": "Keep answers short.\n",
        ".clinerules/workflows/ship.md": "Ship it.\n",
    }
