"""Agents, skills and commands: each that Claude Code loads must load in Gemini CLI, with no more rights and clean."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pisces.converting.fate import DROPPED, Fate
from pisces.converting.plugin import Plugin, PluginAgent, PluginItem, PluginSkill
from tests.conformance.plugins.claude_view import ClaudeView
from tests.conformance.plugins.gemini_view import GeminiView
from tests.conformance.plugins.judgement import Judgement
from tests.conformance.plugins.situations import TOOLS

_HEADER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
DEPTH = 2  # slashes in the path of a skill that Claude Code finds
MODELS = re.compile(r"claude|sonnet|opus|haiku|fable", re.IGNORECASE)
# What Claude Code replaces before its model reads a text. The numbered ones only count where a command has them.
PLACEHOLDER = re.compile(
    r"\$ARGUMENTS\b|\$\{?CLAUDE_(?:PLUGIN_ROOT|PLUGIN_DATA|PROJECT_DIR|SKILL_DIR)\b|\$\{CLAUDE_SESSION_ID\}|\$\{user_config\.|^!`|\s!`[^`\n]+`",
    re.MULTILINE,
)
_MORE_TOOLS = {
    "MultiEdit": "replace",
    "Agent": "invoke_agent",
    "TodoRead": "write_todos",
    "TaskCreate": "write_todos",
    "TaskUpdate": "write_todos",
    "TaskList": "write_todos",
    "TaskGet": "write_todos",
    "SlashCommand": "activate_skill",
    "EnterPlanMode": "enter_plan_mode",
    "ListMcpResourcesTool": "list_mcp_resources",
    "ReadMcpResourceTool": "read_mcp_resource",
    "NotebookRead": "read_file",
    "NotebookEdit": "replace",
}
GEMINI_TOOLS = {**{name: theirs for name, (theirs, _input) in TOOLS.items()}, **_MORE_TOOLS}


def judge_reading(plugin: Plugin, claude: ClaudeView | None, judgement: Judgement) -> None:
    """Our list of items against that of the program itself. What only the model may call is not in its list.

    A skill too deep for it is converted all the same.
    """
    if claude is None:
        return
    hidden = {_listed(each.name) for each in plugin.skills if _is_hidden(each) or each.path.count("/") > DEPTH}
    texts = {_listed(each.name) for each in (*plugin.skills, *plugin.commands)}
    listed = claude.skills | claude.commands
    for kind, ours, theirs in (
        ("agent", {":".join((*each.folders, each.name)) for each in plugin.agents}, claude.agents),
        ("skill or command", texts - (hidden - listed), listed),
    ):
        missed, added = sorted(theirs - ours), sorted(ours - theirs)
        judgement.never("faults of reading", (f"{kind} `{each}` is loaded by Claude, not read" for each in missed))
        judgement.never("faults of reading", (f"{kind} `{each}` is read, not loaded by Claude" for each in added))
    names = [
        f"{type(each).__name__} {each.path} {each.name}" for each in (*plugin.agents, *plugin.skills, *plugin.commands)
    ]
    judgement.never("faults of reading", (f"{each} is read twice" for each in _twice(names)))


def _listed(name: str) -> str:
    """As the program's list spells it."""
    return re.sub(r"[^A-Za-z0-9_.:-]", "-", name)


def _is_hidden(skill: PluginSkill) -> bool:
    return any(key.replace("_", "-") in ("user-invocable", "user-invokable") for key in skill.fields)


def judge_agents(plugin: Plugin, fates: Iterable[Fate], gemini: GeminiView, judgement: Judgement) -> None:
    by_path = _by_path(fates)
    for agent in plugin.agents:
        mine = by_path.get(agent.path, [])
        name = next((Path(each.output).stem for each in mine if each.output.startswith("agents/")), "")
        if not name:
            reported = any(each.kind == DROPPED and each.why and each.code for each in mine)
            hopeless = agent.tools is not None and not _allowed(agent)
            good = reported and hopeless
            judgement.count("agents reported", "agents left out", good=good, fault=f"{agent.path} is not written")
            continue
        judgement.count("agents loaded", "agents", good=name in gemini.agents, fault=f"{agent.path} as {name}")
        if name in gemini.agents:
            wrong = _wider(agent, gemini.agents[name])
            judgement.count("agents narrow", "agents narrow of", good=not wrong, fault=f"{agent.path}: {wrong}")


