"""Homes with many synthetic Gemini CLI extensions, each with some of everything that a real one has."""

from __future__ import annotations

import json
from pathlib import Path

_PROMPT = """\
description = "Writes {name} for the change that is staged"

prompt = \"\"\"
You are looking at a change in {{{{args}}}}.

1. Read it whole before you say anything about it.
2. Say what it does, then what could go wrong, with the file and the line.
3. Keep to "{name}": other things belong elsewhere.

!{{git diff --staged}}
\"\"\"
"""
_SKILL_BODY = """\
# How it is done

Read the files first. Then do it step by step, and say what was done.
"""
# Half of all real headers hold nothing but `key: text`, the other half folds or lists something.
_FLAT_SKILL = """\
---
name: {name}
description: Knows how {name} is done in this project. Use when somebody asks for it.
license: Apache-2.0
---
"""
_FOLDED_SKILL = """\
---
name: {name}
description: >-
  Knows how {name} is done in this project. Use when somebody asks for it,
  or when a change touches what it is about.
license: Apache-2.0
---
"""
_AGENT = """\
---
name: {name}
description: "Looks after {name}: use when in doubt"
tools:
  - read_file
  - grep_search
  - glob
model: inherit
max_turns: 12
---
You look after one thing only. Answer in three sentences.
"""


def home_with(extensions: int, folder: Path) -> Path:
    """A home folder whose `.gemini/extensions` holds so many extensions."""
    for number in range(extensions):
        _extension(folder / ".gemini" / "extensions" / f"extension-{number:04}", number)
    return folder


def _extension(folder: Path, number: int) -> None:
    name = folder.name
    _write(folder / "gemini-extension.json", json.dumps(_manifest(name, number), indent=2))
    _write(folder / "GEMINI.md", f"# {name}\n\nKeep answers short. Name files by their path.\n")
    for command in ("review", "notes/release", "notes/week"):
        _write(folder / "commands" / f"{command}-{number}.toml", _PROMPT.format(name=f"{command} {number}"))
    for skill, header in (("tables", _FLAT_SKILL), ("charts", _FOLDED_SKILL)):
        text = header.format(name=f"{skill}-{number}") + _SKILL_BODY
        _write(folder / "skills" / f"{skill}-{number}" / "SKILL.md", text)
    _write(folder / "agents" / f"keeper-{number}.md", _AGENT.format(name=f"keeper-{number}"))
    _write(folder / "hooks" / "hooks.json", json.dumps(_hooks(), indent=2))


def _manifest(name: str, number: int) -> dict[str, object]:
    server = {"command": "node", "args": ["${extensionPath}${/}server.js"], "env": {"LEVEL": "${LEVEL:-info}"}}
    return {
        "name": name,
        "version": f"1.{number % 10}.0",
        "description": f"Extension number {number} of a workspace that was made to be measured",
        "mcpServers": {f"server-{number}": server},
        "contextFileName": "GEMINI.md",
    }


def _hooks() -> dict[str, object]:
    check = {"type": "command", "command": "${extensionPath}/hooks/check.sh", "timeout": 5000}
    return {"hooks": {"BeforeTool": [{"matcher": "write_file|replace", "hooks": [check]}]}}


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def home_with_installed(packages: int, folder: Path) -> Path:
    """The same extensions, installed in our own store."""
    home = home_with(packages, folder)
    store = home / ".pisces" / "agent" / "packages"
    store.mkdir(parents=True)
    (home / ".gemini" / "extensions").rename(store / "trees")
    listed = [
        {
            "name": tree.name,
            "version": "1.0.0",
            "format": "gemini",
            "manifest": "gemini-extension.json",
            "folder": str(tree),
            "tree": "sha256:" + "0" * 64,
            "source": {"kind": "folder", "location": "/somewhere"},
        }
        for tree in sorted((store / "trees").iterdir())
    ]
    (store / "index.json").write_text(json.dumps({"version": 1, "packages": listed}))
    return home
