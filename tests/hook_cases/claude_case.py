"""A workspace for one recorded case of Claude Code: the files that the case names, and the hooks that fire there."""

from __future__ import annotations

import asyncio
import json
import os
import re
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pisces.discovery import capabilities
from pisces.discovery.inventory import inspect
from pisces.discovery.registry import discover
from pisces.gates.hooks.found_hooks import found_hooks, hooks_of_package
from pisces.gates.hooks.header_hooks import header_hooks
from pisces.gates.trusted import Trust
from pisces.places import Places
from pisces.shapes.session_facts import MODE_ALL, MODE_ASK, MODE_EDITS, MODE_PLAN, SessionFacts

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from pisces.gates.hooks.dialect import LoadedHook
    from pisces.gates.hooks.run_callback import ModelQuestion

MODES = {"acceptEdits": MODE_EDITS, "plan": MODE_PLAN, "bypassPermissions": MODE_ALL}


class ClaudeCase:
    """`config` has the placeholders of the row filled in. Nothing is read from this machine but what is in `root`."""

    def __init__(self, row: Mapping[str, Any], root: Path, http: str = "http://127.0.0.1:9") -> None:
        self.row = row
        self.home, self.work, self.plugins = (root / name for name in ("home", "work", "plugins"))
        for folder in (self.home, self.work, self.plugins):
            folder.mkdir(parents=True, exist_ok=True)
        self.names = {
            "@HOME@": str(self.home),
            "@WORK@": str(self.work),
            "@PLUGINS@": str(self.plugins),
            "@ROOT@": str(root),
            "@HTTP@": http,
            "@MCP@": "mini_mcp.py",
        }
        self.config: dict[str, Any] = self.filled(row["config"])
        self.turns: list[Any] = self.filled(row.get("turns") or ([[row["call"]]] if "call" in row else []))
        self._write()
        env = {"PATH": os.environ["PATH"], "HOME": str(self.home), "LANG": "C.UTF-8", **self.config.get("env", {})}
        self.places = Places(str(self.home), str(self.work), env)
        self.cwd = str(self.work)

    def filled(self, value: Any) -> Any:
        text = json.dumps(value)
        for name, path in self.names.items():
            text = text.replace(name, json.dumps(path)[1:-1])
        return json.loads(text)

    def unfilled(self, text: str) -> str:
        for name in ("@WORK@", "@HOME@", "@PLUGINS@", "@HTTP@"):
            text = text.replace(self.names[name], name)
        return text

    def option(self, name: str) -> str | None:
        """The value of an option on the program's command line."""
        args = self.config.get("args", [])
        return args[args.index(name) + 1] if name in args else None

    @property
    def trust(self) -> Trust:
        is_trusted = self.config.get("trusted", True)
        return Trust().including_for_this_run(str(self.work)) if is_trusted else Trust()

    def facts(self) -> SessionFacts:
        return SessionFacts(
            self.cwd,
            str(self.work),
            str(self.home),
            id="00000000-0000-0000-0000-000000000000",
            model="claude-opus-5-5",
            mode=MODES.get(self.option("--permission-mode") or "", MODE_ASK),
            effort="medium",
            prompt_id="00000000-0000-0000-0000-000000000001",
            is_interactive=not self.config.get("headless", False),
        )

    def hooks(self) -> tuple[LoadedHook, ...]:
        found = found_hooks(self.places, self.trust).loaded
        folders = sorted(self.plugins.iterdir())
        return (*found, *(each for folder in folders for each in hooks_of_package(str(folder), self.places)))

    def skill_hooks(self, name: str) -> tuple[LoadedHook, ...]:
        """Those that fire from the use of a skill on."""
        own = name.partition(":")[2] or name
        plugins = [each for folder in self.plugins.iterdir() for each in inspect(str(folder), self.places)]
        found = [*discover(capabilities.SKILLS, self.places).items]
        found += [each for plugin in plugins for each in plugin.of(capabilities.SKILLS)]
        skill = next(each for each in found if each.item.name in (own, name))
        return header_hooks(skill.item, skill.source, "claude", trusted=True)

    async def complete(self, _question: ModelQuestion) -> str:
        return str(self.config.get("side", "done"))

    async def call_tool(self, server: str, tool: str, given: Mapping[str, Any]) -> str:
        env = self.config.get("mcp", {}).get("mcpServers", {})[server].get("env", {})
        if "MINI_LOG" in env:
            with open(env["MINI_LOG"], "a") as log:
                log.write(json.dumps({"name": tool, "arguments": given}) + "\n")
        if env.get("MINI_ERROR"):
            raise RuntimeError("the tool failed")
        return str(env["MINI_ANSWER"])

    def _write(self) -> None:
        config = self.config
        user = dict(config.get("settings") or {})
        flag = self.option("--settings")
        if flag:
            user = {**user, **json.loads(flag)}
        settings = {
            self.home / ".claude" / "settings.json": user,
            self.work / ".claude" / "settings.json": config.get("project_settings"),
            self.work / ".claude" / "settings.local.json": config.get("local_settings"),
        }
        sources = self.option("--setting-sources")
        if sources is not None and "user" not in sources:
            settings[self.home / ".claude" / "settings.json"] = None
        (self.home / ".claude").mkdir(exist_ok=True)
        for path, values in settings.items():
            if values is not None:
                path.parent.mkdir(exist_ok=True)
                path.write_text(json.dumps(values))
        write_tree(self.home, config.get("home_files", {}))
        write_tree(self.work, config.get("files", {}))
        for name, files in config.get("plugins", {}).items():
            write_tree(self.plugins / name, files)


def write_tree(folder: Path, files: Mapping[str, Any]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        mode = ""
        if isinstance(content, dict) and "text" in content:
            content, mode = content["text"], str(content.get("mode", ""))
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_text(text)
        if mode or text.startswith("#!"):
            path.chmod(int(mode or "755", 8))


@asynccontextmanager
async def hook_server(paths: Mapping[str, Any]) -> AsyncIterator[str]:
    """A server on loopback that answers http hooks as a row says; yields its address."""

    async def served(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = re.search(r"(?i)content-length: (\d+)", head)
        await reader.readexactly(int(length[1]) if length else 0)
        answer = paths.get(head.split(" ")[1], {"status": 404, "body": ""})
        await asyncio.sleep(answer.get("delay", 0))
        body = answer.get("body", "")
        data = (body if isinstance(body, str) else json.dumps(body)).encode()
        writer.write(f"HTTP/1.1 {answer.get('status', 200)} X\r\nContent-Length: {len(data)}\r\n\r\n".encode() + data)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(served, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
