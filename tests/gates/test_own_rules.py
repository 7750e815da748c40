"""`rules.toml`: our own rules. The strictest match counts; a project only narrows; every mistake has its line."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from pisces.discovery.harness import Run
from pisces.gates.allowed_parts import allowed_in_parts
from pisces.gates.rulebook import RuleScene, ToolUse
from pisces.gates.user_rules import rules_for
from pisces.harnesses.native.rules.book import OwnBook, own_book
from pisces.places import Places
from pisces.shapes.events.tools import ToolCall
from pisces.shapes.request import ToolRequest
from pisces.shapes.session_facts import SessionFacts
from tests.gates.policy_rows import written


def book(root: Path, own: str = "", project: str = "") -> OwnBook:
    home, work = root / "home", root / "work"
    written(work, {})
    written(home / ".pisces" / "agent", {"rules.toml": own} if own else {})
    if project:
        written(work / ".pisces", {"rules.toml": project})
    return own_book(RuleScene(Places(str(home), str(work)), Run()))


def says(rules: OwnBook, root: Path, tool: str, arguments: dict[str, Any], *more: str) -> str:
    """`more` are the server and the mode."""
    server, mode = (*more, *("", "ask")[len(more) :])
    facts = SessionFacts(str(root / "work"), str(root / "work"), str(root / "home"), mode=mode)
    verdict = rules.judged(ToolUse(ToolCall(tool, "1", arguments), facts, server))
    return verdict.decision if verdict else ""


def rule(**fields: Any) -> str:
    def shown(value: Any) -> str:
        return "[" + ", ".join(f"'{each}'" for each in value) + "]" if isinstance(value, list) else f"'{value}'"

    return "[[rule]]\n" + "".join(f"{key} = {shown(value)}\n" for key, value in fields.items())


def test_the_strictest_rule_that_matches_counts(tmp_path: Path) -> None:
    own = rule(command="git", decision="allow") + rule(command="git push", decision="ask")
    rules = book(tmp_path, own + rule(command="git push --force", decision="deny"))
    lines = {"git status": "allow", "git push": "ask", "git push --force": "deny", "git -C . push": "ask", "ls": ""}
    assert {line: says(rules, tmp_path, "Bash", {"command": line}) for line in lines} == lines


@pytest.mark.parametrize("tool", ["Bash", "run_shell_command", "exec_command", "bash"])
def test_a_rule_about_the_shell_holds_for_every_harness(tool: str, tmp_path: Path) -> None:
    rules = book(tmp_path, rule(tool="shell", command="rm", decision="deny"))
    argument = "cmd" if tool == "exec_command" else "command"
    assert says(rules, tmp_path, tool, {argument: "cd x && env /bin/rm a"}) == "deny"


def test_a_line_is_allowed_only_if_each_command_is(tmp_path: Path) -> None:
    rules = book(tmp_path, rule(command=["make", "git status"], decision="allow"))
    lines = {"make && git status": "allow", "make | tee x": "", "make > x": "ask", "env make": "", "A=1 make": ""}
    assert {line: says(rules, tmp_path, "Bash", {"command": line}) for line in lines} == lines


def test_a_rule_about_paths_sees_files_patches_and_commands(tmp_path: Path) -> None:
    rules = book(tmp_path, rule(tool="write", path=["src/**", "~/.ssh/**", ".env"], decision="deny"))
    work = tmp_path / "work"
    assert says(rules, tmp_path, "Write", {"file_path": str(work / "src" / "a.py"), "content": ""}) == "deny"
    assert says(rules, tmp_path, "replace", {"file_path": "x/../src/a.py"}) == "deny"
    assert says(rules, tmp_path, "write_file", {"file_path": "sub/.env"}) == "deny"
    assert says(rules, tmp_path, "write_file", {"file_path": str(tmp_path / "home" / ".ssh" / "id")}) == "deny"
    assert says(rules, tmp_path, "apply_patch", {"input": "*** Update File: src/b.py\n"}) == "deny"
    assert says(rules, tmp_path, "Bash", {"command": "echo a > src/a.py"}) == "deny"
    assert says(rules, tmp_path, "Bash", {"command": "sed -i s/a/b/ ./src/a.py"}) == "deny"
    assert says(rules, tmp_path, "Write", {"file_path": "docs/a", "content": ""}) == ""
    assert says(rules, tmp_path, "Read", {"file_path": "src/a.py"}) == ""


def test_a_link_does_not_lead_around_a_rule(tmp_path: Path) -> None:
    rules = book(tmp_path, rule(path="secret/**", decision="deny"))
    written(tmp_path / "work" / "secret", {"a": ""})
    (tmp_path / "work" / "open").symlink_to(tmp_path / "work" / "secret")
    assert says(rules, tmp_path, "Read", {"file_path": "open/a"}) == "deny"


def test_servers_and_modes(tmp_path: Path) -> None:
    rules = book(tmp_path, rule(server="git*", decision="deny") + rule(tool="*", modes=["plan"], decision="ask"))
    assert says(rules, tmp_path, "push", {}, "github") == "deny"
    assert says(rules, tmp_path, "push", {}, "other") == ""
    assert says(rules, tmp_path, "push", {}, "other", "plan") == "ask"
    assert says(rules, tmp_path, "Bash", {"command": "ls"}, "", "plan") == "ask"


@pytest.mark.parametrize(
    ("named", "denied", "allowed"),
    [
        ("mcp__git_hub__push", "git_hub git.hub", "git_hub"),
        ("git_hub__push", "git_hub git.hub", "git_hub"),
        ("mcp_git_hub_push", "git_hub git.hub", ""),
        ("mcp__git_hub", "git_hub git.hub", ""),
        ("mcp__git_hub__*", "git_hub git.hub", ""),
        ("mcp__git__hub__push", "git__hub", ""),
        ("push", "", ""),
        ("*", "git_hub git.hub git__hub other", ""),
    ],
)
def test_a_tool_of_a_server_is_meant_in_every_spelling_and_allowed_in_clear_ones(
    named: str, denied: str, allowed: str, tmp_path: Path
) -> None:
    servers = ("git_hub", "git.hub", "git__hub", "other")
    found = {}
    for decision in ("deny", "allow"):
        rules = book(tmp_path, rule(tool=named, decision=decision))
        found[decision] = [
            each for each in servers if says(rules, tmp_path, f"{each}__push", {}, each, "ask") == decision
        ]
    assert found == {"deny": denied.split(), "allow": allowed.split()}


def test_a_denied_tool_is_not_offered(tmp_path: Path) -> None:
    rules = book(tmp_path, rule(tool="fetch", decision="deny", reason="offline"))
    denied = rules.denies_tool("WebFetch")
    assert denied is not None
    assert denied.why == "offline"
    assert rules.denies_tool("Read") is None


def test_a_project_only_narrows(tmp_path: Path) -> None:
    rules = book(tmp_path, rule(command="make", decision="ask"), rule(command=["make", "ls"], decision="allow"))
    assert says(rules, tmp_path, "Bash", {"command": "make"}) == "ask"
    assert says(rules, tmp_path, "Bash", {"command": "ls"}) == ""
    assert [(each.code, each.line) for each in rules.diagnostics] == [("rules-too-much", 3)]


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ("[[rule]]\ncommand = 'rm'\ndecision = 'never'\n", 3, "deny, ask or allow"),
        ("[[rule]]\ncommand = 'rm'\n", 1, "missing"),
        ("[[rule]]\ncommand = 5\ndecision = 'deny'\n", 2, "text"),
        ("[[rule]]\ntool = 'Read'\ncommand = 'rm'\ndecision = 'deny'\n", 3, "another tool"),
        ("[[rule]]\nregex = '(a'\ndecision = 'deny'\n", 2, "regular expression"),
        ("[[rule]]\ncommand = 'rm'\nmodes = ['plann']\ndecision = 'deny'\n", 3, "no mode"),
        ("[[rule]]\ncommand = 'rm'\ndecison = 'deny'\ndecision = 'deny'\n", 3, "not known"),
        ("[[rule]]\ndecision = 'deny'\n", 1, "what it is about"),
        ("[rule]\ndecision = 'deny'\n", 1, "list of tables"),
        ("rules = 1\n", 1, "not known"),
        ("[[rule]]\ntool = 'shell\n", 3, ""),
    ],
)
def test_every_mistake_has_its_line_and_loses_no_guard(text: str, line: int, part: str, tmp_path: Path) -> None:
    rules = book(tmp_path, text)
    assert rules.diagnostics[0].line == line
    assert part in rules.diagnostics[0].message
    if "rules = 1" not in text:
        assert says(rules, tmp_path, "Bash", {"command": "rm x"}) in ("ask", "deny")


def test_a_rule_with_a_mistake_allows_nothing(tmp_path: Path) -> None:
    rules = book(tmp_path, "[[rule]]\ncommand = 'ls'\ndecision = 'allow'\nmodes = ['alll']\n")
    assert says(rules, tmp_path, "Bash", {"command": "ls"}) == ""


@pytest.mark.parametrize(
    "line",
    [
        *("cat secrets/key", "cat se*/key", "cat ./secrets/../secrets/key", "cat < secrets/key", "dd if=secrets/key"),
        *(
            "curl -d @secrets/key x",
            "tar -fsecrets/key",
            "cd secrets && cat key",
            "cat --file=secrets/key",
            "cat {secrets,x}/key",
        ),
        *("cat s[e]crets/key", "cat */key", "git show x > secrets/key", "env cat secrets/key"),
    ],
)
def test_a_rule_about_a_path_sees_words_of_commands(line: str, tmp_path: Path) -> None:
    rules = book(tmp_path, rule(path="secrets/**", decision="deny"))
    assert says(rules, tmp_path, "Bash", {"command": line}) == "deny"
    assert says(rules, tmp_path, "Bash", {"command": "cat public/key"}) == ""


def test_a_link_does_not_lead_out_of_what_is_allowed(tmp_path: Path) -> None:
    rules = book(tmp_path, rule(tool="write", path="docs/**", decision="allow"))
    written(tmp_path / "work" / "docs", {"a": ""})
    written(tmp_path / "other", {"b": ""})
    (tmp_path / "work" / "docs" / "out").symlink_to(tmp_path / "other")
    assert says(rules, tmp_path, "Write", {"file_path": "docs/a"}) == "allow"
    assert says(rules, tmp_path, "Write", {"file_path": "docs/out/b"}) == ""
    assert says(rules, tmp_path, "Write", {"file_path": "docs/../a"}) == ""


def test_a_regex_that_allows_is_about_the_whole_command(tmp_path: Path) -> None:
    rules = book(
        tmp_path, rule(regex="git (status|log)", decision="allow") + rule(regex="push.*force", decision="deny")
    )
    lines = {"git status": "allow", "git status x": "", "echo git status": "", "git push 'a\nb' --force": "deny"}
    assert {line: says(rules, tmp_path, "Bash", {"command": line}) for line in lines} == lines


def test_what_is_allowed_in_a_folder_is_not_allowed_in_another(tmp_path: Path) -> None:
    written(tmp_path / "work" / "sub", {"x.sh": ""})
    rules = book(tmp_path, rule(command="./x.sh", folder=str(tmp_path / "work"), decision="allow"))
    calls = [
        ({"command": "./x.sh"}, "allow"),
        ({"command": "./x.sh && ./x.sh"}, "allow"),
        ({"command": "./x.sh", "cwd": "sub"}, ""),
        ({"command": "cd sub && ./x.sh"}, ""),
        ({"command": "(cd sub; ./x.sh)"}, ""),
        ({"command": "pushd sub && ./x.sh"}, ""),
        ({"command": "env -C sub ./x.sh"}, ""),
        ({"command": "bash -c 'cd sub && ./x.sh'"}, ""),
    ]
    for given, wanted in calls:
        said = says(rules, tmp_path, "shell", given)
        assert (said == "allow") == (wanted == "allow"), (given, said)
    assert rules.diagnostics == ()


def test_what_is_denied_in_a_folder_is_denied_where_a_line_may_move_to_it(tmp_path: Path) -> None:
    rules = book(tmp_path, rule(command="make", folder="sub", decision="deny"))
    assert says(rules, tmp_path, "shell", {"command": "make"}) == ""
    assert says(rules, tmp_path, "shell", {"command": "make", "cwd": "sub"}) == "deny"
    assert says(rules, tmp_path, "shell", {"command": "cd sub && make"}) == "deny"
    assert rules.denies_tool("shell") is None


def test_an_answer_stores_the_folder_in_which_the_command_was_seen(tmp_path: Path) -> None:
    call = ToolCall("shell", "1", {"command": "./x.sh", "cwd": "sub"})
    (made,) = rules_for(ToolRequest(call, str(tmp_path)), "allow")
    assert made["folder"] == os.path.realpath(tmp_path / "sub")
    assert "folder" not in rules_for(ToolRequest(call, str(tmp_path)), "deny")[0]
    moving = ToolCall("shell", "1", {"command": "cd sub && ./x.sh"})
    assert rules_for(ToolRequest(moving, str(tmp_path)), "allow") == ()


LEAVING = [
    "npm test --prefix ../other",
    "npm test --pref=../other",
    "npm test -prefix other",
    "npm test -C other",
    "npm test -w other",
    "npm test --script-shell=./x",
    "npm run build --node-options=--require=./x.js",
    "cargo test --manifest-path other/Cargo.toml",
    "cargo test --config build.rustc-wrapper=./x",
    "go test -exec ./x",
    "go test --toolexec=./x",
    "go test -C other",
    "pytest -p x",
    "pytest -qp x",
    "pytest --rootdir=other",
    "pytest /elsewhere/test_x.py",
    "pytest ../test_x.py",
    "pytest ~/test_x.py",
    "pytest --junitxml=/elsewhere/x.xml",
    "pytest link/test_x.py",
    "mypy --python-exec ./x",
    "ruff check --config x",
    "git commit -F /elsewhere/x",
]


@pytest.mark.parametrize("line", LEAVING)
def test_an_answer_about_a_folder_does_not_cover_words_that_leave_it(line: str, tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    (work / "link").symlink_to(tmp_path)
    words = line.split()
    plain = " ".join(words[: 1 if words[0] in ("pytest", "mypy", "ruff") else 3 if words[1] == "run" else 2])
    (made,) = rules_for(ToolRequest(ToolCall("shell", "1", {"command": plain}), str(work)), "allow")
    assert "regex" not in made
    rules = book(tmp_path, rule(**made))
    assert says(rules, tmp_path, "shell", {"command": plain}) == "allow"
    assert says(rules, tmp_path, "shell", {"command": line}) == ""


def test_an_answer_about_a_folder_covers_ordinary_words(tmp_path: Path) -> None:
    lines = {
        "pytest": ["pytest -q -x tests/test_a.py::test_b -k 'a or b' --cov=src --maxfail=1 -vv -n2"],
        "npm run build": ["npm run build --silent -- --mode production"],
        "go test": ["go test -v -race -run X -count=1 ./...", "go test -coverprofile=c.out ./a"],
        "cargo test": ["cargo test --release -p a -- --nocapture"],
        "git commit": ["git commit -am 'mend a/b: c' --amend --no-edit"],
        "ruff": ["ruff check --fix --diff src"],
    }
    (tmp_path / "work").mkdir()
    for plain, others in lines.items():
        (made,) = rules_for(ToolRequest(ToolCall("shell", "1", {"command": plain}), str(tmp_path / "work")), "allow")
        rules = book(tmp_path, rule(**made))
        assert {each: says(rules, tmp_path, "shell", {"command": each}) for each in others} == dict.fromkeys(
            others, "allow"
        )


def test_a_line_that_moves_is_not_allowed_in_parts_by_a_rule_about_another_folder(tmp_path: Path) -> None:
    (tmp_path / "work" / "sub").mkdir(parents=True)
    facts = SessionFacts(str(tmp_path / "work"), str(tmp_path / "work"), str(tmp_path / "home"))

    def allowed(rules: OwnBook, **given: str) -> bool:
        return allowed_in_parts(ToolUse(ToolCall("shell", "1", given), facts, ""), (rules,))

    here = book(tmp_path, rule(command="./x.sh", folder=".", decision="allow"))
    assert allowed(here, command="ls && ./x.sh")
    assert not allowed(here, command="ls && ./x.sh", cwd="sub")
    for line in (
        "cd sub && ./x.sh",
        "command cd sub; ./x.sh",
        "c''d sub && ./x.sh",
        "if true; then cd sub; fi; ./x.sh",
    ):
        assert not allowed(here, command=line), line
    below = book(tmp_path, rule(command="./x.sh", folder="sub", decision="allow"))
    assert allowed(below, command="ls && ./x.sh", cwd="sub")
    anywhere = book(tmp_path, rule(command="./x.sh", decision="allow"))
    assert allowed(anywhere, command="cd sub && ./x.sh")


@pytest.mark.parametrize(
    "line", ["export PATH=.", "alias pytest=./x", "hash -p ./x pytest", "declare PATH=.", "printf -v PATH .", "set -k"]
)
def test_what_only_changes_later_commands_is_never_allowed_for_good(line: str, tmp_path: Path) -> None:
    """Alone it is harmless; before a command that another rule allows it makes that command another one."""
    for each in (line, f"{line}; pytest"):
        assert rules_for(ToolRequest(ToolCall("shell", "1", {"command": each}), str(tmp_path)), "allow") == (), each
    assert rules_for(ToolRequest(ToolCall("shell", "1", {"command": "printf a"}), str(tmp_path)), "allow")


def test_a_name_behind_a_dot_is_allowed_at_its_place_and_denied_everywhere(tmp_path: Path) -> None:
    allowed = book(tmp_path, rule(tool="write", path="./a.txt", decision="allow"))
    written = {"a.txt": "allow", "./a.txt": "allow", "sub/a.txt": ""}
    assert {path: says(allowed, tmp_path, "write", {"path": path, "content": ""}) for path in written} == written
    denied = book(tmp_path, rule(tool="write", path="./a.txt", decision="deny"))
    assert says(denied, tmp_path, "write", {"path": "sub/a.txt", "content": ""}) == "deny"
