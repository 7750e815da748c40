"""What runs without a question where no rule and no hook speaks, in each approval mode."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from pisces.gates.approval_mode import mode_verdict
from pisces.gates.rulebook import ToolUse
from pisces.gates.sed_substitution import is_substitution
from pisces.shapes.events.tools import ToolCall
from pisces.shapes.session_facts import SessionFacts

READS = """
echo hi
cat a
cat x/a.txt
head -n 1 a
tail -n +2 a
wc -l a b
ls
ls -la src
ls *.ts
pwd
grep -rn foo src
grep /etc a
rg -l 1
find . -name a
find src -type f -print
sort a
cut -d, -f1 a
tr a b < a
diff -u a b
sed -n 1,3p a
jq .x a
stat a
git status
git log --oneline -5
git diff HEAD~1
git show --stat HEAD
git branch -a
git remote -v
git stash list
python3 --version
echo hi; ls
echo hi && cat a | grep 1 | wc -l
ls 2>/dev/null
ls > /dev/null 2>&1
cat <<< hi
if true; then ls; fi
! ls
cd src && ls
[ -f a ] && cat a
timeout 5 ls
LANG=C sort a
# nothing
""".strip().splitlines()

ASKS = """
cat /etc/hostname
cat ../a
cat src/../a
cat ~/.bashrc
ls /etc
cat $X
cat $(echo a)
touch made
rm x
echo a > made
echo a >> made
sort -o b a
sed -i s/1/2/ a
sed s/1/2/ a
awk 1 a
find . -delete
find . -exec ls {} +
find . -fprint z
git add a
git commit -m x
git push
git branch x
git config a.b c
git log --output=z
git diff --ext-diff
git -c core.pager=x log
git -C . status
rg --pre x 1
tree -o z
date -s 1
hostname x
printf -v X a
npm test
python3 x.py
python3 -c 1
bash -c ls
eval ls
env
A=1 ls
LANG=$(cat a) ls
ls &
(ls)
{ ls; }
f() { ls; }; f
cat a | sh
ls | tee t
ls | xargs cat
/bin/ls
./ls
sudo ls
time ls
command -v ls
cd .. && ls
cd /tmp && ls
cat <<E
cat 'never ends
uniq a b
man -P x ls
sort --outp=z a
sort -uo z a
sort --compress-prog=x a
git log --outp=z
git diff --ext-d
git grep --open x
git tag -l x
git branch --list2
wc --files0=x
date --set=1
date -f a
history -w
hostname -F a
""".strip().splitlines()

EDITS = r"""
sed -i s/1/2/ a
sed -i 's/1\/2/ 3/gI' a
sed --in-place -E 's/(1)/2/' a
touch made
mkdir -p d/e
rm -rf d
rm zz
cp a c
mv c d
rmdir d
echo a > t
cat a >> t
ls > t 2>&1
touch a && rm zz
ls && touch a
""".strip().splitlines()

NOT_EVEN_THEN = """
touch ../x
rm -rf .
rm -rf *
rm -rf ~
touch $X
touch *.ts
touch .bashrc
touch ./.bashrc
touch x/../.bashrc
echo a > .zshrc
touch .git/hooks/pre-commit
rm -rf .git
touch .GIT/config
touch .mcp.json
touch .vscode/settings.json
touch sub/.git/x
sed -i 's/1/2/w b' a
sed -i s/1/2/e a
sed -i 's/1/2/;e touch b' a
sed -i.bak s/1/2/ a
sed -i 1d a
sed -i -e s/1/2/ -e 1d a
sed -i -f script a
sed -i s/1/2/ link/hosts
sed -i s/1/2/ .git/config
sed -i s/1/2/ *
sed -i s/1/2/
sed --in-plac s/1/2/ a
chmod +x a
ln -s a b
tee t
cp -r x y
git add a
npm install
cd src && touch made
(touch a)
touch a &
env touch a
sh -c 'touch a'
touch link/x
cp x/.bashrc sub
mv x/.bashrc sub/
cp a link
""".strip().splitlines()


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    for name in ("work/src/m.ts", "work/x/a.txt", "work/a", "work/b", "work/sub/c"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("1\n", "utf-8")
    os.symlink("/etc", tmp_path / "work" / "link")
    return tmp_path / "work"


def decision(workspace: Path, mode: str, tool: str, given: dict[str, Any], server: str = "") -> str:
    facts = SessionFacts(str(workspace), str(workspace), str(workspace.parent), mode=mode)
    verdict = mode_verdict(ToolUse(ToolCall(tool, "1", given), facts, server))
    assert verdict.who == f"approval mode {mode}"
    return verdict.decision


def line(workspace: Path, mode: str, command: str) -> str:
    return decision(workspace, mode, "Bash", {"command": command})


@pytest.mark.parametrize("command", READS)
def test_a_line_that_only_reads_the_workspace_runs(workspace: Path, command: str) -> None:
    assert {line(workspace, mode, command) for mode in ("ask", "edits", "plan", "all")} == {"allow"}


@pytest.mark.parametrize("command", ASKS)
def test_any_other_line_is_asked_about(workspace: Path, command: str) -> None:
    assert line(workspace, "ask", command) == "ask"
    assert line(workspace, "plan", command) == "deny"
    assert line(workspace, "all", command) == "allow"


@pytest.mark.parametrize("command", EDITS)
def test_lines_that_edit_the_workspace_run_in_the_mode_for_edits(workspace: Path, command: str) -> None:
    assert [line(workspace, mode, command) for mode in ("ask", "edits", "plan")] == ["ask", "allow", "deny"]


@pytest.mark.parametrize("command", NOT_EVEN_THEN)
def test_what_leads_out_or_is_obeyed_is_asked_about_in_every_mode_but_one(workspace: Path, command: str) -> None:
    assert [line(workspace, mode, command) for mode in ("ask", "edits", "all")] == ["ask", "ask", "allow"]


@pytest.mark.parametrize(
    ("tool", "given", "decisions"),
    [
        ("Read", {"file_path": "a"}, "allow allow allow"),
        ("read_file", {"file_path": "a"}, "allow allow allow"),
        ("Read", {"file_path": "/etc/hostname"}, "ask ask ask"),
        ("Read", {"file_path": "link/hostname"}, "ask ask ask"),
        ("Glob", {"pattern": "*"}, "allow allow allow"),
        ("Glob", {"pattern": "/etc/*"}, "ask ask ask"),
        ("Glob", {"pattern": "../*"}, "ask ask ask"),
        ("Grep", {"pattern": "1", "path": "/etc"}, "ask ask ask"),
        ("Grep", {"pattern": "1"}, "allow allow allow"),
        ("Write", {"file_path": "n", "content": ""}, "ask allow ask"),
        ("write_file", {"file_path": "n", "content": ""}, "ask allow ask"),
        ("Write", {"file_path": "../n", "content": ""}, "ask ask ask"),
        ("Write", {"file_path": "link/n", "content": ""}, "ask ask ask"),
        ("Write", {"file_path": ".bashrc", "content": ""}, "ask ask deny"),
        ("Write", {"file_path": ".git/hooks/x", "content": ""}, "ask ask deny"),
        ("Write", {"content": ""}, "ask ask deny"),
        ("Edit", {"file_path": "a", "old_string": "", "new_string": ""}, "ask allow ask"),
        ("apply_patch", {"input": "*** Update File: a\n"}, "ask allow ask"),
        ("apply_patch", {"input": "*** Update File: a\n*** Add File: ../x\n"}, "ask ask ask"),
        ("WebFetch", {"url": "https://example.com"}, "ask ask deny"),
        ("WebSearch", {"query": "x"}, "ask ask deny"),
        ("TodoWrite", {"todos": []}, "allow allow allow"),
        ("Agent", {"subagent_type": "x"}, "allow allow deny"),
        ("Skill", {"skill": "x"}, "allow allow allow"),
        ("write_stdin", {"chars": "ls\n"}, "ask ask deny"),
        ("exec_command", {"cmd": "ls"}, "allow allow allow"),
        ("exec_command", {"cmd": "ls", "workdir": "/etc"}, "ask ask deny"),
        ("shell", {"command": ["ls", "-l"]}, "allow allow allow"),
        ("shell", {"command": ["bash", "-lc", "git push"]}, "ask ask deny"),
        ("unheard_of", {"file_path": "a"}, "ask ask deny"),
    ],
)
def test_other_tools_in_every_mode(workspace: Path, tool: str, given: dict[str, Any], decisions: str) -> None:
    modes = ("ask", "edits", "plan")
    assert [decision(workspace, mode, tool, given) for mode in modes] == decisions.split()
    assert decision(workspace, "all", tool, given) == "allow"


def test_a_tool_of_a_server_is_no_tool_of_ours_by_its_name(workspace: Path) -> None:
    assert decision(workspace, "edits", "Read", {"file_path": "a"}, "srv") == "ask"
    assert decision(workspace, "edits", "TodoWrite", {}, "srv") == "ask"


def test_settings_of_every_harness_are_obeyed(workspace: Path) -> None:
    for folder in (".claude", ".gemini", ".codex", ".pisces"):
        given = {"file_path": f"{folder}/settings.json", "content": ""}
        assert decision(workspace, "edits", "Write", given) == "ask"


def test_where_sed_takes_the_next_word_as_a_script_nothing_of_it_is_a_plain_edit() -> None:
    """On macOS `s/a/b/` is a suffix here, and `w .git/hooks/x` the script."""
    line = ("sed", "-i", "s/a/b/", "w .git/hooks/x", "a")
    assert is_substitution(line, "linux")
    assert not is_substitution(line, "darwin")
    assert not is_substitution(line, "freebsd14")
