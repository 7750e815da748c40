"""A hostile package costs little and writes nothing outside of its places."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest

from pisces.converting.plugin import PluginAgent, PluginCommand, PluginFile, PluginServer, PluginSetting, PluginSkill
from pisces.converting.prompt_text import ROOT, PromptText, PromptVariable, plain
from tests.converting.gemini_output import DEMO, output_of

SAFE = re.compile(r"[\w.-]+(?:/[\w.-]+)*")
SECONDS = 20  # far more than any of them needs, far less than one that is not linear


@pytest.mark.parametrize(
    "name",
    ["..", "/etc/passwd", "a\x00b", "\ud800", "NUL", "x" * 500, "", "a/../b", "C:\\x", "\u202e", ".", " ", "日本"],
)
def test_whatever_something_is_called_its_file_is_in_its_place(name: str) -> None:
    hidden: Any = {"by_model": False}
    skills = (
        PluginSkill(name, "skills/s/SKILL.md", {"name": name}, {}, name, plain(name)),
        PluginSkill(name, f"skills/{name}/SKILL.md", {}, {}, name, plain(name), (f"skills/{name}/x",), **hidden),
    )
    made = output_of(
        DEMO.replace(
            name=name,
            skills=skills,
            agents=(PluginAgent(name, "agents/a.md", {}, {}, name, plain(name)),),
            commands=(PluginCommand(name, "commands/c.md", {}, {}, name, name, plain(name)),),
            servers=(PluginServer(name, ".mcp.json", {"command": name}),),
            settings=(PluginSetting(name, "plugin.json", {}),),
        )
    )
    for path in made.paths:
        assert SAFE.fullmatch(path), path
        assert not {".", "..", ""} & set(path.split("/"))
        assert not any(re.fullmatch(r"(?i)(con|nul)(\..*)?", part) for part in path.split("/"))
    assert len({each.casefold() for each in made.paths}) == len(made.paths) == 6


@pytest.mark.parametrize(
    "text",
    [
        *("`" * 100_000, "```\n" * 30_000, "demo:" * 50_000, "`/" * 50_000, "mcp__" * 30_000, "mcp__" + "a" * 100_000),
        *("subagent_type" + " " * 100_000, "@agent-" * 20_000, "${" * 50_000, "@{" * 50_000, "Read " * 30_000),
    ],
    ids=lambda text: text[:8],
)
def test_no_text_takes_long(text: str) -> None:
    started = time.process_time()
    prompt = PromptText((text, PromptVariable(ROOT, "${CLAUDE_PLUGIN_ROOT}"), "/a" * 50_000, text))
    output_of(
        DEMO.replace(
            commands=(PluginCommand("c", "commands/c.md", {}, {}, text, "", prompt),),
            skills=(PluginSkill("s", "skills/s/SKILL.md", {}, {}, text, prompt),),
            agents=(PluginAgent("a", "agents/a.md", {}, {}, text, prompt),),
        )
    )
    assert time.process_time() - started < SECONDS


def test_thousands_of_one_name_are_all_there() -> None:
    count = 1000
    started = time.process_time()
    made = output_of(
        DEMO.replace(
            commands=tuple(
                PluginCommand("c", f"commands/{each}.md", {}, {}, "d", "", plain("x")) for each in range(count)
            ),
            skills=tuple(
                PluginSkill("s", f"skills/{each}/s/SKILL.md", {}, {}, "d", plain("x")) for each in range(count)
            ),
            agents=tuple(PluginAgent("a", f"agents/{each}/a.md", {}, {}, "d", plain("x")) for each in range(count)),
            files=tuple(PluginFile(f".{each}/x") for each in range(count)),
        )
    )
    assert len(made.paths) == 3 * count + 1
    assert time.process_time() - started < SECONDS
