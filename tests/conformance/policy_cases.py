"""Policy rules and tool calls, made up from a seed, for comparing with the policy engine of Gemini CLI."""

from __future__ import annotations

import json
from random import Random
from typing import Any

TOOLS = ["run_shell_command"] * 9 + [
    "read_file",
    "write_file",
    "replace",
    "glob",
    "*",
    "mcp_srv_tool",
    "mcp_*",
    "mcp_srv_*",
]
ODD_TOOLS = [
    "Read",
    "Bash",
    "read_*",
    "edit",
    "mcp__srv__tool",
    "READ_FILE",
    ["glob", "read_file"],
    "",
    "search_file_content",
]
PREFIXES = [
    "rm",
    "git",
    "git status",
    "git push",
    "npm publish",
    "ls",
    "echo",
    "cat",
    "find",
    "bash",
    "sudo",
    "python3 -c",
]
REGEXES = ["git push.*--force", "rm", "(git|npm) ", "ls$", "echo .*;", "^rm", "git (?!push)"]
PATTERNS = [r'"file_path":"[^"]*\.env"', r'"command":"rm', r"secret", r'\x00"file_path":"/etc', r'"a":1', r"-rf"]
DECISIONS = ["allow", "allow", "deny", "ask_user"]
PARTS = [
    *(
        "rm x",
        "rm -rf x",
        "git status",
        "git push --force",
        "git push",
        "ls",
        "ls -l sub",
        "cat a",
        "echo hi",
        "npm publish",
    ),
    *(
        "/bin/rm x",
        "A=1 rm x",
        "env rm x",
        "timeout 5 rm x",
        "'rm' x",
        "\\rm x",
        "rm\tx",
        "eval rm x",
        "xargs rm",
        "$X x",
    ),
    *(
        "sh -c 'rm x'",
        'bash -c "git push"',
        "find . -delete",
        "sudo rm -rf x",
        "echo $(rm x)",
        "echo `git push`",
        "(git push)",
    ),
    *(
        "if true; then rm x; fi",
        "ls > out",
        "cat < a",
        "bash <<E\nrm x\nE",
        "git -C . push",
        "git -c a=b status",
        "ln -s a b",
    ),
    *(
        "echo 'unclosed",
        "git branch -D x",
        "git branch --list",
        "ls /etc",
        "ls ..",
        "cat ~/x",
        "sed -n 1,3p a",
        "pwd",
        "rmdir x",
    ),
    *(
        "f() { rm x; }; f",
        "diff <(ls) <(rm x)",
        "git status # rm x",
        "! rm x",
        "time rm x",
        "while read x; do rm $x; done",
        "",
    ),
]
JOINS = [" && ", " || ", "; ", " | ", "\n", " & "]
FILES = ["a", "/x/a", ".env", "sub/.env", "package.json", "Makefile", "/etc/passwd", "x.mk", "src/Dockerfile.dev"]
MODES = ["default"] * 5 + ["autoEdit", "yolo", "yolo", "plan"]


def rule(random: Random) -> str:
    tool: Any = random.choice(TOOLS if random.random() < 0.85 else ODD_TOOLS)
    lines = [f"toolName = {json.dumps(tool)}", f'decision = "{random.choice(DECISIONS)}"']
    chance = random.random()
    if chance > 0.03:
        lines.append(f"priority = {random.choice([0, 1, 5, 10, 10, 100, 200, 999])}")
    if tool == "run_shell_command" and random.random() < 0.7:
        kind = random.random()
        if kind < 0.65:
            several = [random.choice(PREFIXES) for _ in range(random.choice([1, 1, 1, 2]))]
            lines.append(f"commandPrefix = {json.dumps(several if len(several) > 1 else several[0])}")
        elif kind < 0.85:
            lines.append(f"commandRegex = {json.dumps(random.choice(REGEXES))}")
        else:
            lines.append(f"argsPattern = {json.dumps(random.choice(PATTERNS))}")
    elif random.random() < 0.25:
        lines.append(f"argsPattern = {json.dumps(random.choice(PATTERNS))}")
    extras = {
        "modes": '["default", "plan"]',
        "interactive": random.choice(["true", "false"]),
        "allowRedirection": "true",
        "subagent": '"x"',
        "denyMessage": '"no"',
        "mcpName": '"srv"',
    }
    for key, value in extras.items():
        if random.random() < 0.06 and not (key == "mcpName" and tool == "run_shell_command"):
            lines.append(f"{key} = {value}")
    if random.random() < 0.02:
        lines.append(random.choice(['modes = ["plann"]', "interactive = 3", 'decision = "no"', "x = ["]))
    return "[[rule]]\n" + "\n".join(lines) + "\n\n"


def call(random: Random) -> dict[str, Any]:
    chance = random.random()
    if chance < 0.7:
        parts = [random.choice(PARTS) for _ in range(random.choice([1, 1, 1, 2, 3]))]
        text = parts[0] + "".join(random.choice(JOINS) + part for part in parts[1:])
        arguments = {"command": text}
        if random.random() < 0.05:
            arguments["dir_path"] = random.choice(["/etc", "sub", ".."])
        return {"call": {"name": "run_shell_command", "args": arguments}}
    if chance < 0.8:
        server = random.choice(["srv", "my_srv", "other"])
        row: dict[str, Any] = {"call": {"name": f"mcp_{server}_tool", "args": {"a": 1}}}
        if random.random() < 0.8:
            row["server"] = server
        if random.random() < 0.3:
            row["annotations"] = {"readOnlyHint": True}
        return row
    tool = random.choice(["read_file", "write_file", "replace", "glob", "grep_search"])
    arguments = {"file_path": random.choice(FILES), "content": random.choice(["", '"file_path":"x.env"', "secret"])}
    return {"call": {"name": tool, "args": arguments}}


def settings(random: Random) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if random.random() < 0.15:
        lists = {
            "exclude": ["read_file", "run_shell_command(rm)", "glob"],
            "allowed": ["run_shell_command(git)", "read_file", "run_shell_command", "ShellTool(ls)"],
            "core": ["read_file", "run_shell_command(git status)", "glob"],
            "confirmationRequired": ["read_file", "run_shell_command"],
        }
        key = random.choice(list(lists))
        found["tools"] = {key: random.sample(lists[key], random.choice([1, 2]))}
    if random.random() < 0.08:
        found["mcp"] = {random.choice(["allowed", "excluded"]): [random.choice(["srv", "*", "other"])]}
    if random.random() < 0.05:
        found["mcpServers"] = {"srv": {"command": "x", "trust": True}}
    return found


def case(random: Random) -> dict[str, Any]:
    row = {"user": {"a.toml": "".join(rule(random) for _ in range(random.choice([0, 1, 2, 2, 3, 4])))}, **call(random)}
    if random.random() < 0.15:
        row["extension"] = {"e.toml": rule(random)}
    if random.random() < 0.08:
        row["admin"] = {"b.toml": rule(random)}
    if found := settings(random):
        row["settings"] = found
    if random.random() < 0.3:
        row["defaults"] = True
    row["mode"] = random.choice(MODES)
    row["interactive"] = random.random() > 0.15
    row["trusted"] = random.random() > 0.1
    if random.random() < 0.1:
        row["subagent"] = random.choice(["x", "y"])
    return row


def cases(count: int, seed: int) -> list[dict[str, Any]]:
    random = Random(seed)  # made-up cases, no secrets
    return [case(random) for _ in range(count)]
