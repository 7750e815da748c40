"""MCP servers and settings: all there, with no variable of Claude Code left that Gemini CLI does not know."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pisces.converting.fate import DROPPED, Fate
from tests.conformance.plugins.claude_view import MANIFEST
from tests.conformance.plugins.gemini_view import GeminiView
from tests.conformance.plugins.judgement import Judgement

LEFT = re.compile(r"\$\{?CLAUDE_|\$\{user_config\.")


def servers_of(plugin: Path) -> dict[str, Any]:
    """By Claude's rule: `.mcp.json`, flat or not, and what the manifest has or names."""
    declared = (json_at(plugin / MANIFEST) or {}).get("mcpServers")
    found: dict[str, Any] = {}
    for each in [".mcp.json", *(declared if isinstance(declared, list) else [declared])]:
        table = json_at(plugin / each) if isinstance(each, str) and each.endswith(".json") else each
        if isinstance(table, dict):
            inside = table.get("mcpServers", table)
            found |= {name: value for name, value in inside.items() if isinstance(value, dict)}
    return found


def options_of(plugin: Path) -> dict[str, Any]:
    declared = (json_at(plugin / MANIFEST) or {}).get("userConfig")
    return declared if isinstance(declared, dict) else {}


def json_at(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8-sig"))
    except (OSError, ValueError):
        return None


def judge_services(plugin: Path, fates: Iterable[Fate], gemini: GeminiView, judgement: Judgement) -> None:
    fates = list(fates)
    for name, value in servers_of(plugin).items():
        renamed = {name, name.replace("_", "-")}
        found = next((each for key, each in gemini.servers.items() if key in renamed), None)
        reported = any(each.kind == DROPPED and f"`{name}`" in each.subject for each in fates)
        good = reported if found is None else _is_complete(value, found)
        judgement.count("servers clean", "servers", good=good, fault=f"{name}: {json.dumps(found)}")
    options, written = options_of(plugin), len(gemini.settings)
    for name in options:
        mapped = any(each.output and each.subject == f"setting `{name}`" for each in fates)
        judgement.count("settings complete", "settings", good=mapped and written >= len(options), fault=name)


def _is_complete(value: dict[str, Any], found: dict[str, Any]) -> bool:
    """The program or the address is there, all arguments are, and nothing is left that nobody fills in."""
    arguments = len(value.get("args") or ()) <= len(found.get("args") or ())
    place = any(key in found for key in ("command", "url", "httpUrl"))
    return (
        place and arguments and not LEFT.search(json.dumps({key: each for key, each in found.items() if key != "env"}))
    )
