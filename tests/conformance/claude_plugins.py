"""Plugins and marketplaces that differ in one thing from one that Claude Code takes, drawn from a seed."""

from __future__ import annotations

import json
from random import Random
from typing import Any

Tree = dict[str, str]

_HOOK = {"type": "command", "command": "true"}
_GO = {"command": "gopls", "extensionToLanguage": {".go": "go"}}
_OPTION = {"type": "string", "title": "Key", "description": "A key"}
_SERVER = {"command": "docs"}
_SKILL = "---\nname: review\ndescription: Reviews\n---\nRead the diff.\n"

# For each field, values that fit and values that do not; the program decides which is which.
_FIELDS: dict[str, tuple[Any, ...]] = {
    "name": ("box", "", "my box", "My_Box", None, "a\tb", 1),
    "homepage": ("https://example.com", "example.com", "mailto:me@example.com", "https://", 1),
    "author": ({"name": "me"}, "me", {"name": ""}, {"email": "x"}, {"name": "me", "extra": 1}),
    "keywords": (["a"], "a", [1], []),
    "repository": ("me/box", {"url": "x"}),
    "agents": (["./agents/a.md"], "./agents", "agents/a.md", [], ["./agents/"]),
    "commands": ("./commands", {"fix": {"content": "Fix"}}, {"fix": {}}, "commands", ["./commands/fix.md"]),
    "skills": ("./skills", ".", "skills", ["./skills/review"], 1),
    "dependencies": (["other"], ["a b"], [{"name": "other"}], [{}]),
    "lspServers": ({"go": _GO}, {"go": {}}, {"go": {**_GO, "extra": 1}}, {"go": {**_GO, "command": "a b"}}),
    "mcpServers": ({"docs": _SERVER}, {"docs": {"url": "https://x"}}, {"docs": {"type": "http", "url": ""}}, {}, [], 1),
    "userConfig": ({"key": _OPTION}, {"my-key": _OPTION}, {"key": {**_OPTION, "enum": []}}, {"key": {"type": "text"}}),
    "channels": ([{"server": "docs"}], [{}], [{"server": "docs", "extra": 1}]),
    "monitors": ([{"name": "a", "command": "b", "description": "c"}], [{"name": "a"}], "./monitors"),
    "experimental": ({}, {"themes": 1}, {"extra": 1}, 1),
    "defaultEnabled": (True, "yes"),
    "extra": (1, {"a": 1}),
    "hooks": (
        {"Stop": [{"hooks": [_HOOK]}]},
        {"PreToolUse": [{"hooks": [_HOOK]}]},
        {"PreToolUse": [_HOOK]},
        {"PreToolUse": {}},
        {"PermissionRequest": [{"matcher": 1, "hooks": [_HOOK]}]},
        {"Unknown": [{"PreToolUse": [{"hooks": [_HOOK]}]}]},
        {"Unknown": []},
        "hooks.json",
    ),
}
_HOOK_FILES: tuple[Any, ...] = (
    {"hooks": {"Stop": [{"hooks": [_HOOK]}]}},
    {"Stop": []},
    {"PreToolUse": [{"hooks": [_HOOK]}]},
    {"hooks": {"PreToolUse": [{"hooks": [{**_HOOK, "timeout": -1}]}]}},
    {"hooks": []},
    {"description": 1, "hooks": {}},
    {"hooks": {"Unknown": []}},
)
_SERVER_FILES: tuple[Any, ...] = (
    {},
    {"mcpServers": {"docs": _SERVER}},
    {"mcpServers": {"docs": {"command": "docs", "args": "x"}}},
    {"mcpServers": {"docs": {"type": "http", "url": "docs"}}},
    {"mcpServers": {"docs": {"type": "http", "url": "${DOCS}"}}},
    {"docs": {"url": "https://example.com"}},
    {"mcpServers": {"docs": {"type": "HTTP", "url": "https://example.com"}}},
)
_SOURCES: tuple[Any, ...] = (
    "./box",
    "box",
    "../box",
    ".",
    1,
    {"source": "github", "repo": "me/box"},
    {"source": "github"},
    {"source": "url", "url": "https://example.com", "sha": "short"},
    {"source": "npm", "package": "../box"},
    {"source": "elsewhere"},
)
_MARKETS: tuple[dict[str, Any], ...] = (
    {},
    {"name": "my market"},
    {"name": "claude-official"},
    {"owner": "me"},
    {"owner": {"name": ""}},
    {"plugins": {}},
    {"plugins": [1]},
    {"extra": 1},
    {"metadata": 1},
    {"version": 1},
)


def trees(count: int, seed: int) -> list[Tree]:
    drawn = Random(seed)
    kinds = (_plugin, _plugin, _plugin, _with_hooks, _with_servers, _marketplace)
    return [drawn.choice(kinds)(drawn) for _ in range(count)]


def _plugin(drawn: Random, **files: str) -> Tree:
    manifest: dict[str, Any] = {"name": "box", "version": "1.0.0", "description": "A box"}
    if not files:
        field = drawn.choice(sorted(_FIELDS))
        manifest[field] = drawn.choice(_FIELDS[field])
    parts = {"skills/review/SKILL.md": _SKILL, "agents/a.md": "Help", "commands/fix.md": "Fix"}
    return {".claude-plugin/plugin.json": json.dumps(manifest), **parts, **files}


def _with_hooks(drawn: Random) -> Tree:
    return _plugin(drawn, **{"hooks/hooks.json": json.dumps(drawn.choice(_HOOK_FILES))})


def _with_servers(drawn: Random) -> Tree:
    return _plugin(drawn, **{".mcp.json": json.dumps(drawn.choice(_SERVER_FILES))})


def _marketplace(drawn: Random) -> Tree:
    entry = {"name": "box", "source": drawn.choice(_SOURCES)}
    listed = {"name": "market", "owner": {"name": "me"}, "plugins": [entry], **drawn.choice(_MARKETS)}
    plugin = {f"box/{name}": text for name, text in _plugin(drawn, README="A box").items()}
    return {".claude-plugin/marketplace.json": json.dumps(listed), **plugin}
