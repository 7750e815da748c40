"""Plugins of Claude Code that are drawn from a seed: every kind of component, odd names, odd bytes, odd headers."""

from __future__ import annotations

import json
from random import Random

Tree = dict[str, bytes]

_WORDS = "alpha beta Gamma delta-x epsilon_y größe 名前 a.b".split()
_BODIES = (
    "Do it.\n",
    "Fix $ARGUMENTS and $1, see @README.md\n",
    "State: !`git status`\n\n```!\nls -la\n```\n",
    "Run ${CLAUDE_PLUGIN_ROOT}/scripts/run.sh --out ${CLAUDE_PLUGIN_DATA}\r\nCRLF\r\n",
    'A """ and a \\ and {{args}} and !{x} and @{y} and ${extensionPath}',
    "Costs \\$1 or $$ or $HOME\n",
    "",
    "\u202ehidden\u200b \x7f\x01 end\n",
)
_HEADERS = (
    "description: {name} does it\n",
    'description: "Use when: {name}"\nargument-hint: [a] [b]\n',
    "description: Use when: it breaks\nmodel: sonnet\n",
    "name: {name}\ndescription: |\n  several\n  lines\ncolor: red\nprivate: {{a: [1, 2]}}\n",
    "description: Mine\nmodel: opus\nallowed-tools: Bash(git:*) Read\ntargets: all\n",
    "description: Mine\nargument-hint: '<file>'\nmodel: somebody/else\nmetadata: {{k: v}}\n",
    "",
)
_TOOLS = (
    *("", "tools: Read, Grep\n", "tools: [Bash, Write]\n", "tools: LSP\n", "disallowedTools: Bash\n"),
    *("tools: Bash(git log:*), Agent(x), mcp__s0__find\n", "tools: '*'\ndisallowedTools: [Write, mcp__s1]\n"),
    *("tools: Read, Bash\ndisallowedTools: Bash\nmaxTurns: 3\n", "skills: alpha, nobody\ntools: Read\n"),
)
_EVENTS = ("PreToolUse", "PostToolUse", "Stop", "SessionStart", "Notification", "UserPromptSubmit")
_MATCHERS = (None, "Bash", "Write|Edit", "mcp__.*", "*", "Read", "startup|clear")


def plugin_tree(seed: int) -> Tree:
    """Files by path. A program ends in `.sh`."""
    draw = Random(seed)
    tree: dict[str, str] = {".claude-plugin/plugin.json": json.dumps(_manifest(draw), indent=draw.choice((None, 2)))}
    for _ in range(draw.randrange(4)):
        tree[f"commands/{_path(draw)}.md"] = _page(draw, "")
    for _ in range(draw.randrange(4)):
        tree[f"agents/{_path(draw)}.md"] = _page(draw, draw.choice(_TOOLS))
    for _ in range(draw.randrange(4)):
        folder = f"skills/{draw.choice(_WORDS)}"
        tree[f"{folder}/SKILL.md"] = _page(draw, draw.choice(("", "disable-model-invocation: true\n")))
        tree[f"{folder}/scripts/run.sh"] = "#!/bin/sh\nexit 0\n"
    if draw.random() < 0.6:
        tree["hooks/hooks.json"] = json.dumps({"hooks": _hooks(draw)}, indent=1)
        tree["scripts/guard.sh"] = "#!/bin/sh\nexit 2\n"
    if draw.random() < 0.6:
        servers = _servers(draw)
        tree[".mcp.json"] = json.dumps(draw.choice((servers, {"mcpServers": servers})))
    found = {path: text.encode("utf-8", "surrogatepass") for path, text in tree.items()}
    return {**found, "README.md": b"\xef\xbb\xbf# Hello\r\n", "logo.bin": bytes(draw.randrange(256) for _ in range(64))}


def _manifest(draw: Random) -> dict[str, object]:
    found: dict[str, object] = {"name": draw.choice(("demo", "My_Demo", "démo", "a.b"))}
    if draw.random() < 0.7:
        found["version"] = "1.2.3"
    if draw.random() < 0.5:
        found |= {"description": "A “demo”", "author": {"name": "Me"}, "keywords": ["x"], "custom": {"a": 1}}
    if draw.random() < 0.3:
        found["userConfig"] = {
            "key": {"type": "string", "title": "Key", "description": "d", "sensitive": True},
            "size": {"type": "number", "title": "Size", "description": "How much", "default": 3, "min": 1},
        }
    return found


def _path(draw: Random) -> str:
    return "/".join(draw.choice(_WORDS) for _ in range(draw.randrange(1, 3)))


def _page(draw: Random, extra: str) -> str:
    header = draw.choice(_HEADERS).replace("{name}", draw.choice(_WORDS)).replace("{{", "{").replace("}}", "}") + extra
    return (f"---\n{header}---\n" if header else "") + draw.choice(_BODIES)


def _hooks(draw: Random) -> dict[str, object]:
    found: dict[str, list[object]] = {}
    for _ in range(draw.randrange(1, 5)):
        matcher = draw.choice(_MATCHERS)
        handler: dict[str, object] = {"type": "command", "command": '"${CLAUDE_PLUGIN_ROOT}"/scripts/guard.sh'}
        handler |= draw.choice(({}, {"timeout": 5}, {"if": "Bash(git:*)", "once": True}, {"async": True}))
        handler |= draw.choice(({}, {}, {"timeout": 0.5}, {"args": ["a", "${CLAUDE_PLUGIN_ROOT}"]}, {"timeout": 9000}))
        group = {"hooks": [handler], **({"matcher": matcher} if matcher else {})}
        found.setdefault(draw.choice(_EVENTS), []).append(group)
    return dict(found)


def _servers(draw: Random) -> dict[str, object]:
    kinds: tuple[dict[str, object], ...] = (
        {"command": "node", "args": ["${CLAUDE_PLUGIN_ROOT}/scripts/s.js"], "env": {"TOKEN": "${TOKEN}"}},
        {"type": "http", "url": "https://example.com/mcp", "headers": {"Authorization": "Bearer ${TOKEN:-none}"}},
        {"type": "sse", "url": "https://example.com/sse", "note": "n"},
        {
            "command": "${CLAUDE_PLUGIN_ROOT}/run.sh",
            "cwd": "${CLAUDE_PLUGIN_ROOT}/d",
            "env": {"A": "${A:-x}", "B": "b"},
        },
        {"command": "uvx", "args": ["x", "--key", "${user_config.key}"], "timeout": 5000, "alwaysAllow": ["a"]},
        {"type": "http", "url": "https://${HOST}/m", "headers": {"X": "${X}"}, "oauth": {"clientId": "c", "other": 1}},
        {"type": "ws", "url": "wss://example.com"},
    )
    return {f"s{number}": draw.choice(kinds) for number in range(draw.randrange(1, 4))}
