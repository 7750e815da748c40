"""Odd commands and policies: TOML files."""

from __future__ import annotations

import json
from random import Random

from tests.conformance.odd import LINK, Files, chance, some_of, text


def commands(random: Random) -> Files:
    """No link leads back to a folder above it: Gemini follows it forty levels deep, and two until memory ends."""
    files: Files = {}
    for _ in range(random.randint(1, 6)):
        name = text(random, random.choice(["names", "names", "built_in_commands", "command_places"]))
        files[f"commands/{name}{text(random, 'command_endings')}"] = command(random)
    if chance(random, 0.1):
        files[f"commands/{'x' * random.randint(45, 60)}/y.toml"] = command(random)
    if chance(random, 0.2):
        target = random.choice(["a_b.toml", "nowhere", "../commands/ok.toml", "linked.toml", "/dev/null"])
        files["commands/linked.toml"] = LINK + target
    if chance(random, 0.2):
        files["shared/inner.toml"] = 'prompt = "x"'
        files["commands/folder"] = LINK + random.choice(["../shared", "nowhere", "folder"])
    if chance(random, 0.1):
        files["commands/dir.toml"] = "/"
    if chance(random, 0.03):
        return {"commands": random.choice(["text", LINK + "shared"]), "shared/inner.toml": 'prompt = "x"'}
    return files


def command(random: Random) -> str:
    equals = random.choice([" = ", "=", " =", "  =  ", " : "])
    lines = [f"{text(random, 'prompt_keys')}{equals}{text(random, 'prompts') if chance(random, 0.6) else repr('x')}"]
    if chance(random, 0.4):
        described = json.dumps("y" * 150) if chance(random, 0.1) else text(random, "descriptions")
        lines.insert(random.randint(0, 1), f"description = {described}")
    if chance(random, 0.2):
        lines.append(text(random, "toml_lines"))
    written = random.choice(["\n", "\n", "\r\n", "\n\n", "\r"]).join(lines)
    return random.choice([written, written, written + "\n", written + "\r\n", "\ufeff" + written, " " + written])


def policies(random: Random) -> Files:
    endings = [".toml"] * 8 + [".TOML", ".txt"]
    files = {f"policies/p{index}{random.choice(endings)}": policy(random) for index in range(random.randint(1, 5))}
    if chance(random, 0.1):
        place = random.choice(["policies/sub/x.toml", "policies/.x.toml", "policies/x.toml/y"])
        files[place] = policy(random)
    if chance(random, 0.1):
        files["policies/linked.toml"] = LINK + random.choice(["p0.toml", "nowhere"])
    if chance(random, 0.03):
        place = random.choice(["text", LINK + "elsewhere", LINK + "nowhere"])
        return {"policies": place, "elsewhere/a.toml": policy(random)}
    return files


def policy(random: Random) -> str:
    tables = []
    for _ in range(random.randint(0, 3)):
        kind = "safety_checker" if chance(random, 0.25) else "rule"
        tables.append(f"[[{kind}]]\n" + "\n".join(rule(random, kind)))
    if chance(random, 0.08):
        tables.append(text(random, "policy_tables"))
    return "\n".join(tables)


def rule(random: Random, kind: str) -> list[str]:
    lines = [f"toolName = {tool_names(random)}"]
    if kind == "rule" or chance(random, 0.1):
        lines.append(f"decision = {toml_text(random, text(random, 'decisions'))}")
    if kind == "rule" or chance(random, 0.4):
        lines.append(f"priority = {text(random, 'priorities')}")
    if kind == "safety_checker":
        lines.append(f"checker = {text(random, 'checkers')}")
    lines += [f"{key} = {value}" for key, value in some_of(random, "rule_values", 0.12).items()]
    for key in ("argsPattern", "commandRegex"):
        if chance(random, 0.13):
            pattern = "a" * random.choice([2040, 2049]) if chance(random, 0.05) else text(random, "patterns")
            lines.append(f"{key} = {toml_text(random, pattern)}")
    if chance(random, 0.06):
        lines.pop(random.randrange(len(lines)))
    return lines


def tool_names(random: Random) -> str:
    def one() -> str:
        return toml_text(random, "run_shell_command" if chance(random, 0.3) else text(random, "tools"))

    if chance(random, 0.05):
        return random.choice(["5", "[5]", "{}"])
    return f"[{', '.join(one() for _ in range(random.randint(0, 3)))}]" if chance(random, 0.25) else one()


def toml_text(random: Random, word: str) -> str:
    return f"'{word}'" if chance(random, 0.3) and not set(word) & set("'\n") else json.dumps(word)
