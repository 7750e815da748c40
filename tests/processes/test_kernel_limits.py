"""Limits that the kernel enforces: by `prlimit` on Linux, by the shell's `ulimit` where there is none."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from pisces.processes.launch import Launch, Limits
from pisces.processes.run import captured

if sys.platform == "win32":
    pytest.skip("the kernel has none", allow_module_level=True)

ENV = {"PATH": os.environ.get("PATH", os.defpath)}


@pytest.fixture(params=["prlimit", "ulimit"], autouse=True)
def means(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "ulimit":
        monkeypatch.delattr("resource.prlimit", raising=False)


def python(code: str, limits: Limits, cwd: str = "/") -> Launch:
    """Waits for a line, so that the limits are there."""
    return Launch((sys.executable, "-I", "-c", f"input()\n{code}"), cwd, ENV, limits.replace(seconds=20), stdin=b"\n")


def test_a_program_that_computes_for_too_long_is_killed_by_the_kernel() -> None:
    ended = captured(python("while True: pass", Limits(cpu=1)))[2]
    assert ended.signal in ("SIGXCPU", "SIGKILL")
    assert ended.reason == ""


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS does not enforce it")
def test_memory_runs_out_where_it_may() -> None:
    _, err, ended = captured(python("bytearray(900_000_000)", Limits(memory=500_000_000)))
    assert ended.code == 1
    assert b"MemoryError" in err


def test_a_file_grows_no_larger_than_it_may(tmp_path: Path) -> None:
    code = "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_DFL); open('big', 'wb').write(bytes(3_000_000))"
    ended = captured(python(code, Limits(file_size=1_048_576), str(tmp_path)))[2]
    assert ended.signal == "SIGXFSZ"
    assert (tmp_path / "big").stat().st_size == 1_048_576


def test_no_more_files_are_open_than_may_be() -> None:
    code = "files = []\ntry:\n  while True: files.append(open('/dev/null'))\nexcept OSError: print(len(files))"
    out, _, _ = captured(python(code, Limits(open_files=20)))
    assert 10 < int(out) < 20


def test_a_child_has_the_same_limits() -> None:
    out, _, _ = captured(python("import os; os.system('ulimit -n')", Limits(open_files=33)))
    assert out == b"33\n"
