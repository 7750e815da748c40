"""Programs cannot read the keys of whoever started them, where the system lets us say so."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

if not sys.platform.startswith("linux"):
    pytest.skip("only Linux has such a switch", allow_module_level=True)

# As an ordinary user: root reads everybody. A change of users switches it on, so it is switched off again.
PARENT = """
import asyncio, ctypes, os, subprocess, sys
from pisces.processes import process, run
from pisces.processes.launch import Launch, Terminal
from pisces.modules.exec import execute
import pisces.processes.systems.posix, encodings.idna
if os.getuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)
line = sys.argv[1]
before = subprocess.run(["sh", "-c", line], capture_output=True, env={"PATH": os.defpath}).stdout
launch = Launch(("sh", "-c", line), "/", {"PATH": os.defpath})
how = sys.argv[2]
if how == "run":
    out = run.captured(launch)[0]
elif how == "terminal":
    out = run.captured(launch.replace(terminal=Terminal()))[0]
elif how == "process":
    out = asyncio.run(process.captured(launch))[0]
else:
    out = asyncio.run(execute(["sh", "-c", line], "/")).stdout.encode()
print(b"s3cr3t" in before, b"s3cr3t" in out, out[:200])
"""
READ = "cat /proc/$PPID/environ; cat /proc/$PPID/mem >/dev/null; ls -l /proc/$PPID/fd; echo done"
READ_ALL = "for each in /proc/[0-9]*/environ; do cat $each | tr '\\0' '\\n' | grep -a KEY_OF_OURS; done; echo done"


def _played(line: str, how: str) -> str:
    env = {**os.environ, "KEY_OF_OURS": "s3cr3t"}
    done = subprocess.run(
        [sys.executable, "-c", PARENT, line, how], capture_output=True, text=True, env=env, check=True
    )
    return done.stdout


@pytest.mark.parametrize("how", ["run", "process", "module", "terminal"])
def test_a_child_does_not_read_our_keys(how: str) -> None:
    """The first word shows that it could before; the program itself ran."""
    said = _played(READ, how)
    assert said.startswith("True False ")
    assert "done" in said


def test_nobody_in_between_holds_them_either() -> None:
    """The process that watches us, above all."""
    assert _played(READ_ALL, "run").startswith("True False ")


def test_a_verified_program_still_starts_by_its_descriptor_as_an_ordinary_user() -> None:
    script = """
import os, sys
from pisces.processes.launch import Launch
from pisces.processes.run import captured
import pisces.processes.systems.posix, ctypes
if os.getuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
opened = os.open("/bin/echo", os.O_RDONLY)
print([captured(Launch(("echo", "ran"), "/", {}, descriptor=opened))[0] for _ in range(2)])
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[b'ran\\n', b'ran\\n']\n"
