"""All ancestors are known, nearest first, in real chains of processes; the seed's rule is kept beside them."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from pisces.ide.process_tree import (
    RunningProcess,
    posix_rule,
    process_tree,
    ps_processes,
    windows_processes,
    windows_rule,
)

PROGRAM = """
import json, os, sys
from pisces.ide.process_tree import process_tree
tree = process_tree(os.environ)
told = {"pids": tree.pids, "names": [each.name for each in tree.ancestors], "ide": tree.ide.pid, "by": tree.by}
with open(sys.argv[1] + ".new", "w") as file:
    json.dump(told, file)
os.rename(sys.argv[1] + ".new", sys.argv[1])
"""

pytestmark = pytest.mark.skipif(os.name == "nt", reason="chains of POSIX shells")


def _line(tmp_path: Path) -> str:
    (tmp_path / "tree.py").write_text(PROGRAM)
    return shlex.join([sys.executable, str(tmp_path / "tree.py"), str(tmp_path / "told.json")]) + "; :"


def _run(argv: list[str], tmp_path: Path, **env: str) -> dict[str, Any]:
    started = subprocess.Popen(argv, env={**os.environ, **env})
    assert started.wait(20) == 0
    told: dict[str, Any] = json.loads((tmp_path / "told.json").read_text())
    return {**told, "top": started.pid}


def test_every_ancestor_is_found_nearest_first(tmp_path: Path) -> None:
    inner = f"sh -c {shlex.quote(_line(tmp_path))}; :"
    told = _run(["bash", "-c", inner], tmp_path)
    assert told["pids"][2:4] == [told["top"], os.getpid()]
    assert told["names"][1:3] == ["sh", "bash"]
    assert told["pids"][3:] == list(process_tree({}).pids)


def test_the_rule_takes_the_grandparent_of_the_nearest_shell(tmp_path: Path) -> None:
    told = _run(["bash", "-c", f"sh -c {shlex.quote(_line(tmp_path))}; :"], tmp_path)
    assert told["ide"] == os.getpid()
    assert told["by"].startswith("grandparent of the shell `sh`")


def test_an_extra_shell_misleads_the_rule_but_the_editor_is_still_among_the_ancestors(tmp_path: Path) -> None:
    once_more = f"sh -c {shlex.quote(_line(tmp_path))}; :"
    told = _run(["bash", "-c", f"sh -c {shlex.quote(once_more)}; :"], tmp_path)
    assert told["ide"] == told["top"], "a shell, taken for an editor"
    assert os.getpid() in told["pids"]


def test_a_login_shell_misleads_the_rule_but_the_editor_is_still_among_the_ancestors(tmp_path: Path) -> None:
    login = f"exec -a -zsh bash -c {shlex.quote(_line(tmp_path))}"
    told = _run(["bash", "-c", login], tmp_path)
    assert told["names"][1] == "-zsh"
    assert "`-zsh`" not in told["by"]
    assert os.getpid() in told["pids"]


@pytest.mark.skipif(not shutil.which("tmux"), reason="needs tmux")
def test_inside_tmux_the_ancestors_end_at_its_server(tmp_path: Path) -> None:
    tmux = ["tmux", "-S", str(tmp_path / "socket"), "-f", "/dev/null"]
    subprocess.run([*tmux, "new-session", "-d", f"{_line(tmp_path)}; sleep 30"], check=True)
    try:
        server = int(subprocess.check_output([*tmux, "display-message", "-p", "#{pid}"]))
        until = time.monotonic() + 20
        while not (tmp_path / "told.json").exists() and time.monotonic() < until:
            time.sleep(0.02)
        told = json.loads((tmp_path / "told.json").read_text())
    finally:
        subprocess.run([*tmux, "kill-server"], check=True)
    assert server in told["pids"]
    assert os.getpid() not in told["pids"]


def test_a_variable_names_the_editor_before_any_rule(tmp_path: Path) -> None:
    told = _run(["sh", "-c", _line(tmp_path)], tmp_path, GEMINI_CLI_IDE_PID=str(os.getpid()))
    assert told["ide"] == os.getpid()
    assert "GEMINI_CLI_IDE_PID" in told["by"]


@pytest.mark.parametrize(("text", "pid"), [("123456789", 123456789), ("12abc", 12), (" 7", 7)])
def test_the_variable_is_read_as_gemini_reads_it(text: str, pid: int) -> None:
    assert process_tree({"GEMINI_CLI_IDE_PID": text}).ide.pid == pid


@pytest.mark.parametrize("text", ["", "0", "-5", "abc", "0x"])
def test_a_variable_that_names_no_process_is_ignored(text: str) -> None:
    assert process_tree({"GEMINI_CLI_IDE_PID": text}) == process_tree({})


def test_without_a_shell_the_topmost_process_is_the_editor() -> None:
    table = {
        30: RunningProcess(30, 20, "node"),
        20: RunningProcess(20, 10, "code"),
        10: RunningProcess(10, 1, "launcher"),
    }
    assert posix_rule(30, lambda pid: table.get(pid, RunningProcess(pid)))[0].pid == 10


def test_a_shell_below_the_first_process_has_its_parent_for_an_editor() -> None:
    table = {30: RunningProcess(30, 20, "node"), 20: RunningProcess(20, 10, "zsh"), 10: RunningProcess(10, 1, "code")}
    assert posix_rule(30, lambda pid: table.get(pid, RunningProcess(pid)))[0].pid == 10


def test_a_chain_that_never_ends_is_followed_for_32_steps() -> None:
    assert posix_rule(1000, lambda pid: RunningProcess(pid, pid + 1, "node"))[0].pid == 1032


def test_ps_and_proc_agree() -> None:
    listed = ps_processes(subprocess.check_output(["ps", "-A", "-ww", "-o", "pid=,ppid=,command="], text=True))
    here = process_tree({}).ancestors
    assert [(listed[each.pid].parent, listed[each.pid].name) for each in here] == [
        (each.parent, each.name) for each in here
    ]


def test_a_snapshot_of_windows_is_read_and_the_third_from_the_top_is_the_editor() -> None:
    rows = [
        {"ProcessId": 4, "ParentProcessId": 0, "Name": "System", "CommandLine": None},
        {"ProcessId": 10, "ParentProcessId": 4, "Name": "explorer.exe", "CommandLine": "explorer.exe"},
        {"ProcessId": 20, "ParentProcessId": 10, "Name": "Code.exe", "CommandLine": '"C:\\Code.exe"'},
        {"ProcessId": 30, "ParentProcessId": 20, "Name": "pwsh.exe", "CommandLine": "pwsh"},
    ]
    table = windows_processes(json.dumps(rows))
    assert table[4] == RunningProcess(4, 0, "System", "")
    chain = tuple(table[pid] for pid in (30, 20, 10, 4))
    assert windows_rule(chain).pid == 20
    assert windows_rule(chain[:2]).pid == 20


@pytest.mark.parametrize("printed", ["", "not json", "[1, null]", '{"ProcessId": "x"}'])
def test_a_snapshot_of_windows_that_is_none_is_empty(printed: str) -> None:
    assert windows_processes(printed) == {}


def test_a_single_process_is_a_snapshot_too() -> None:
    assert windows_processes('{"ProcessId": 4, "ParentProcessId": 0, "Name": "System"}') == {
        4: RunningProcess(4, 0, "System")
    }
