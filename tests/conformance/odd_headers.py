"""Odd skills and subagents: Markdown files whose YAML header is the point."""

from __future__ import annotations

import json
from random import Random

from tests.conformance.odd import LINK, WORDS, Files, chance, header, numbered, pick, quoted, some_of, text


def skills(random: Random) -> Files:
    files: Files = {}
    for index in range(random.randint(1, 6)):
        files[f"skills/{numbered(random, 'skill_folders', index)}{text(random, 'skill_files')}"] = skill(random)
    if chance(random, 0.25):
        files["elsewhere/SKILL.md"] = skill(random)
        target = random.choice(["../elsewhere", "nowhere", "linked", "../elsewhere/SKILL.md"])
        files["skills/linked"] = LINK + target
    if chance(random, 0.15):
        target = random.choice(["../../elsewhere/SKILL.md", "nowhere", "SKILL.md", "/dev/null"])
        files["skills/byfile/SKILL.md"] = LINK + target
    if chance(random, 0.1):
        files["skills/folder/SKILL.md/x"] = "x"
    if chance(random, 0.03):
        place = random.choice(["text", LINK + "elsewhere", LINK + "nowhere"])
        return {"skills": place, "elsewhere/SKILL.md": skill(random), "elsewhere/a/SKILL.md": skill(random)}
    return files


def skill(random: Random) -> str:
    name = text(random, "yaml_values" if chance(random, 0.5) else "names") if chance(random, 0.5) else "ok"
    description = text(random, "yaml_values") if chance(random, 0.5) else "Does x"
    space = random.choice([" ", " ", " ", "", "  ", "\t"])
    lines = [f"name:{space}{quoted(random, name) if chance(random, 0.3) else name}"]
    lines.append("description:" + random.choice([" ", " ", " ", "", "\t", "\n  "]) + description)
    if chance(random, 0.2):
        random.shuffle(lines)
    if chance(random, 0.3):
        extra = text(random, "skill_lines") if chance(random, 0.7) else f"x: {text(random, 'yaml_values')}"
        lines.insert(random.randint(0, len(lines)), extra)
    if chance(random, 0.1):
        lines.pop(random.randrange(len(lines)))
    return header(random, lines)


def agents(random: Random) -> Files:
    files: Files = {}
    for index in range(random.randint(2, 7)):
        files[f"agents/{numbered(random, 'agent_places', index)}{text(random, 'agent_endings')}"] = agent(random)
    if chance(random, 0.1):
        files["agents/linked.md"] = LINK + random.choice(["a0.md", "nowhere"])
    if chance(random, 0.1):
        files["agents/dir.md/x"] = "x"
    if chance(random, 0.03):
        place = random.choice(["text", LINK + "elsewhere", LINK + "nowhere"])
        return {"agents": place, "elsewhere/a.md": agent(random)}
    return files


def agent(random: Random) -> str:
    lines = [f"name: {text(random, 'agent_names')}", f"description: {text(random, 'agent_descriptions')}"]
    remote = chance(random, 0.35)
    if remote:
        lines = _remote(random, lines)
    values = some_of(random, "agent_values", 0.06 if remote else 0.16)
    if chance(random, 0.02 if remote else 0.25):
        values["tools"] = tools(random)
    if chance(random, 0.02 if remote else 0.15):
        values["mcp_servers"] = mcp_servers(random)
    if chance(random, 0.04):
        values["color"] = "x"
    lines += [f"{key}: {value}" for key, value in values.items()]
    if chance(random, 0.1):
        lines.append(f"{text(random, 'agent_keys')}: {text(random, 'yaml_values')}")
    if chance(random, 0.1):
        dashed = [("- " if index == 0 else "  ") + line.replace("\n", "\n  ") for index, line in enumerate(lines)]
        lines = dashed * random.randint(1, 2)
    return header(random, [text(random, "agent_whole")] if chance(random, 0.03) else lines)


def _remote(random: Random, lines: list[str]) -> list[str]:
    address = text(random, "addresses")
    cards = [f"agent_card_url: {json.dumps(address)}", f"agent_card_url: {address}"]
    lines = [*lines, random.choice([*cards, f"agent_card_json: {text(random, 'cards')}"])]
    if chance(random, 0.5):
        lines.append(f"auth: {text(random, 'auth_whole')}" if chance(random, 0.08) else auth(random))
    return lines[:1] + lines[2:] if chance(random, 0.3) else lines


def auth(random: Random) -> str:
    values = {"type": text(random, "auth_types"), **some_of(random, "auth_values", 0.35)}
    if chance(random, 0.3):
        values["token_url"] = json.dumps(text(random, "addresses"))
    return "auth:" + "".join(f"\n  {key}: {value}" for key, value in values.items())


def tools(random: Random) -> str:
    if chance(random, 0.2):
        return text(random, "tool_lists")
    named = [pick(random, "tools") if chance(random, 0.5) else "read_file" for _ in range(random.randint(0, 3))]
    if chance(random, 0.5):
        return "[" + ", ".join(map(json.dumps, named)) + "]"
    dash = random.choice(["\n  - ", "\n- ", "\n    - "])
    return "".join(dash + (json.dumps(name) if chance(random, 0.7) else name) for name in named)


def mcp_servers(random: Random) -> str:
    if chance(random, 0.15):
        return text(random, "mcp_whole")
    values = some_of(random, "mcp_values", 1 / len(WORDS["mcp_values"]) + 0.1)
    return "{s: {" + ", ".join(f"{key}: {value}" for key, value in values.items()) + "}}"
