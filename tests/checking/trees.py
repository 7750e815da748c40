"""For each rule a small tree that breaks it, and nothing more than needed: also the first thing to read about a rule.

A path that ends with `/` is an empty folder. Trees lie in a folder called `box`, which is what is checked, unless a
tree has the key `check`.
"""

from __future__ import annotations

import json
from typing import Any

Tree = dict[str, str | bytes]

MANIFEST = "gemini-extension.json"
PLUGIN = ".claude-plugin/plugin.json"
HOOKS = "hooks/hooks.json"
AGENT_SCHEMA = "https://agent-plugins.org/schemas/1.0.0"
SKILL = "---\nname: review\ndescription: Reviews a change. Use when asked.\n---\nRead the diff first.\n"
AGENT = "---\nname: reviewer\ndescription: Reviews a change\n---\nYou review changes.\n"


def gemini(files: Tree | None = None, **fields: Any) -> Tree:
    """A Gemini extension that is fine, changed by `fields` of its manifest and by more files."""
    manifest = {"name": "box", "version": "1.0.0", "description": "A box", **fields}
    return {MANIFEST: json.dumps(manifest), **(files or {})}


def claude(files: Tree | None = None, **fields: Any) -> Tree:
    manifest = {"name": "box", "version": "1.0.0", "description": "A box", **fields}
    return {PLUGIN: json.dumps(manifest), **(files or {})}


def agent_plugin(files: Tree | None = None, **fields: Any) -> Tree:
    manifest = {"$schema": f"{AGENT_SCHEMA}/plugin.schema.json", "name": "box", **fields}
    return {"plugin.json": json.dumps(manifest), **(files or {})}


def command(text: str) -> Tree:
    return gemini({"commands/fix.toml": text})


def skill(text: str | bytes, folder: str = "review") -> Tree:
    return gemini({f"skills/{folder}/SKILL.md": text})


def agent(text: str | bytes) -> Tree:
    return gemini({"agents/reviewer.md": text})


def policy(text: str) -> Tree:
    return gemini({"policies/safety.toml": text})


def server(**config: Any) -> Tree:
    return gemini(mcpServers={"docs": config})


def hook(event: str, matcher: str | None = None, **fields: Any) -> Tree:
    return gemini({HOOKS: _hooks(event, matcher, fields)})


def claude_hook(event: str, matcher: str | None = None, **fields: Any) -> Tree:
    return claude({HOOKS: _hooks(event, matcher, fields)})


def _hooks(event: str, matcher: str | None, fields: dict[str, Any]) -> str:
    group: dict[str, Any] = {"hooks": [{"type": "command", "command": "true", **fields}]}
    if matcher is not None:
        group["matcher"] = matcher
    return json.dumps({"hooks": {event: [group]}})


def program(**fields: Any) -> Tree:
    return gemini({"bin/tool": "#!/bin/sh\n"}, commands={"tool": {**_PROGRAM, **fields}})


def agent_server(**config: Any) -> Tree:
    servers = {"$schema": f"{AGENT_SCHEMA}/mcp.schema.json", "mcpServers": {"docs": config}}
    return agent_plugin({"mcp.json": json.dumps(servers)})


_PROGRAM = {"type": "executable", "binary": "${extensionPath}/bin/tool"}
_RULE = 'toolName = "write_file"\ndecision = "deny"\npriority = 100\n'
_SETTING = {"name": "Key", "description": "A key", "envVar": "BOX_KEY", "sensitive": True}
_FIX = 'prompt = "Fix it"\n'