def _allowed(agent: PluginAgent) -> set[str]:
    found = set()
    for tool in agent.tools or ():
        name = tool.partition("(")[0].strip()
        parts = name.split("__")
        if parts[0] == "mcp" and len(parts) > 1:
            found.add("mcp_")
        elif name == "*":
            found.add("*")
        elif name in GEMINI_TOOLS and GEMINI_TOOLS[name] != "invoke_agent":
            found.add(GEMINI_TOOLS[name])
    return found


def _wider(agent: PluginAgent, loaded: dict[str, Any]) -> str:
    tools = (loaded.get("toolConfig") or {}).get("tools")
    model = str((loaded.get("modelConfig") or {}).get("model") or "")
    if MODELS.search(model):
        return f"model {model}"
    if agent.tools is None:
        return ""
    if tools is None:
        return "no list of tools is left, which means all"
    allowed = _allowed(agent) | ({"activate_skill"} if "skills" in agent.fields else set())
    extra = [each for each in tools if each not in allowed and not ("mcp_" in allowed and each.startswith("mcp_"))]
    return f"also has {', '.join(map(str, extra))}" if extra else ""


def judge_texts(plugin: Plugin, fates: Iterable[Fate], gemini: GeminiView, out: Path, judgement: Judgement) -> None:
    """Skills and commands, each by the file that its fate names."""
    by_path = _by_path(fates)
    for figure, of, items in (
        ("skills loaded", "skills", plugin.skills),
        ("commands loaded", "commands", plugin.commands),
    ):
        for item in items:
            mine = by_path.get(item.path, [])
            outputs = [
                each.output
                for each in mine
                if each.output and each.subject == f"{each.subject.split()[0]} `{item.name}`"
            ]
            loaded = [each for each in dict.fromkeys(outputs) if each in gemini.skill_files | gemini.command_files]
            meant = any(each.code == "never-loaded" for each in mine) or _is_for_others(item, mine)
            if not meant:
                judgement.count(
                    figure, of, good=bool(loaded), fault=f"{item.path} as {', '.join(outputs) or 'nothing'}"
                )
            for each in loaded:
                left = _placeholders(out / each, item.prompt.written)
                judgement.count("texts clean", "texts", good=not left, fault=f"{each}: {left}")
    judgement.never("load errors", gemini.errors)
    judgement.never("load errors", (f"command {each} twice" for each in _twice(gemini.command_names)))
    judgement.never("load errors", (f"skill {each} twice" for each in _twice(gemini.skill_names)))


def _is_for_others(item: PluginItem, fates: list[Fate]) -> bool:
    """A skill whose author names the programs that get it, or that nobody may start, and that is reported."""
    if not isinstance(item, PluginSkill) or not (item.targets or not (item.by_user or item.by_model)):
        return False
    return any(each.kind == DROPPED and each.why for each in fates)


def _placeholders(path: Path, source: str) -> str:
    """In what a model reads; Claude Code fills in nothing of a header, nor what has a backslash before it."""
    text = path.read_text("utf-8", "replace")
    body = str(tomllib.loads(text)["prompt"]) if path.suffix == ".toml" else _HEADER.sub("", text, count=1)
    found = {each.group(0).strip() for each in PLACEHOLDER.finditer(body)}
    return ", ".join(sorted(each for each in found if f"\\{each}" not in source))


def _twice(names: list[str]) -> list[str]:
    folded = [each.casefold() for each in names]
    return sorted({each for each in folded if folded.count(each) > 1})


def _by_path(fates: Iterable[Fate]) -> dict[str, list[Fate]]:
    found: dict[str, list[Fate]] = {}
    for each in fates:
        found.setdefault(each.path, []).append(each)
    return found
