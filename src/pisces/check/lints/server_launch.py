"""How MCP servers start, in every dialect: relative to the wrong folder, or a version that may change tomorrow."""

from __future__ import annotations

import os
import re

from pisces.check.lint import Lint
from pisces.check.server_place import server_place
from pisces.diagnostics import NOTE, WARNING, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.check.subject import Subject
    from pisces.diagnostics import Diagnostic

SERVER_RELATIVE = Rule(
    "server-relative",
    WARNING,
    "An MCP server is started from the wrong folder",
    "Without `cwd` a server starts in the user's project, not in the package, so a relative path leads nowhere.",
    '{"command": "node", "args": ["dist/server.js"]}',
    '{"command": "node", "args": ["${extensionPath}/dist/server.js"]}',
)
SERVER_FLOATING = Rule(
    "server-floating",
    NOTE,
    "An MCP server whose version is not fixed",
    "What is started may differ tomorrow from what was reviewed today, and starting it needs the network.",
    '{"command": "npx", "args": ["-y", "docs-server@latest"]}',
    '{"command": "npx", "args": ["-y", "docs-server@1.4.2"]}',
)

# The programs that fetch what they run, with the words that must follow for them to do so.
_RUNNERS = (
    ("npx",),
    ("bunx",),
    ("uvx",),
    ("pnpx",),
    ("npm", "exec"),
    ("npm", "x"),
    ("pnpm", "dlx"),
    ("yarn", "dlx"),
    ("bun", "x"),
    ("uv", "tool", "run"),
    ("pipx", "run"),
)
_TAKES_PACKAGE = ("--from", "-p", "--package", "--spec")
_TAKES_VALUE = ("--python", "--with", "--index", "--index-url", "-c", "--call", "--registry", "--directory")
_FIXED = re.compile(r".+?(?:@v?\d|==\d|@[0-9a-f]{7,40}$|@refs/)|git\+.+@[^/@]+$")
_SCRIPT = re.compile(r"(?!-)[\w.@-]+(?:/[\w.@-]+)*\.(?:js|mjs|cjs|ts|py|sh|rb)")


def _find(subject: Subject) -> Iterator[Diagnostic]:
    for found in subject.every("mcp-servers"):
        server = found.item
        config = server.config if isinstance(server.config, dict) else {}
        command, args = config.get("command"), _texts(config.get("args"))
        if not isinstance(command, str):
            continue
        if subject.formats and (relative := _relative(subject, command, args, config)):
            place = server_place(subject, server, *relative[1])
            hint = f"begin with `{_root(found.source.provider)}/`, or set `cwd`"
            message = f"`{relative[0]}` is looked for in the user's project"
            yield SERVER_RELATIVE.at(server.path, message, place=place, hint=hint, about=server.name)
        package = launched_package(command, args)
        if package and not _FIXED.match(package) and not package.startswith((".", "/", "$")):
            message = f"`{package}` has no fixed version"
            place = server_place(subject, server, "command")
            yield SERVER_FLOATING.at(
                server.path, message, place=place, hint="add one, as in `@1.2.3`", about=server.name
            )


def _relative(
    subject: Subject, command: str, args: list[str], config: dict[str, Any]
) -> tuple[str, tuple[str | int, ...]] | None:
    """The first relative path in a command line, and the keys that lead to it."""
    if config.get("cwd"):
        return None
    if command.startswith(("./", "../", ".\\")):
        return command, ("command",)
    for index, word in enumerate(args):
        if word.startswith(("./", "../")) or _SCRIPT.fullmatch(word):
            return (word, ("args", index)) if os.path.exists(subject.inside(word)) else None
    return None


def _root(provider: str) -> str:
    return {"gemini": "${extensionPath}", "claude-plugin": "${CLAUDE_PLUGIN_ROOT}"}.get(provider, "${PLUGIN_ROOT}")


def launched_package(command: str, args: list[str]) -> str:
    """The package that npx, uvx and their like would fetch; empty for other commands."""
    words = (os.path.basename(command).removesuffix(".cmd").removesuffix(".exe"), *args)
    for runner in _RUNNERS:
        if words[: len(runner)] == runner:
            return _first_package(words[len(runner) :])
    return ""


def _first_package(words: tuple[str, ...]) -> str:
    at = 0
    while at < len(words):
        word = words[at]
        flag, _, value = word.partition("=")
        if flag in _TAKES_PACKAGE:
            return value or (words[at + 1] if at + 1 < len(words) else "")
        if not word.startswith("-"):
            return word
        at += 2 if flag in _TAKES_VALUE and not value else 1
    return ""


def _texts(value: object) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


LINT = Lint("how MCP servers are started", _find)
