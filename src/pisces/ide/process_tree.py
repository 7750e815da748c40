"""The ancestors of this process from one snapshot, nearest first, and the one that Gemini CLI takes for the editor.

Gemini CLI's rule (the grandparent of the nearest shell) is a tie-break only. It is wrong for login shells, extra shells
and editors whose shells are direct children, so the companion of any ancestor counts.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping

from pisces.processes.environment import passed_on
from pisces.processes.launch import Launch, Limits
from pisces.processes.run import captured
from pisces.value import Value

Lookup = Callable[[int], "RunningProcess"]

PID_VARIABLE = "GEMINI_CLI_IDE_PID"

_SHELLS = ("zsh", "bash", "sh", "tcsh", "csh", "ksh", "fish", "dash")
_RULE_STEPS = 32  # of Gemini CLI's rule
_MOST_ANCESTORS = 256
_SECONDS = 5
_POWERSHELL = ("powershell", "-NoProfile", "-NonInteractive", "-Command")
_WINDOWS_FIELDS = "ProcessId,ParentProcessId,Name,CommandLine"
_WINDOWS_SNAPSHOT = f"Get-CimInstance Win32_Process | Select-Object {_WINDOWS_FIELDS} | ConvertTo-Json -Compress"


class RunningProcess(Value):
    """`parent` is 0 for a process that is gone or not visible. `name` is the file name of the command's first word."""

    pid: int
    parent: int = 0
    name: str = ""
    command: str = ""


class ProcessTree(Value):
    """`ancestors` begins with the process itself. `ide` is the editor by Gemini CLI's rule, `by` says why."""

    ancestors: tuple[RunningProcess, ...]
    ide: RunningProcess
    by: str

    @property
    def pids(self) -> tuple[int, ...]:
        return tuple(process.pid for process in self.ancestors)


def process_tree(env: Mapping[str, str], pid: int = 0) -> ProcessTree:
    """The tree of this process or of `pid`. `GEMINI_CLI_IDE_PID` overrides the rule."""
    lookup = _lookup_here()
    ancestors = _ancestors(pid or os.getpid(), lookup)
    if declared := _declared_pid(env):
        return ProcessTree(ancestors, lookup(declared), f"`{PID_VARIABLE}`")
    if sys.platform == "win32":
        return ProcessTree(ancestors, windows_rule(ancestors), "third from the top")
    ide, by = posix_rule(pid or os.getpid(), lookup)
    return ProcessTree(ancestors, ide, by)


def ancestors_of(pid: int) -> tuple[int, ...]:
    """The process itself and all that it runs inside, nearest first."""
    return tuple(process.pid for process in _ancestors(pid, _lookup_here()))


def posix_rule(pid: int, lookup: Lookup) -> tuple[RunningProcess, str]:
    """The grandparent of the nearest shell, else its parent. Without a shell, the topmost process below pid 1."""
    for _ in range(_RULE_STEPS):
        process = lookup(pid)
        if process.name in _SHELLS:
            parent = lookup(process.parent)
            above = parent.parent if parent.parent > 1 else process.parent
            which = "grandparent" if parent.parent > 1 else "parent"
            return lookup(above), f"{which} of the shell `{process.name}` ({process.pid})"
        if process.parent <= 1:
            break
        pid = process.parent
    return lookup(pid), "no shell above, so the topmost process"


def windows_rule(ancestors: tuple[RunningProcess, ...]) -> RunningProcess:
    counted = ancestors[:_RULE_STEPS]
    return counted[-3] if len(counted) >= 3 else counted[-1]


def _declared_pid(env: Mapping[str, str]) -> int:
    """The variable as `parseInt` reads it: leading digits, whatever follows."""
    text = env.get(PID_VARIABLE, "").strip().removeprefix("+")
    digits = text[: len(text) - len(text.lstrip("0123456789"))]
    return int(digits[:19]) if digits else 0


def _ancestors(pid: int, lookup: Lookup) -> tuple[RunningProcess, ...]:
    found: list[RunningProcess] = []
    while pid > 0 and len(found) < _MOST_ANCESTORS and pid not in {each.pid for each in found}:
        found.append(lookup(pid))
        pid = found[-1].parent
    return tuple(found)


def _lookup_here() -> Lookup:
    if os.path.exists("/proc/self/stat"):
        return _in_proc
    if sys.platform == "win32":
        table = windows_processes(_output([*_POWERSHELL, _WINDOWS_SNAPSHOT]))
    else:
        table = ps_processes(_output(["ps", "-A", "-ww", "-o", "pid=,ppid=,command="]))
    return lambda pid: table.get(pid, RunningProcess(pid))


def _in_proc(pid: int) -> RunningProcess:
    """The same fields as from `ps`, without starting a program."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            before, _, after = file.read().rpartition(b")")
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            words = file.read().rstrip(b"\0").replace(b"\0", b" ")
    except OSError:
        return RunningProcess(pid)
    title = before.partition(b"(")[2]
    return _process(pid, int(after.split()[1]), (words or b"[" + title + b"]").decode("utf-8", "replace"))


def _process(pid: int, parent: int, command: str) -> RunningProcess:
    command = command.strip()
    first = command.split(" ")[0]
    return RunningProcess(pid, parent, first.rstrip("/").rpartition("/")[2], command)


def ps_processes(printed: str) -> dict[int, RunningProcess]:
    """The snapshot as `ps -A -ww -o pid=,ppid=,command=` prints it."""
    table = {}
    for line in printed.splitlines():
        pid, _, rest = line.strip().partition(" ")
        parent, _, command = rest.strip().partition(" ")
        if pid.isdigit() and parent.isdigit():
            table[int(pid)] = _process(int(pid), int(parent), command)
    return table


def windows_processes(printed: str) -> dict[int, RunningProcess]:
    """The snapshot as PowerShell prints it: one object, or a list of them."""
    try:
        rows = json.loads(printed)
    except ValueError:
        return {}
    table = {}
    for row in rows if isinstance(rows, list) else [rows]:
        pid = row.get("ProcessId") if isinstance(row, dict) else None
        if isinstance(pid, int):
            name, command = row.get("Name") or "", row.get("CommandLine") or ""
            table[pid] = RunningProcess(pid, row.get("ParentProcessId") or 0, name, command)
    return table


def _output(argv: list[str]) -> str:
    out, _, _ = captured(Launch(tuple(argv), "", passed_on(os.environ), Limits(seconds=_SECONDS)))
    return out.decode("utf-8", "replace")
