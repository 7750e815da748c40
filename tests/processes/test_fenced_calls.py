"""What reaches others without a file or a network: calls that the fence refuses, made by real programs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from time import monotonic

import pytest

from pisces.processes.launch import Launch, Limits
from pisces.processes.run import captured
from pisces.processes.sandbox import bubblewrap, landlock
from pisces.processes.sandbox.allowed import Allowed
from pisces.processes.sandbox.fence import MECHANISMS, fenced_by
from pisces.processes.sandbox.system_calls import ABSENT, JUDGED, REFUSED, has_filter
from tests.processes.test_run import daemon

if not sys.platform.startswith("linux") or not has_filter():
    pytest.skip("sandboxes exist on Linux only", allow_module_level=True)

REASONS = {"landlock": landlock.why_not(), "bubblewrap": bubblewrap.why_not()}
COLUMN = 0 if os.uname().machine == "x86_64" else 1
HEADERS = {0: "/usr/include/x86_64-linux-gnu/asm/unistd_64.h", 1: "/usr/include/asm-generic/unistd.h"}
CALL = """
import ctypes, errno, sys
libc = ctypes.CDLL(None, use_errno=True)
for words in sys.argv[1:]:
    result = libc.syscall(*[ctypes.c_long(int(word)) for word in words.split(",")])
    print(errno.errorcode[ctypes.get_errno()] if result < 0 else "ok")
"""
NEW_USER, DATAGRAM, UNIX, FORK = 0x10000000, 2, 1, 17
OTHER = 0x7FFFFFF0  # a process that does not exist, and is not the one that calls


@pytest.fixture(params=MECHANISMS)
def mechanism(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    if REASONS[name]:
        pytest.skip(REASONS[name])
    return name


def inside(mechanism: str, folder: Path, *argv: str) -> tuple[int | None, str]:
    python = (sys.prefix, sys.base_prefix, os.path.realpath(sys.base_prefix))
    launch = Launch(argv, str(folder), {"PATH": os.environ["PATH"]}, Limits(seconds=30))
    out, err, ended = captured(fenced_by(mechanism, launch, Allowed(python, (str(folder),)))[0])
    return ended.code, (out + err).decode()


def answers(mechanism: str, folder: Path, *calls: tuple[int, ...]) -> list[str]:
    words = [",".join(map(str, call)) for call in calls]
    code, said = inside(mechanism, folder, sys.executable, "-c", CALL, *words)
    assert code == 0, said
    return said.split()


def test_calls_that_reach_others_are_refused(mechanism: str, tmp_path: Path) -> None:
    numbers = {name: pair[COLUMN] for name, pair in REFUSED.items() if pair[COLUMN] >= 0}
    said = answers(mechanism, tmp_path, *((number, 0, 0, 0, 0, 0, 0) for number in numbers.values()))
    assert dict(zip(numbers, said, strict=True)) == dict.fromkeys(numbers, "EPERM")


def test_calls_that_programs_can_do_without_are_said_to_be_absent(mechanism: str, tmp_path: Path) -> None:
    said = answers(mechanism, tmp_path, *((pair[COLUMN], 1, 0, 0, 0) for pair in ABSENT.values()))
    assert said == ["ENOSYS"] * len(ABSENT)


def test_calls_are_judged_by_their_arguments(mechanism: str, tmp_path: Path) -> None:
    number = {name: pair[COLUMN] for name, pair in JUDGED.items()}
    locks, files = 10, 7
    refused = [
        (number["unshare"], NEW_USER),
        (number["clone"], NEW_USER | FORK, 0, 0, 0, 0),
        (number["socketpair"], UNIX, DATAGRAM, 0, 0),
        (number["socketpair"], UNIX, DATAGRAM | os.O_CLOEXEC, 0, 0),
        (number["ioctl"], 0, 0x5412, 0),
        (number["ioctl"], 0, 0x5412 | 1 << 40, 0),  # the kernel takes the lower half
        (number["prlimit64"], 0, locks, 1 << 40, 0),
        (number["setrlimit"], locks, 1),
        (number["prlimit64"], 0, locks, 1, 0),
        (number["prlimit64"], OTHER, files, 1, 0),
        (number["prlimit64"], OTHER, files, 1 << 40, 0),
        (number["setpriority"], 0, OTHER, 0),
        (number["setpriority"], 1, 0, 0),
        (number["setpriority"], 2, 0, 0),
        (number["ioprio_set"], 1, OTHER, 0),
        (number["ioprio_set"], 3, 0, 0),
        *((number[name], OTHER, 0, 0) for name in ("sched_setscheduler", "sched_setparam", "sched_setattr")),
    ]
    assert answers(mechanism, tmp_path, *refused) == ["EPERM"] * len(refused)
    taken = [
        (number["unshare"], 0),
        (number["prlimit64"], 0, files, 0, 0),
        (number["prlimit64"], OTHER, locks, 0, 0),
        (number["prlimit64"], 0, files, 1, 0),
        (number["setpriority"], 0, 0, 1),
        (number["ioprio_set"], 1, 0, 0),
        (number["sched_setparam"], 0, 0),
    ]
    assert "EPERM" not in answers(mechanism, tmp_path, *taken)


def test_no_limit_or_priority_of_another_program_is_changed(tmp_path: Path) -> None:
    """A limit of time that is over already kills, though no signal is allowed."""
    if REASONS["landlock"]:
        pytest.skip(REASONS["landlock"])
    script = """