TREES: dict[str, Tree] = {
    # the Gemini manifest
    "manifest-missing": {"commands/fix.toml": _FIX},
    "manifest-invalid": gemini(name="no spaces"),
    "manifest-breaks-install": gemini(settings={}),
    "manifest-name-taken": gemini(name="constructor"),
    "manifest-key": gemini(contextFiles=["docs.md"]),
    "manifest-metadata": gemini(author="me"),
    "manifest-type": gemini(excludeTools="run_shell_command"),
    "manifest-version": gemini(version="1.0"),
    "manifest-folder": gemini(name="other"),
    "manifest-no-description": gemini(description=""),
    "manifest-migrated": gemini(migratedTo="new-name"),
    "plan-directory": gemini(plan={"directory": "../plans"}),
    "excluded-tool-pattern": gemini(excludeTools=["run_shell_command(rm -rf)"]),
    "excluded-tool-unknown": gemini(excludeTools=["Bash"]),
    "setting-field": gemini(settings=[{**_SETTING, "description": ""}]),
    "setting-variable": gemini(settings=[{**_SETTING, "envVar": "box-key"}]),
    "setting-twice": gemini(settings=[_SETTING, _SETTING]),
    "setting-secret": gemini(settings=[{**_SETTING, "envVar": "BOX_TOKEN", "sensitive": False}]),
    "theme-name": gemini(themes=[{"type": "custom"}]),
    "theme-twice": gemini(themes=[{"name": "Night"}, {"name": "Night"}]),
    "theme-colour": gemini(themes=[{"name": "Night", "text": {"primary": "#12345"}}]),
    # MCP servers
    "mcp-servers-shape": gemini(mcpServers=[{"command": "node"}]),
    "server-no-launch": server(program="docs-server"),
    "server-two-launches": server(command="docs-server", url="https://example.com/mcp"),
    "server-field": server(command="docs-server", env={"PORT": 8080}),
    "server-key": server(command="docs-server", disabled=True),
    "server-trust": server(command="docs-server", trust=True),
    "server-name": gemini(mcpServers={"my_docs": {"command": "docs-server"}}),
    "server-env": server(command="node", env={"NODE_OPTIONS": "--inspect"}),
    "server-relative": {**server(command="node", args=["dist/server.js"]), "dist/server.js": ""},
    "server-floating": server(command="npx", args=["-y", "docs-server@latest"]),
    "file-missing": server(command="node", args=["${extensionPath}/server.js"]),
    # commands
    "command-unreadable": gemini({"commands/fix.toml": "x" * (8 * 1024 * 1024 + 1)}),
    "command-syntax": command("prompt = "),
    "command-no-prompt": command('description = "Fixes"'),
    "command-description": command(_FIX + "description = 5"),
    "command-injection": command("prompt = '''Look: !{echo '''"),
    "command-file-in-shell": command("prompt = '!{wc -l @{notes.md}}'"),
    "command-key": command(_FIX + 'model = "pro"'),
    "command-empty": command('prompt = ""'),
    "command-long-description": command(f'{_FIX}description = "{"long " * 30}"'),
    "command-name": gemini({"commands/fix it.toml": _FIX}),
    "command-taken": gemini({"commands/help.toml": _FIX}),
    "command-arguments": command('prompt = "Fix $ARGUMENTS"'),
    "command-shell": command("prompt = 'Status: !`git status`'"),
    "command-markdown": gemini({"commands/fix.md": "Fix it"}),
    # executable commands
    "executable-commands": gemini(commands=["commands/fix.toml"]),
    "executable-type": program(type="binary"),
    "executable-name": gemini(commands={"my tool": _PROGRAM}),
    "executable-binary": program(binary="${extensionPath}/../tool"),
    "executable-variable": program(binary="${extensionPath}/${os}/tool"),
    "executable-field": program(requireConfirm="yes"),
    "executable-env": program(env={"LD_PRELOAD": "evil.so"}),
    "executable-missing": program(binary="bin/nothing"),
    "executable-not-runnable": program(),
    "executable-format": {**program(), "bin/tool": "print('hello')"},
    "executable-line-ends": {**program(), "bin/tool": "#!/bin/sh\r\necho\r\n"},
    "executable-key": program(requireConfirmation=True),
    "executable-subcommand-twice": program(subcommands=["list", "list"]),
    # variables
    "variable-foreign": hook("BeforeTool", command="${CLAUDE_PLUGIN_ROOT}/check.sh"),
    "variable-not-filled": command("prompt = 'Follow ${extensionPath}/guide.md'"),
    "variable-of-user": server(command="docs-server", env={"KEY": "${SOME_KEY}"}),
    "claude-variable": claude_hook("Stop", command="${extensionPath}/check.sh"),
    # skills
    "skill-no-header": skill("# Review"),
    "skill-no-name": skill("---\nname: review\n---\nRead."),
    "skill-too-deep": gemini({"skills/web/forms/SKILL.md": SKILL}),
    "skill-file-case": gemini({"skills/review/skill.md": SKILL}),
    "skill-unreadable": skill("x" * (8 * 1024 * 1024 + 1)),
    "skill-off-standard": skill(SKILL, folder="other"),
    "skill-extra-field": skill(SKILL.replace("description", "model: pro\ndescription")),
    "skill-empty": skill(SKILL.partition("Read the")[0]),
    "skill-long": skill(SKILL + "word " * 2000),
    "header-not-yaml": skill(SKILL.replace("Reviews a change.", "Use when: asked.")),
    # subagents
    "agent-no-header": agent("You review changes."),
    "agent-yaml": agent(AGENT.replace("Reviews a change", "Use when: asked")),
    "agent-header": agent(AGENT.replace("name:", "color: blue\nname:")),
    "agent-not-looked-at": gemini({"agents/review/security.md": AGENT}),
    "agent-unreadable": agent("x" * (8 * 1024 * 1024 + 1)),
    "agent-model": agent(AGENT.replace("name:", "model: sonnet\nname:")),
    "agent-empty": agent(AGENT.partition("You")[0]),
    # hooks
    "hooks-syntax": gemini({HOOKS: '{"hooks": {},}'}),
    "hooks-not-object": gemini({HOOKS: '{"BeforeTool": []}'}),
    "hook-event": hook("PreToolUse"),
    "hook-definition": gemini({HOOKS: '{"hooks": {"BeforeTool": [{"type": "command"}]}}'}),
    "hook-type": hook("BeforeTool", type="prompt"),
    "hook-command-type": hook("BeforeTool", command=["true"]),
    "hook-matcher-value": hook("SessionStart", "startup|clear"),
    "hook-matcher-tool": hook("BeforeTool", "Bash"),
    "hook-matcher-regex": hook("BeforeTool", "write_(file"),
    "hook-matcher-ignored": hook("BeforeAgent", "deploy"),
    "hook-timeout": hook("BeforeTool", timeout=30),
    "hook-twice": gemini(
        {HOOKS: json.dumps({"hooks": {"BeforeTool": [{"hooks": [{"type": "command", "command": "true"}] * 2}]}})}
    ),
    "hook-key": hook("BeforeTool", asynchronous=True),
    # policies
    "policy-syntax": policy('argsPattern = "\\."'),
    "policy-shape": policy('[[rule]]\ntoolName = "write_file"'),
    "policy-rule": policy(f'[[rule]]\n{_RULE}commandPrefix = "git"'),
    "policy-tool": policy(f"[[rule]]\n{_RULE.replace('write_file', 'writ_file')}"),
    "policy-pattern": policy(f"[[rule]]\n{_RULE}argsPattern = '('"),
    "policy-too-much": policy(f"[[rule]]\n{_RULE.replace('deny', 'allow')}"),
    "policy-key": policy(f"[[rules]]\n{_RULE}"),
    "policy-foreign-tool": policy(f"[[rule]]\n{_RULE.replace('write_file', 'AskUserQuestion')}"),
    "policy-place": gemini({"policies/team/safety.toml": f"[[rule]]\n{_RULE}"}),
    # context files and how files are written
    "context-path": gemini(contextFileName="../shared.md"),
    "context-missing": gemini(contextFileName="missing.md"),
    "context-folder": gemini({"docs/": ""}, contextFileName="docs"),
    "context-empty": gemini({"GEMINI.md": "\n"}),
    "context-import": gemini({"GEMINI.md": "See @./style.md"}),
    "not-utf8": gemini({"GEMINI.md": b"caf\xe9"}),
    "byte-order-mark": skill(b"\xef\xbb\xbf" + SKILL.encode()),
    "nul-character": gemini({"GEMINI.md": b"n\0a\0m\0e"}),
    "unprintable-name": gemini(mcpServers={"docs\u202e": {"command": "docs-server"}}),
    # Claude Code plugins
    "package-manifest": {PLUGIN: "[]"},
    "claude-manifest-key": claude(contextFileName="CLAUDE.md"),
    "claude-manifest-type": claude(author="me"),
    "claude-manifest-name": claude(name="My Box"),
    "claude-manifest-version": claude(version="1.0"),
    "claude-no-description": claude(description=""),
    "claude-hook-event": claude_hook("BeforeTool"),
    "claude-hook-shape": claude({HOOKS: '{"hooks": {"Stop": {"command": "true"}}}'}),
    "claude-hook-timeout": claude_hook("Stop", timeout=30000),
    "claude-hook-tool": claude_hook("PreToolUse", "run_shell_command"),
    "plugin-path": claude(commands="../commands"),
    "mcp-server-entry": claude({".mcp.json": '{"mcpServers": {"docs": "docs-server"}}'}),
    "mcp-server-type": claude({".mcp.json": '{"mcpServers": {"docs": {"url": "https://example.com"}}}'}),
    "config-syntax": claude({".mcp.json": "{"}),
    "config-not-an-object": claude({".mcp.json": "[]"}),
    "config-unreadable": claude({".mcp.json/": ""}),
    "markdown-unreadable": claude({"commands/fix.md": "x" * (8 * 1024 * 1024 + 1)}),
    "subagent-incomplete": {".claude/agents/reviewer.md": "---\nname: reviewer\n---\nYou review."},
    # Agent Plugins and bare skills
    "agent-plugin-manifest": agent_plugin(name="My Box"),
    "agent-plugin-field": agent_plugin(commands="./commands"),
    "agent-plugin-mcp": agent_plugin({"mcp.json": "{}"}),
    "agent-plugin-server": agent_server(command="docs-server"),
    "skill-not-conforming": agent_plugin({"skills/other/SKILL.md": SKILL}),
    "skill-incomplete": {"SKILL.md": "---\nname: box\n---\nRead."},
    "header-broken": agent_plugin({"skills/review/SKILL.md": SKILL.replace("Reviews a change.", "Use when: asked.")}),
    # a workspace, single files, and nothing at all
    "settings-unreadable": {".pisces/settings.json": "{"},
    "nothing-to-check": {"notes.txt": "hello"},
}

# Rules about what the user has installed: the tree lies in the user's home.
HOME_TREES: dict[str, Tree] = {
    "package-disabled": {
        ".gemini/extensions/box/gemini-extension.json": '{"name": "box", "version": "1.0.0"}',
        ".gemini/extensions/extension-enablement.json": '{"box": {"overrides": ["!/*"]}}',
    },
    "enablement-unreadable": {
        ".gemini/extensions/box/gemini-extension.json": '{"name": "box", "version": "1.0.0"}',
        ".gemini/extensions/extension-enablement.json": "{",
    },
}
