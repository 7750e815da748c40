"""Builds many small odd Gemini extensions, the same ones for the same seed.

    python -m tests.conformance.generate FOLDER COUNT [SEED]
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from random import Random
from typing import Any

from tests.conformance.odd import (
    ADDRESSES,
    EXTENSION_NAMES,
    NAMES,
    PATTERNS,
    TOOLS,
    VARIABLES,
    as_json,
    one,
    quoted,
    scalar,
    yaml_list,
    yaml_value,
)

Files = dict[str, str]
LINK = "-> "  # a file whose text starts with this becomes a link
BUILT_IN = ["help", "memory", "quit", "mcp", "chat"]
EVENTS = ["BeforeTool", "AfterTool", "SessionStart", "PreCompress", "Notification", "PreToolUse", "enabled", "disabled", "beforetool"]


def generate(target: Path, count: int, seed: int = 1) -> list[Path]:
    folders = []
    for index in range(count):
        random = Random(f"{seed}/{index}")
        folder = target / f"odd-{index:05}"
        files = MAKERS[index % len(MAKERS)](random)
        files.setdefault("gemini-extension.json", '{"name": "ok", "version": "1"}')
        for name, text in files.items():
            _write(folder / name, text)
        folders.append(folder)
    return folders


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if text.startswith(LINK):
            os.symlink(text.removeprefix(LINK), path)
        elif text == "/":
            path.mkdir()
        else:
            path.write_bytes(text.encode("utf-8", "surrogatepass"))
    except (OSError, ValueError):
        return  # a name that this file system does not take, or a file where a folder should be


def manifest(random: Random) -> Files:
    values: dict[str, Any] = {"name": random.choice(EXTENSION_NAMES) if random.random() < 0.4 else "ok", "version": "1.0.0"}
    for key in ("name", "version", "contextFileName", "mcpServers", "settings", "themes", "excludeTools", "plan", "description"):
        if random.random() < 0.1:
            values[key] = scalar(random)
        elif random.random() < 0.05:
            values.pop(key, None)
    if random.random() < 0.5:
        values["contextFileName"] = context_name(random)
    if random.random() < 0.4:
        values["mcpServers"] = {random.choice([*NAMES, "__proto__", "constructor"]): server(random) for _ in range(random.randint(0, 2))}
    if random.random() < 0.4:
        values["settings"] = [setting(random) for _ in range(random.randint(0, 3))]
    if random.random() < 0.2:
        values["themes"] = [one(random, scalar(random), {"name": scalar(random), "type": "custom"})]
    if random.random() < 0.05:
        values = one(random, [values], None, "x", 5, [], {})
    text = as_json(random, values)
    if random.random() < 0.1:
        text = text.replace("{", '{"name": "first", "version": 0, ', 1)
    files = {"gemini-extension.json": text, "GEMINI.md": "x", "docs/a.md": "x", "a b.md": "x", "c%20d.md": "x", ".hidden.md": "x", "\u00a0": "x"}
    if random.random() < 0.3:
        files["hooks/hooks.json"] = json.dumps({"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "${KEY} $KEY ${extensionPath}"}]}]}})
    return files


def context_name(random: Random) -> Any:
    plain = ["GEMINI.md", "gemini.md", "docs/a.md", "./docs/a.md", "docs//a.md", "docs\\a.md", "../x.md", "docs/../GEMINI.md", "a..b.md", "/etc/passwd"]
    plain += ["C:\\x", "c:x", "a b.md", "c%20d.md", "%2e%2e/x", "%2e", "%zz%2e%2e", "docs", "docs/", ".", "./", "", " ", " GEMINI.md", "GEMINI.md ", "\u00a0", "\ufeff"]
    plain += ["x\0y", ".hidden.md", "GEMINI.md/", "GEMINI.md/x", "\\x", "${extensionPath}/GEMINI.md", "docs${/}a.md", "${nope}.md", "$HOME", "${A:-GEMINI.md}", "~"]
    plain += ["x" * 300, "\x1c", "\u2028", "%E0%A4%A", "%2E%2E", "..", "...", "C:/x", "//x", "\\\\x\\y"]
    if random.random() < 0.6:
        return random.choice(plain)
    return [one(random, random.choice(plain), scalar(random)) for _ in range(random.randint(0, 4))]


def server(random: Random) -> Any:
    if random.random() < 0.15:
        return scalar(random)
    values: dict[str, Any] = {}
    for key in ("command", "args", "env", "cwd", "url", "httpUrl", "headers", "timeout", "trust", "includeTools", "excludeTools", "oauth", "tcp", "type"):
        if random.random() < 0.2:
            values[key] = one(random, scalar(random), scalar(random), {"length": 1}, {"length": 0}, "x" + random.choice(VARIABLES), {"toString": 1}, [{"toString": 1}])
    return values


def setting(random: Random) -> Any:
    if random.random() < 0.1:
        return scalar(random)
    values = {"name": "Key", "envVar": "KEY", "description": "x", "sensitive": one(random, True, False, None, "x", 0)}
    for key in ("name", "envVar", "description"):
        if random.random() < 0.1:
            values[key] = scalar(random)
        elif random.random() < 0.05:
            del values[key]
    return values


def commands(random: Random) -> Files:
    # No link leads back to a folder above it: Gemini follows it forty levels deep, and two of them until memory ends.
    files: Files = {}
    for _ in range(random.randint(1, 6)):
        name = one(random, *NAMES, *BUILT_IN, "a/" + random.choice(NAMES), ".x/y", "node_modules/a", ".git/a", "a/b/c/d", ".", "a.toml", "🎉", "x" * 60 + "/y", "e\u0301")
        files[f"commands/{name}{one(random, '.toml', '.toml', '.toml', '.toml', '.TOML', '.md', '.toml ')}"] = command(random)
    if random.random() < 0.2:
        files["commands/linked.toml"] = LINK + one(random, "a_b.toml", "nowhere", "../commands/ok.toml", "linked.toml", "/dev/null")
    if random.random() < 0.2:
        files["shared/inner.toml"] = 'prompt = "x"'
        files["commands/folder"] = LINK + one(random, "../shared", "nowhere", "folder")
    if random.random() < 0.1:
        files["commands/dir.toml"] = "/"
    if random.random() < 0.03:
        return {"commands": one(random, "text", LINK + "shared"), "shared/inner.toml": 'prompt = "x"'}
    return files


def command(random: Random) -> str:
    prompts = ['"x"', "'x'", '"""\nx\n"""', "'''\nx'''", "5", "true", "[]", "{}", '""', '"\\d"', "'\\d'", '"\\u00e9"', '"\\ud800"', '"\\x41"', "2020-01-01", "x", "", '"x', "1.5"]
    prompts += ['"""x""""', '"a\tb"', '"a\x01b"', "'a\x7fb'", '"""a\\\n  b"""', '"""a\\ \n  b"""', '"\\e"', "[1, 'a']", "[1, 2.0]", "[[1], ['a']]", "{a = 1}", "{a = 1,}", "[1,\n2,\n]", "0x1", "1_0", "inf", "+nan"]
    key = one(random, "prompt", "prompt", "prompt", "prompt", '"prompt"', "'prompt'", "prompt.x", "[prompt]\nx", "[a]\nprompt", "[[prompt]]\nx", "Prompt", "é", '"a b"', "a.b.c")
    lines = [f"{key}{one(random, ' = ', '=', ' =', '  =  ', ' : ')}{random.choice(prompts) if random.random() < 0.6 else random.choice(prompts[:4])}"]
    if random.random() < 0.4:
        value = one(random, '"x"', '""', "5", "[]", "'''a\nb'''", "false", '"' + "y" * 150 + '"', '"a\\u001b[31mb"', '" "')
        lines.insert(one(random, 0, 1), f"description = {value}")
    if random.random() < 0.2:
        lines.append(one(random, "# comment", "extra = 1", "prompt = 'again'", "[table]", "[a.b]\nc=1", "a = 07:32:00", "b = 1979-05-27T07:32:00Z", "x = [ # c\n1 ]", "\0", "[", "a = 1 b = 2"))
    text = one(random, "\n", "\n", "\r\n", "\n\n", "\r").join(lines)
    return str(one(random, text, text, text + "\n", text + "\r\n", "\ufeff" + text, " " + text, text + " ", text.replace("x", "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"))))


def skills(random: Random) -> Files:
    files: Files = {}
    for index in range(random.randint(1, 6)):
        folder = one(random, f"s{index}/", f"s{index}/", f"s{index}/", "", ".hidden/", "node_modules/", ".git/", f"deep/s{index}/", "a b/", "ä/", "node_modules/x/", "s.md/", "[x]/", "\\y/", "-/", "~/", "{a,b}/")
        files[f"skills/{folder}{one(random, *['SKILL.md'] * 8, 'skill.md', 'SKILL.MD', 'Skill.md', 'README.md')}"] = skill(random)
    if random.random() < 0.25:
        files["elsewhere/SKILL.md"] = skill(random)
        files["skills/linked"] = LINK + one(random, "../elsewhere", "nowhere", "linked", "../elsewhere/SKILL.md")
    if random.random() < 0.15:
        files["skills/byfile/SKILL.md"] = LINK + one(random, "../../elsewhere/SKILL.md", "nowhere", "SKILL.md", "/dev/null")
    if random.random() < 0.1:
        files["skills/folder/SKILL.md/x"] = "x"
    if random.random() < 0.03:
        return {"skills": one(random, "text", LINK + "elsewhere", LINK + "nowhere"), "elsewhere/SKILL.md": skill(random), "elsewhere/a/SKILL.md": skill(random)}
    return files


def skill(random: Random) -> str:
    name = yaml_value(random) if random.random() < 0.4 else quoted(random, random.choice(NAMES) if random.random() < 0.3 else "ok")
    description = yaml_value(random) if random.random() < 0.5 else "Does x"
    lines = [f"name:{one(random, ' ', ' ', ' ', '', '  ', chr(9))}{name}", f"description:{one(random, ' ', ' ', ' ', '', chr(10) + '  ', chr(9))}{description}"]
    if random.random() < 0.2:
        random.shuffle(lines)
    if random.random() < 0.3:
        extra = one(random, f"x: {yaml_value(random)}", "# c", "\ttab: x", "name: again", "  name: in", "metadata:\n  name: inner\n  description: inner", "a b", "x:", "- a", "? x", "'name' : y", "...", "%YAML 1.2", "x: &a\n  b: c", "<<: {name: m}", "", " ")
        lines.insert(random.randint(0, len(lines)), extra)
    if random.random() < 0.1:
        lines.pop(random.randrange(len(lines)))
    return _document(random, lines)


def _document(random: Random, lines: list[str]) -> str:
    start = one(random, *["---"] * 12, "--- ", "----", "\ufeff---", "\n---", " ---", "---\r", "")
    end = one(random, *["---"] * 10, "--- ", "----", "---x", "...", " ---", "")
    if random.random() < 0.2:
        lines = [line + one(random, " ", "", "\t", " # c") for line in lines]
    text = "\n".join([start, *lines, end]) + one(random, "\nbody\n", "", "\n", "\n---\nmore\n---\n", " body")
    return text.replace("\n", "\r\n") if random.random() < 0.15 else text


def agents(random: Random) -> Files:
    files: Files = {}
    for index in range(random.randint(2, 7)):
        files[f"agents/{one(random, *[f'a{index}'] * 6, f'_a{index}', f'sub/a{index}', f'.a{index}', 'a b', 'README')}{one(random, *['.md'] * 8, '.MD', '.txt', '.md.md')}"] = agent(random)
    if random.random() < 0.1:
        files["agents/linked.md"] = LINK + one(random, "a0.md", "nowhere")
    if random.random() < 0.1:
        files["agents/dir.md/x"] = "x"
    if random.random() < 0.03:
        return {"agents": one(random, "text", LINK + "elsewhere", LINK + "nowhere"), "elsewhere/a.md": agent(random)}
    return files


def agent(random: Random) -> str:
    name = one(random, *["ok"] * 8, *NAMES, "5", "true", "null", "'5'")
    lines = [f"name: {name}", f"description: {one(random, *['Does x'] * 8, yaml_value(random), '5', chr(34) * 2)}"]
    remote = random.random() < 0.35
    if remote:
        lines.append(one(random, f"agent_card_url: {json.dumps(random.choice(ADDRESSES))}", f"agent_card_url: {random.choice(ADDRESSES)}", f"agent_card_json: {card(random)}"))
        if random.random() < 0.5:
            lines.append(auth(random))
        if random.random() < 0.3:
            lines.pop(1)
    makers = {
        "kind": lambda: one(random, "local", "remote", "Remote", "null", ""),
        "display_name": lambda: one(random, "X", "5", "null", "''"),
        "tools": lambda: one(random, yaml_list(random, [random.choice(TOOLS) for _ in range(random.randint(0, 3))]), "read_file", "null", "", "[5]", "{a: b}", "[null]"),
        "mcp_servers": lambda: mcp_servers(random),
        "model": lambda: one(random, "x", "5", "''", "null", "gemini-2.5"),
        "temperature": lambda: one(random, "0", "1.5", "x", ".nan", ".inf", "-1", "'1'", "1e3", "null"),
        "max_turns": lambda: one(random, "1", "0", "-1", "1.0", "1.5", "1e3", ".inf", ".nan", "'1'", "0x10", "1_000", "null", "99999999999999999999"),
        "timeout_mins": lambda: one(random, "1", "0", "2.5", "true", "[]", "010", "0b11"),
        "color": lambda: "x",
    }
    for key, make in makers.items():
        if random.random() < (0.04 if key == "color" else 0.06 if remote and key != "kind" else 0.16):
            lines.append(f"{key}: {make()}")
    if random.random() < 0.1:
        lines.append(f"{one(random, 'x', 'name', 'constructor', '__proto__', 'agent_card_url', 'agent_card_json')}: {yaml_value(random)}")
    if random.random() < 0.1:
        lines = [("- " if index == 0 else "  ") + line.replace("\n", "\n  ") for index, line in enumerate(lines)] * one(random, 1, 2)
    if random.random() < 0.03:
        lines = [one(random, "", "x", "5", "[]", "null", "{}", "[[]]", "- x")]
    return _document(random, lines)


def card(random: Random) -> str:
    return str(one(random, "'{}'", "'{\"a\": 1}'", "'{a: 1}'", "'[1,]'", "5", "'5'", "''", "' {} '", "|\n  {\n   \"a\": 1\n  }", "{}", "'NaN'", "'\ufeff{}'", "null", "'\"\\ud800\"'", "'1e999'"))


def auth(random: Random) -> str:
    kind = one(random, "apiKey", "http", "http", "http", "google-credentials", "oauth", "oauth2", "5", "null")
    values = {"type": kind}
    choices: dict[str, tuple[str, ...]] = {
        "key": ("k", "''", "5"),
        "name": ("n", "5", "null"),
        "scheme": ("Bearer", "Basic", "bearer", "X", "''", "5", "Bearer", "Basic", "toString"),
        "token": ("t", "''", "5", "null"),
        "username": ("u", "''"),
        "password": ("p", "''"),
        "value": ("v", "''", "null"),
        "scopes": ("[a]", "a", "[5]", "[]", "null"),
        "client_id": ("a", "5"),
        "token_url": tuple(json.dumps(address) for address in ADDRESSES[:20]),
        "audiences": ("[a]", "[null]"),
        "extra": ("x",),
    }
    for key, options in choices.items():
        if random.random() < 0.35:
            values[key] = random.choice(options)
    if random.random() < 0.08:
        return "auth: " + one(random, "null", "x", "[]", "{}", "5")
    return "auth:" + "".join(f"\n  {key}: {value}" for key, value in values.items())


def mcp_servers(random: Random) -> str:
    if random.random() < 0.15:
        return str(one(random, "null", "[]", "x", "{}", "{a: null}", "{a: {}}", "{a: []}", "{5: {}}", "{a: x}", "{null: {}}"))
    keys = {
        "command": ("x", "5", "null"), "args": ("[a]", "a", "[5]", "[]"), "env": ("{A: b}", "{A: 5}", "[]", "{}", "null", "{5: a}"), "url": ("x", "5"),
        "type": ("sse", "http", "stdio", "5"), "timeout": ("5", "'5'", ".nan", "1.5"), "trust": ("true", "yes", "'true'"), "include_tools": ("[a]", "a"),
        "includeTools": ("[5]",), "auth": ("{type: oauth}", "{type: x}", "{type: google-credentials, scopes: a}", "{}", "null", "{type: oauth, issuer: x}", "{type: oauth, issuer: 'x:y'}"),
    }  # fmt: skip
    chosen = {key: random.choice(values) for key, values in keys.items() if random.random() < 0.2}
    return "{s: {" + ", ".join(f"{key}: {value}" for key, value in chosen.items()) + "}}"


def hooks(random: Random) -> Files:
    values: Any = {"hooks": {random.choice(EVENTS): definitions(random) for _ in range(random.randint(1, 4))}}
    if random.random() < 0.1:
        values = one(random, scalar(random), {"hooks": scalar(random)}, values["hooks"], [values], {"hooks": [values["hooks"]]})
    files = {"hooks/hooks.json": as_json(random, values)}
    if random.random() < 0.05:
        files = {"hooks/hooks.json/x": "x"} if random.random() < 0.5 else {"hooks.json": as_json(random, values)}
    return files


def definitions(random: Random) -> Any:
    if random.random() < 0.1:
        return scalar(random)
    return [one(random, *[definition(random)] * 9, scalar(random)) for _ in range(random.randint(0, 3))]


def definition(random: Random) -> dict[str, Any]:
    made: dict[str, Any] = {"hooks": [hook(random) for _ in range(random.randint(0, 3))]}
    if random.random() < 0.1:
        made["hooks"] = scalar(random)
    if random.random() < 0.5:
        made["matcher"] = one(random, "*", "write_.*", "(", scalar(random), random.choice(VARIABLES), ["${extensionPath}"])
    if random.random() < 0.2:
        made["sequential"] = one(random, True, False, scalar(random))
    return made


def hook(random: Random) -> Any:
    if random.random() < 0.1:
        return scalar(random)
    made: dict[str, Any] = {"type": one(random, *["command"] * 6, "plugin", "runtime", "prompt", scalar(random), ["command"], [["runtime"]])}
    if random.random() < 0.85:
        made["command"] = one(random, *["./x.sh"] * 3, "${extensionPath}/x", random.choice(VARIABLES), "${KEY} $KEY", scalar(random))
    for key in ("name", "timeout", "description", "env", "args"):
        if random.random() < 0.25:
            made[key] = one(random, "x", 5000, scalar(random))
    if random.random() < 0.05:
        made["__proto__"] = {"command": "x"}
    return made


def policies(random: Random) -> Files:
    files = {f"policies/p{index}{one(random, *['.toml'] * 8, '.TOML', '.txt')}": policy(random) for index in range(random.randint(1, 5))}
    if random.random() < 0.1:
        files[one(random, "policies/sub/x.toml", "policies/.x.toml", "policies/x.toml/y")] = policy(random)
    if random.random() < 0.1:
        files["policies/linked.toml"] = LINK + one(random, "p0.toml", "nowhere")
    if random.random() < 0.03:
        return {"policies": one(random, "text", LINK + "elsewhere", LINK + "nowhere"), "elsewhere/a.toml": policy(random)}
    return files


def policy(random: Random) -> str:
    tables = []
    for _ in range(random.randint(0, 3)):
        checker = random.random() < 0.25
        tables.append(("[[safety_checker]]\n" if checker else "[[rule]]\n") + "\n".join(rule(random, checker)))
    if random.random() < 0.08:
        tables.append(one(random, "[rule]\na = 1", "rule = 5", "x = 1", "[[rules]]\na=1", "[[rule]]", "rule = []", "safety_checker = []", "[", "[other]\nx=1", "\ufeff"))
    return "\n".join(tables)


def rule(random: Random, checker: bool) -> list[str]:
    tool = lambda: text(random, one(random, "run_shell_command", *TOOLS))  # noqa: E731
    tools = lambda: f"[{', '.join(tool() for _ in range(random.randint(0, 3)))}]"  # noqa: E731
    lines = [f"toolName = {one(random, *[tool()] * 6, tools(), tools(), '5', '[5]')}"]
    if not checker or random.random() < 0.1:
        lines.append(f"decision = {text(random, one(random, *['deny', 'ask_user'] * 6, 'allow', 'DENY', ''))}")
        lines.append(f"priority = {one(random, *['5'] * 8, '-1', '0', '999', '1000', '1.0', '1.5', chr(34) + '5' + chr(34), 'inf', 'nan', '0x10', '1e2', '-0', '1_0', '999.0', '-0.0')}")
    elif random.random() < 0.4:
        lines.append(f"priority = {one(random, '5', '-1', '5000', '1.5', 'nan', '1.0')}")
    if checker:
        kinds = ['{type = "in-process", name = "allowed-path"}', '{type = "in-process", name = "x"}', '{type = "external", name = "x"}', '{type = "external"}', '{type = "x"}', '"x"', '{type = "external", name = "x", config = {a = 1}}']
        kinds += ['{type = "in-process", name = "conseca", required_context = ["a"]}', '{type = "external", name = "x", required_context = [1]}', '{type = "external", name = "x", config = []}', '{type = "external", name = "x", extra = 1}']
        lines.append(f"checker = {random.choice(kinds[:3]) if random.random() < 0.5 else random.choice(kinds)}")
    for key, make in _RULE_KEYS.items():
        if random.random() < 0.13:
            lines.append(f"{key} = {make(random)}")
    if random.random() < 0.06:
        lines.pop(random.randrange(len(lines)))
    return lines


def text(random: Random, value: str) -> str:
    return f"'{value}'" if random.random() < 0.3 and not set(value) & set("'\n") else json.dumps(value)


_RULE_KEYS: dict[str, Any] = {
    "mcpName": lambda random: one(random, '"srv"', '"*"', '""', "5", '"a_b"'),
    "argsPattern": lambda random: text(random, random.choice(PATTERNS)),
    "commandPrefix": lambda random: one(random, '"git"', '["git", "npm run"]', "[]", '""', "5", "'a.b\"c'", '["\\t", "é\\u0001", "/"]', '[""]', '"a\\u2028\\ud83d"', '"x' + "y" * 2040 + '"'),
    "commandRegex": lambda random: text(random, one(random, "", *PATTERNS)),
    "modes": lambda random: one(random, '["default"]', '["yolo"]', "[]", '["x"]', '"default"', '["plan", "autoEdit"]', '["auto_edit"]'),
    "interactive": lambda _random: "true",
    "subagent": lambda random: one(random, '"a"', "5"),
    "toolAnnotations": lambda random: one(random, "{a = true}", "[]", "5", "{}"),
    "allowRedirection": lambda random: one(random, "true", '"x"'),
    "denyMessage": lambda random: one(random, '"a"', "5"),
    "unknown": lambda _random: "5",
}


def mixed(random: Random) -> Files:
    makers = random.sample([commands, skills, agents, hooks, policies], 3)
    made: Files = {}
    for maker in makers:
        made.update(maker(random))
    return made


MAKERS = (manifest, commands, skills, agents, hooks, policies, manifest, skills, agents, policies, commands, mixed)

if __name__ == "__main__":
    made = generate(Path(sys.argv[1]), int(sys.argv[2]), int((sys.argv[3:] or ["1"])[0]))
    print(len(made))