import os, resource, sys
pid = int(sys.argv[1])
for change in (
    lambda: resource.prlimit(pid, resource.RLIMIT_CPU, (0, 0)),
    lambda: resource.prlimit(pid, resource.RLIMIT_NOFILE, (0, 0)),
    lambda: os.setpriority(os.PRIO_PROCESS, pid, 19),
    lambda: os.setpriority(os.PRIO_USER, os.getuid(), 19),
):
    try:
        change()
        print("changed")
    except PermissionError:
        print("refused")
os.nice(1)
"""
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as victim:
        limits = Path(f"/proc/{victim.pid}/limits")
        before = limits.read_text()
        code, said = inside("landlock", tmp_path, sys.executable, "-c", script, str(victim.pid))
        assert (code, said.split(), limits.read_text()) == (0, ["refused"] * 4, before)


def test_a_pair_of_local_sockets_works_as_far_as_it_reaches_nobody(mechanism: str, tmp_path: Path) -> None:
    script = "import socket; a, b = socket.socketpair(); a.send(b'x'); print(b.recv(1))"
    assert inside(mechanism, tmp_path, sys.executable, "-c", script) == (0, "b'x'\n")


def test_ordinary_programs_do_not_notice(mechanism: str, tmp_path: Path) -> None:
    """Threads, processes, pools, temporary files and limits."""
    script = """
import concurrent.futures, multiprocessing, os, resource, subprocess, tempfile, threading
resource.getrlimit(10)
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
thread = threading.Thread(target=lambda: print("thread"))
thread.start()
thread.join()
print(subprocess.run(["echo", "program"], capture_output=True, text=True).stdout.strip())
process = multiprocessing.get_context("fork").Process(target=lambda: print("fork", flush=True))
print(end="", flush=True)
process.start()
process.join()
os.memfd_create("x")
print(tempfile.TemporaryFile(dir=".").fileno() > 0)
"""
    assert inside(mechanism, tmp_path, sys.executable, "-c", script)[1].split() == ["thread", "program", "fork", "True"]


@pytest.mark.parametrize("cleared", [False, True])
def test_a_daemon_ends_with_the_fence(mechanism: str, tmp_path: Path, cleared: bool) -> None:
    """The same program without a fence may leave one behind."""
    file = tmp_path / "pids"
    waiting = f"while not os.path.exists({str(file)!r}): pass"
    code, said = inside(mechanism, tmp_path, sys.executable, "-c", daemon(file, cleared=cleared, stays=False) + waiting)
    assert (code, said) == (0, "")
    deadline = monotonic() + 5  # what bubblewrap started, the kernel ends
    while (left := _with_words(str(file))) and monotonic() < deadline:
        pass
    assert left == []


def _with_words(words: str) -> list[str]:
    """Processes whose command line has them."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # gone meanwhile
            found += [path.parts[2]] if words in path.read_text(errors="replace") else []
    return found


def test_the_numbers_are_those_of_the_system() -> None:
    header = Path(HEADERS[COLUMN])
    if not header.exists():
        pytest.skip("the system's headers are not installed")
    known = dict(re.findall(r"#define __NR(?:3264)?_(\w+) (\d+)", header.read_text()))
    ours = {name: pair[COLUMN] for name, pair in {**REFUSED, **ABSENT, **JUDGED}.items() if pair[COLUMN] >= 0}
    assert {name: int(known.get(name, number)) for name, number in ours.items()} == ours
