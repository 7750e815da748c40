"""Every form of Claude Code's permission rules, as version 2.1.325 judges them, and where ours are stricter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.gates.claude_scene import ClaudeScene, ruled

DENY_RM = {"permissions": {"deny": ["Bash(rm:*)"]}}


def read(path: str) -> tuple[str, dict[str, Any]]:
    return "Read", {"file_path": path}


def write(path: str) -> tuple[str, dict[str, Any]]:
    return "Write", {"file_path": path, "content": "z"}


def fetch(address: str) -> tuple[str, dict[str, Any]]:
    return "WebFetch", {"url": address, "prompt": "p"}


@pytest.mark.parametrize(
    ("rule", "line", "decision"),
    [
        ("Bash(rm:*)", "rm -f zz", "deny"),
        ("Bash(rm:*)", "rm", "deny"),
        ("Bash(rm:*)", "rmdir zz", "ask"),
        ("Bash(rm *)", "rm", "deny"),
        ("Bash(rm *)", "rmdir zz", "ask"),
        ("Bash(rm*)", "rmdir zz", "deny"),
        ("Bash(rm*)", "srm zz", "ask"),
        ("Bash(rm zz)", "rm  zz", "deny"),
        ("Bash(rm zz)", "rm 'zz'", "deny"),
        ("Bash(rm zz)", "rm zz a", "ask"),
        ("Bash(git * main)", "git push origin main", "deny"),
        ("Bash(git * main)", "git push x mainly", "ask"),
        ("Bash(npm*--prod*)", "npm run x --prod y", "deny"),
        ("Bash(git push:*)", "git\tpush", "deny"),
        ("Bash(git push:*)", "git push-x", "ask"),
        ("Bash(git push:*)", "git.exe push", "deny"),
        ("Bash(run_in_background:true)", "ls", "allow"),
        ("Bash", "ls", "deny"),
        ("Bash(*)", "ls", "deny"),
        ("B*", "ls", "deny"),
        ("*", "ls", "deny"),
        # Read liberally, because somebody wanted to be safe:
        ("bash(rm:*)", "rm x", "deny"),
        (" Bash (rm:*) ", "rm x", "deny"),
        ("Bash( rm:* )", "rm x", "deny"),
        ("Bash(rm:*", "rm x", "deny"),
        ("run_shell_command(rm:*)", "rm x", "deny"),
        ("Bash()", "ls", "deny"),
    ],
)
def test_a_deny_rule_about_lines(tmp_path: Path, rule: str, line: str, decision: str) -> None:
    assert ruled(tmp_path, deny=[rule]).line(line) == decision


@pytest.mark.parametrize(
    ("rule", "line", "decision"),
    [
        ("Bash(touch:*)", "touch made", "allow"),
        ("Bash(touch:*)", "touch", "allow"),
        ("Bash(touch *)", "touch", "allow"),
        ("Bash(touch:*)", "touchx a", "ask"),
        ("Bash(touch*)", "touchx a", "allow"),
        ("Bash(touch made)", "touch made", "allow"),
        ("Bash(touch made)", "touch made2", "ask"),
        ("Bash(touch made)", "touch  made", "ask"),
        ("Bash(touch made)", "touch 'made'", "ask"),
        ("Bash(npm * x)", "npm run a b x", "allow"),
        ("Bash(npm * x)", "npm x", "ask"),
        ("Bash(npm run:*)", "npm run a && npm run b", "allow"),
        ("Bash(npm run:*)", "ls; npm run a | head", "allow"),
        ("Bash(npm run:*)", "npm run a; git push", "ask"),
        ("Bash(npm run:*)", "npm run $X", "ask"),
        ("Bash(npm run:*)", 'npm run "$(cat a)"', "ask"),
        ("Bash(npm run:*)", "npm run *.ts", "allow"),
        ("Bash(npm run:*)", "npm run a 2>&1 >/dev/null", "allow"),
        ("Bash(npm run:*)", "npm run a > out", "ask"),
        ("Bash(npm run:*)", "npm run a &", "ask"),
        ("Bash(npm run:*)", "(npm run a)", "ask"),
        ("Bash(npm run:*)", "{ npm run a; }", "ask"),
        ("Bash(npm run:*)", "npm run a <<'E'\nx\nE", "allow"),
        ("Bash(npm run:*)", "npm run a <<E\nx\nE", "ask"),
        ("Bash(npm run:*)", "if npm run a; then echo y; fi", "allow"),
        ("Bash(npm run:*)", "cd src && npm run a", "allow"),
        ("Bash(npm run:*)", "cd /tmp && npm run a", "ask"),
        ("Bash(npm run:*)", "timeout 5 npm run a", "allow"),
        ("Bash(npm run:*)", "time npm run a", "allow"),
        ("Bash(npm run:*)", "nice -n 5 npm run a", "allow"),
        ("Bash(npm run:*)", "env CI=1 npm run a", "ask"),
        ("Bash(npm run:*)", "sudo npm run a", "ask"),
        ("Bash(npm run:*)", "CI=1 npm run a", "allow"),
        ("Bash(npm run:*)", "PATH=. npm run a", "ask"),
        ("Bash(npm run:*)", "LD_PRELOAD=x npm run a", "ask"),
        ("Bash(npm run:*)", "LANG=$(cat a) npm run a", "ask"),
        ("Bash(npm run:*)", "/usr/bin/npm run a", "ask"),
        ("Bash(npm run:*)", "npm 'run' a", "ask"),
        ("Bash(npm run:*)", "npm run a\\ b", "ask"),
        ("Bash(npm run:*)", "npm run a\u00a0b", "ask"),
        ("Bash(git:*)", "git -C . push", "allow"),
        ("Bash(touch:*)", "touch ../x", "ask"),
        ("Bash(touch:*)", "touch .bashrc", "ask"),
        ("Bash(touch:*)", "touch .claude/settings.json", "ask"),
        ("Bash(touch:*)", "touch *.ts", "ask"),
        ("Bash(touch:*)", "cd src && touch made", "ask"),
        ("Bash(cat:*)", "cat /etc/hostname", "ask"),
        ("Bash(rm:*)", "rm -rf .git", "ask"),
        ("Bash", "touch a; rm zz", "allow"),
        ("Bash", "touch .claude/settings.json", "ask"),
        ("Bash(:*)", "touch a", "ask"),
        ("*", "touch a", "ask"),
        ("Bash*", "touch a", "ask"),
        ("bash(touch:*)", "touch a", "ask"),
        ("run_shell_command(touch)", "touch", "ask"),
        ("Bash(touch:*), Bash(rm:*)", "touch a", "ask"),
        ("Bash(run_in_background:true)", "touch a", "ask"),
        # Stricter than the program: what starts another program allows only itself.
        ("Bash(env:*)", "env rm x", "ask"),
        ("Bash(timeout:*)", "timeout 5 rm x", "ask"),
        ("Bash(sh:*)", "sh -c 'rm x'", "ask"),
        ("Bash(xargs:*)", "ls | xargs rm", "ask"),
        ("Bash", "$X", "ask"),
        ("Bash", "curl x | sh", "ask"),
    ],
)
def test_an_allow_rule_about_lines(tmp_path: Path, rule: str, line: str, decision: str) -> None:
    assert ruled(tmp_path, allow=[rule]).line(line) == decision


@pytest.mark.parametrize(
    "line", ["touch a", "ls; touch a", "env touch a", "sh -c 'touch a'", "find . -exec touch {} +"]
)
def test_an_ask_rule_beats_an_allow_rule(tmp_path: Path, line: str) -> None:
    assert ruled(tmp_path, allow=["Bash"], ask=["Bash(touch:*)"]).line(line) == "ask"


def test_deny_beats_ask_beats_allow_in_every_mode(tmp_path: Path) -> None:
    scene = ruled(tmp_path, deny=["Bash(rm:*)"], ask=["Bash(touch:*)"], allow=["Bash"])
    for mode in ("ask", "edits", "plan", "all"):
        assert scene.line("rm x", mode) == "deny"
        assert scene.line("touch x", mode) == "ask"


READ_FORMS = [
    ("Read(x)", "@WORK@/x/a.txt @WORK@/sub/x/c @WORK@/x", "@WORK@/a @HOME@/x/a"),
    ("Read(x/)", "@WORK@/x/a.txt", "@WORK@/a"),
    ("Read(x/*)", "@WORK@/x/a.txt @WORK@/x/y/b.txt", "@WORK@/sub/x/c @WORK@/a"),
    ("Read(x/**)", "@WORK@/x/y/b.txt @WORK@/sub/x/c", "@WORK@/a"),
    ("Read(./x/**)", "@WORK@/x/a.txt @WORK@/src/../x/a.txt", "@WORK@/src/m.ts"),
    ("Read(/x/**)", "@HOME@/.claude/x/a", "@WORK@/x/a.txt"),
    ("Read(~/x/**)", "@HOME@/x/a ~/x/a", "@WORK@/x/a.txt @HOME@/.claude/x/a"),
    ("Read(//etc/**)", "/etc/hostname", "@WORK@/etc/x"),
    ("Read(//**)", "/etc/hostname @WORK@/a", ""),
    ("Read(**)", "@WORK@/a", ""),
    ("Read(**/*.txt)", "@WORK@/x/a.txt @WORK@/x/y/b.txt", "@WORK@/a"),
    ("Read(*.txt)", "@WORK@/x/a.txt", "@WORK@/a"),
    ("Read(x/?.txt)", "@WORK@/x/a.txt", "@WORK@/x/y/b.txt"),
    ("Read(x/[ab].txt)", "@WORK@/x/a.txt", "@WORK@/x/c.txt"),
    ("Read(X/**)", "@WORK@/x/a.txt", "@WORK@/a"),
    ("Read(x/**/b.txt)", "@WORK@/x/y/b.txt", "@WORK@/x/a.txt"),
    ("Read(../x/**)", "@ROOT@/x/a", "@WORK@/x/a.txt"),
    ("Read", "@WORK@/a", ""),
]


@pytest.mark.parametrize(("rule", "denied", "others"), READ_FORMS)
def test_a_path_in_a_deny_rule(tmp_path: Path, rule: str, denied: str, others: str) -> None:
    scene = ruled(tmp_path, deny=[rule])
    assert {each: scene.verdict(*read(each)).decision for each in denied.split()} == dict.fromkeys(
        denied.split(), "deny"
    )
    assert all(scene.verdict(*read(each)).decision != "deny" for each in others.split())


def test_one_slash_in_a_project_stands_for_the_project(tmp_path: Path) -> None:
    scene = ClaudeScene(tmp_path, project={"permissions": {"deny": ["Read(/x/**)"]}})
    assert scene.verdict(*read("@WORK@/x/a.txt")).decision == "deny"
    assert scene.verdict(*read("@WORK@/sub/x/c.txt")).decision == "allow"


@pytest.mark.parametrize(
    ("rule", "call", "decision"),
    [
        ("Read", read("/etc/hostname"), "allow"),
        ("Read(//etc/**)", read("/etc/hostname"), "allow"),
        ("Read(//etc/**)", ("Bash", {"command": "cat /etc/hostname"}), "allow"),
        ("Read", ("Bash", {"command": "cat /etc/hostname"}), "ask"),
        ("Read(/etc/**)", read("/etc/hostname"), "ask"),
        ("Read(**)", read("/etc/hostname"), "ask"),
        ("Read(*)", read("/etc/hostname"), "ask"),
        ("Edit(./src/**)", write("@WORK@/src/n.ts"), "allow"),
        ("Edit(./src/**)", write("@WORK@/src/../n.ts"), "ask"),
        ("Edit(./src/**)", write("@WORK@/n.ts"), "ask"),
        ("Edit(./src/**)", ("Bash", {"command": "echo a > src/n.ts"}), "allow"),
        ("Edit(./src/**)", ("Bash", {"command": "touch src/n.ts"}), "ask"),
        ("Edit(.claude/**)", write("@WORK@/.claude/settings.json"), "ask"),
        ("Edit", write("@WORK@/n"), "ask"),
        ("Edit", ("Edit", {"file_path": "@WORK@/a", "old_string": "1", "new_string": "2"}), "allow"),
        ("Write", write("@WORK@/n"), "allow"),
        ("Write(./src/**)", write("@WORK@/src/n"), "ask"),
        ("WebFetch(domain:example.com)", fetch("https://example.com/a"), "allow"),
        ("WebFetch(domain:example.com)", fetch("https://EXAMPLE.com"), "allow"),
        ("WebFetch(domain:example.com)", fetch("https://sub.example.com"), "ask"),
        ("WebFetch(domain:example.com)", fetch("https://example.com@evil.org/"), "ask"),
        ("WebFetch(domain:example.com)", fetch("https://example.com\\@evil.org/"), "ask"),
        ("WebFetch(domain:example.com)", fetch("https://example.com.evil.org"), "ask"),
        ("WebFetch(domain:*.example.com)", fetch("https://sub.example.com"), "allow"),
        ("WebFetch(domain:*.example.com)", fetch("https://example.com"), "ask"),
        ("WebFetch(example.com)", fetch("https://example.com"), "ask"),
        ("WebFetch", fetch("https://example.org"), "allow"),
        ("mcp__srv", ("mcp__srv__read_it", {}), "allow"),
        ("mcp__srv__*", ("mcp__srv__read_it", {}), "allow"),
        ("mcp__srv__re*", ("mcp__srv__read_it", {}), "allow"),
        ("mcp__*", ("mcp__srv__read_it", {}), "ask"),
        ("mcp__s*", ("mcp__srv__read_it", {}), "ask"),
        ("mcp__srv__read_it(a)", ("mcp__srv__read_it", {"text": "a"}), "ask"),
        ("mcp__srv", ("mcp__srv2__read_it", {}), "ask"),
        ("Read", ("mcp__srv__Read", {"file_path": "/etc/hostname"}), "ask"),
    ],
)
def test_an_allow_rule_about_other_tools(
    tmp_path: Path, rule: str, call: tuple[str, dict[str, Any]], decision: str
) -> None:
    assert ruled(tmp_path, allow=[rule]).verdict(*call).decision == decision


AGENT = ("Agent", {"description": "d", "prompt": "p", "subagent_type": "Explore"})


@pytest.mark.parametrize(
    ("rule", "call", "why"),
    [
        ("WebFetch(domain:example.com)", fetch("https://u:p@Example.com.:8443/"), "domain:example.com.."),
        ("WebFetch(domain:*.example.com)", fetch("https://a.b.example.com"), "domain:a.b.example.com."),
        ("WebFetch(domain:example.com)", fetch("https:\\\\example.com"), "domain:example.com."),
        ("WebFetch(domain:example.com)", ("web_fetch", {"prompt": "read http://example.com/x"}), "domain:example.com."),
        ("mcp__srv", ("mcp__srv__read_it", {}), "No such tool available: mcp__srv__read_it"),
        ("mcp__*", ("mcp__srv__read_it", {}), "No such tool available"),
        ("mcp__*__read_it", ("mcp__srv__read_it", {}), "No such tool available"),
        ("mcp__srv__read_it(a)", ("mcp__srv__read_it", {"text": "b"}), "denied"),
        ("Task(Explore)", AGENT, "Agent type 'Explore' has been denied by permission rule 'Agent(Explore)'"),
        ("Agent(*)", AGENT, "No such tool available: Agent. Agent is disabled for this session"),
        ("Skill(sk:*)", ("Skill", {"skill": "sk2"}), "Skill execution blocked by permission rules"),
        ("Skill(/sk)", ("Skill", {"skill": "sk", "args": "x"}), "Skill execution blocked by permission rules"),
        ("Skill(sk)", ("activate_skill", {"name": "sk"}), "Skill execution blocked by permission rules"),
        ("Read(./.env)", write("@WORK@/.env"), "covered by a Read deny rule in your permission settings"),
        ("Edit(./src/**)", write("@WORK@/src/n"), "File is in a directory that is denied"),
        ("Write(./src/**)", write("@WORK@/src/n"), "File is in a directory that is denied"),
        ("Bash(run_in_background:true)", ("Bash", {"command": "ls", "run_in_background": True}), "background:true has"),
    ],
)
def test_a_deny_rule_about_other_tools_says_what_the_program_says(
    tmp_path: Path, rule: str, call: tuple[str, dict[str, Any]], why: str
) -> None:
    verdict = ruled(tmp_path, deny=[rule], allow=["WebFetch", "mcp__srv"]).verdict(*call)
    assert verdict.decision == "deny"
    assert why in verdict.why
    assert verdict.who.endswith(f"settings.json:1 deny {rule}")


@pytest.mark.parametrize(
    "call",
    [
        ("run_shell_command", {"command": "rm x"}),
        ("exec_command", {"cmd": "rm x"}),
        ("shell", {"command": ["bash", "-lc", "rm x"]}),
        ("shell", {"command": ["rm", "x"]}),
        ("bash", {"command": "rm x"}),
        ("write_stdin", {"session_id": 1, "chars": "rm x\n"}),
        ("write_stdin", {"session_id": 1, "chars": "ls\rrm x\r"}),
    ],
)
def test_every_way_to_a_shell_is_judged(tmp_path: Path, call: tuple[str, dict[str, Any]]) -> None:
    assert ruled(tmp_path, deny=["Bash(rm:*)"], allow=["Bash"]).verdict(*call).decision == "deny"


def test_a_line_that_runs_elsewhere_is_asked_about(tmp_path: Path) -> None:
    scene = ruled(tmp_path, allow=["Bash(npm run:*)"])
    assert scene.verdict("exec_command", {"cmd": "npm run a", "workdir": "src"}).decision == "allow"
    assert scene.verdict("exec_command", {"cmd": "npm run a", "workdir": "/etc"}).decision == "ask"


def test_what_is_typed_is_never_allowed_by_a_rule(tmp_path: Path) -> None:
    assert ruled(tmp_path, allow=["Bash"]).verdict("write_stdin", {"chars": "ls\n"}).decision == "ask"


@pytest.mark.parametrize("tool", ["write_file", "replace", "write", "edit"])
def test_tools_of_other_harnesses_write_too(tmp_path: Path, tool: str) -> None:
    argument = "file_path" if "_" in tool or tool == "replace" else "path"
    call = tool, {argument: "src/n", "content": "z"}
    assert ruled(tmp_path, deny=["Edit(./src/**)"]).verdict(*call).decision == "deny"


def test_a_patch_is_judged_by_every_file_in_it(tmp_path: Path) -> None:
    patch = "*** Begin Patch\n*** Update File: a\n@@\n*** Add File: src/n.ts\n+x\n*** End Patch"
    scene = ruled(tmp_path, deny=["Edit(./src/**)"], allow=["Edit(a)"])
    assert scene.verdict("apply_patch", {"input": patch}).decision == "deny"
    assert scene.verdict("apply_patch", {"input": "nothing that can be read"}).decision == "ask"


WRITES = """
echo a > src/n.ts
echo a >> src/n.ts
echo a >| src/x
ls &> src/x
ls 2> src/x
> src/x
sed -i s/t/u/ src/m.ts
sed -i.bak s/t/u/ src/m.ts
tee src/n.ts
echo a | tee -a ./src//n.ts
cp a src/n.ts
cp a src/
cp -t src a
mv a src/n.ts
mv src x2
rm src/m.ts
rm -rf src
rmdir src
touch src/n.ts
mkdir src/d
ln -s a src/l
truncate -s0 src/m.ts
dd if=a of=src/m.ts
install a src/x
git checkout src/m.ts
perl -i -pe s/a/b/ src/m.ts
sort -o src/m.ts a
sort -osrc/m.ts a
sort -uo src/m.ts a
sort --outp=src/m.ts a
cp --target=src a
curl -so src/x http://x
sed -ni s/a/b/ src/m.ts
sed --in-pl s/a/b/ src/m.ts
cp x/src .
rm -rf .
rm -rf ../work
find . -delete
mv ../work ../w2
chmod +x src/m.ts
find src -delete
curl -o src/x http://x
cd src && touch n.ts
sh -c 'echo a > src/n.ts'
touch x/../src/n
F=src/n; touch $F
touch src/{p,q}
touch SRC/n
{ echo a; } > src/n
""".strip().splitlines()


@pytest.mark.parametrize("line", WRITES)
@pytest.mark.parametrize("rule", ["Edit(./src/**)", "Write(./src/**)"])
def test_edit_rules_cover_every_way_to_write(tmp_path: Path, line: str, rule: str) -> None:
    assert ruled(tmp_path, deny=[rule], allow=["Bash"]).line(line) == "deny"


def test_a_project_only_narrows(tmp_path: Path) -> None:
    rules = {"permissions": {"allow": ["Bash(touch:*)"], "deny": ["Bash(rm:*)"], "ask": ["Bash(echo:*)"]}}
    for number, (project, local) in enumerate(((rules, None), (None, rules))):
        made = ClaudeScene(tmp_path / str(number), {"permissions": {"allow": ["Bash"]}}, project, local)
        assert made.line("rm x") == "deny"
        assert made.line("echo hi") == "ask"
        alone = ClaudeScene(tmp_path / f"{number}b", None, project, local)
        assert alone.line("touch a") == "ask"
        assert [each.code for each in alone.books[0].diagnostics] == ["permission-ignored"]


@pytest.mark.parametrize(
    "broken",
    [
        {"permissions": {"defaultMode": "nonsense", "deny": ["Bash(echo:*)"], "allow": ["Bash(npm run:*)"]}},
        {"permissions": {"deny": "Bash(echo:*)", "allow": ["Bash(npm run:*)"]}},
        {"permissions": {"deny": ["Bash(echo:*)"], "allow": ["Bash(npm run:*)"]}, "hooks": {"PreToolUse": [{"a": 1}]}},
        '{"permissions": {"deny": ["Bash(echo:*)",], "allow": ["Bash(npm run:*)"],},}',
    ],
)
def test_a_broken_file_keeps_what_narrows_and_allows_nothing(tmp_path: Path, broken: Any) -> None:
    scene = ClaudeScene(tmp_path, broken)
    assert scene.line("echo hi") == "deny"
    assert scene.line("npm run x") == "ask"
    assert scene.books[0].diagnostics


def test_a_byte_order_mark_changes_nothing(tmp_path: Path) -> None:
    scene = ClaudeScene(tmp_path, '\ufeff{"permissions": {"deny": ["Bash(echo:*)"], "allow": ["Bash(npm run:*)"]}}')
    assert [scene.line(line) for line in ("echo hi", "npm run x")] == ["deny", "allow"]
    assert not scene.books[0].diagnostics


def test_where_nothing_can_be_read_of_the_users_file_all_is_asked(tmp_path: Path) -> None:
    scene = ClaudeScene(tmp_path, '{"permissions": {"deny": ["Bash(ec')
    assert scene.line("ls") == "ask"
    assert scene.line("ls", "all") == "ask"


def test_a_rule_that_cannot_be_read_takes_no_other_with_it(tmp_path: Path) -> None:
    scene = ruled(tmp_path, deny=[5, None, {"a": 1}, "", "Bash(rm:*)"], allow=[7, "Bash(npm run:*)"])
    assert scene.line("rm x") == "deny"
    assert scene.line("npm run x") == "allow"
    assert [each.code for each in scene.books[0].diagnostics] == ["permission-rule"] * 5


def test_a_tool_without_brackets_is_not_offered(tmp_path: Path) -> None:
    (book,) = ruled(tmp_path, deny=["Read", "mcp__srv", "Bash(rm:*)"]).books
    for tool, server in (("Read", ""), ("read_file", ""), ("mcp__srv__x", ""), ("x", "srv"), ("mcp_srv_x", "srv")):
        verdict = book.denies_tool(tool, server)
        assert verdict is not None
        assert "No such tool available" in verdict.why
    assert book.denies_tool("Bash") is None
    assert book.denies_tool("x", "srv2") is None


def test_folders_that_the_user_added_may_be_read(tmp_path: Path) -> None:
    settings = {"permissions": {"additionalDirectories": ["@ROOT@/more[1]"]}}
    scene = ClaudeScene(tmp_path / "a", settings)
    assert scene.verdict(*read("@ROOT@/more[1]/x")).decision == "allow"
    assert scene.line(f"cat '{tmp_path}/a/more[1]/x'") == "allow"
    assert scene.verdict(*read("@ROOT@/more1/x")).decision == "ask"
    assert scene.verdict(*write("@ROOT@/more[1]/x")).decision == "ask"
    assert ClaudeScene(tmp_path / "b", project=settings).verdict(*read("@ROOT@/more[1]/x")).decision == "ask"


def test_no_settings_mean_no_rulebook(tmp_path: Path) -> None:
    assert ClaudeScene(tmp_path).books == []


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("echo a | rm -f zz", "rm -f zz"),
        ("echo zz | xargs rm -f", "xargs rm -f"),
        ("true && echo a | cat | rm   -f zz  2>/dev/null", "rm   -f zz"),
        ("echo a | cat && rm -f zz", "cat && rm -f zz"),
        ("echo 'a | b' && rm -f zz", "echo 'a | b' && rm -f zz"),
        ("rm -f zz || echo a", "rm -f zz || echo a"),
        ("(echo a | rm -f zz)", "(echo a | rm -f zz)"),
        ("echo $(rm -f zz) | cat", "echo $(rm -f zz) | cat"),
    ],
)
def test_of_a_line_with_pipes_the_denied_part_is_named(tmp_path: Path, line: str, named: str) -> None:
    verdict = ruled(tmp_path, deny=["Bash(rm:*)"]).verdict("Bash", {"command": line})
    assert verdict.why == f"Permission to use Bash with command {named} has been denied."
