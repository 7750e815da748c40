"""Which processes this one runs inside: all ancestors from one look, nearest first, and the one that the rule picks.

The rule of Gemini CLI (the grandparent of the nearest shell) is kept to the letter as a tie-break; because it is wrong
for login shells, extra shells and editors whose shells are direct children, a companion of any ancestor counts as ours.
"""

from __future__ import annotations

import json
import os
import sys

from pisces.processes.environment import passed_on
from pisces.processes.launch import Launch
from pisces.processes.limits import Limits
from pisces.processes.run import captured
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Lookup = Callable[[int], "Process"]

PID_VARIABLE = "GEMINI_CLI_IDE_PID"

_SHELLS = ("zsh", "bash", "sh", "tcsh", "csh", "ksh", "fish", "dash")
_RULE_STEPS = 32  # of the seed's rule
_MOST_ANCESTORS = 256
_SECONDS = 5
_WINDOWS_FIELDS = "ProcessId,ParentProcessId,Name,CommandLine"
_WINDOWS_SNAPSHOT = f"Get-CimInstance Win32_Process | Select-Object {_WINDOWS_FIELDS} | ConvertTo-Json -Compress"


class Process(Value):
    """`parent` is 0 for a process that is gone or cannot be seen; `name` is the file name of its first word."""

    pid: int
    parent: int = 0
    name: str = ""
    command: str = ""


class ProcessTree(Value):
    """`ancestors` begins with the process itself. `ide` is what Gemini CLI would take for the editor, `by` says why."""

    ancestors: tuple[Process, ...]
    ide: Process
    by: str

    @property
    def pids(self) -> tuple[int, ...]:
        return tuple(process.pid for process in self.ancestors)


def process_tree(env: Mapping[str, str], pid: int = 0) -> ProcessTree:
    """Of this process, or of another one. `GEMINI_CLI_IDE_PID` names the editor before any rule does."""
    lookup = _lookup_here()
    ancestors = _ancestors(pid or os.getpid(), lookup)
    told = _told(env)
    if told:
        return ProcessTree(ancestors, lookup(told), f"`{PID_VARIABLE}`")
    if sys.platform == "win32":
        return ProcessTree(ancestors, windows_rule(ancestors), "third from the top")
    ide, by = posix_rule(pid or os.getpid(), lookup)
    return ProcessTree(ancestors, ide, by)


def posix_rule(pid: int, lookup: Lookup) -> tuple[Process, str]:
    """The grandparent of the nearest shell, else its parent; without a shell the topmost process below pid 1."""
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


def windows_rule(ancestors: tuple[Process, ...]) -> Process:
    counted = ancestors[:_RULE_STEPS]
    return counted[-3] if len(counted) >= 3 else counted[-1]


def _told(env: Mapping[str, str]) -> int:
    """As `parseInt` reads it: digits at the start, whatever follows."""
    text = env.get(PID_VARIABLE, "").strip().removeprefix("+")
    digits = text[: len(text) - len(text.lstrip("0123456789"))]
    return int(digits[:19]) if digits else 0


def _ancestors(pid: int, lookup: Lookup) -> tuple[Process, ...]:
    found: list[Process] = []
    while pid > 0 and len(found) < _MOST_ANCESTORS and pid not in {each.pid for each in found}:
        found.append(lookup(pid))
        pid = found[-1].parent
    return tuple(found)


def _lookup_here() -> Lookup:
    if sys.platform == "win32":
        return _in_table(_windows_table())
    if os.path.exists("/proc/self/stat"):
        return _in_proc
    return _in_table(ps_processes(_output(["ps", "-A", "-ww", "-o", "pid=,ppid=,command="])))


def _in_table(table: Mapping[int, Process]) -> Lookup:
    return lambda pid: table.get(pid, Process(pid))


def _in_proc(pid: int) -> Process:
    """What `ps` would say, without starting it."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            before, _, after = file.read().rpartition(b")")
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            words = file.read().rstrip(b"\0").replace(b"\0", b" ")
    except OSError:
        return Process(pid)
    title = before.partition(b"(")[2]
    return _process(pid, int(after.split()[1]), (words or b"[" + title + b"]").decode("utf-8", "replace"))


def _process(pid: int, parent: int, command: str) -> Process:
    command = command.strip()
    first = command.split(" ")[0]
    return Process(pid, parent, first.rstrip("/").rpartition("/")[2], command)


def ps_processes(printed: str) -> dict[int, Process]:
    """The snapshot as `ps -A -ww -o pid=,ppid=,command=` prints it."""
    table = {}
    for line in printed.splitlines():
        pid, _, rest = line.strip().partition(" ")
        parent, _, command = rest.strip().partition(" ")
        if pid.isdigit() and parent.isdigit():
            table[int(pid)] = _process(int(pid), int(parent), command)
    return table


def _windows_table() -> dict[int, Process]:
    return windows_processes(_output(["powershell", "-NoProfile", "-NonInteractive", "-Command", _WINDOWS_SNAPSHOT]))


def windows_processes(printed: str) -> dict[int, Process]:
    """The snapshot as PowerShell prints it: one object, or a list of them."""
    try:
        rows = json.loads(printed)
    except ValueError:
        return {}
    table = {}
    for row in rows if isinstance(rows, list) else [rows]:
        if isinstance(row, dict) and isinstance(row.get("ProcessId"), int):
            pid = row["ProcessId"]
            table[pid] = Process(
                pid, row.get("ParentProcessId") or 0, row.get("Name") or "", row.get("CommandLine") or ""
            )
    return table


def _output(argv: list[str]) -> str:
    out, _, _ = captured(Launch(tuple(argv), "", passed_on(os.environ), Limits(seconds=_SECONDS)))
    return out.decode("utf-8", "replace")
