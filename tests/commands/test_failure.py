"""How a run ended, in words: real programs that end badly, and what one is told to do about it."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pisces.commands.programs.failure import failure
from pisces.commands.programs.program import Program
from pisces.diagnostics import Diagnostic
from pisces.processes.ended import Ended
from pisces.processes.launch import Launch, Limits
from pisces.processes.run import captured

posix = pytest.mark.skipif(os.name == "nt", reason="signals and run bits are different there")
ENV = {"PATH": os.defpath}


def script(folder: Path, text: str, shebang: str = "#!/bin/sh\n", mode: int = 0o755) -> Path:
    path = folder / "tool"
    path.write_text(shebang + text)
    path.chmod(mode)
    return path


def program_of(path: Path, interpreter: tuple[str, ...] = ("/bin/sh",)) -> Program:
    return Program(str(path), -1, "script", interpreter, ())


def told(path: Path, limits: Limits | None = None, *, stop: bool = False) -> Diagnostic:
    """What is said after a real run."""
    launch = Launch((str(path),), str(path.parent), ENV, limits or Limits(seconds=20, output=1 << 20, grace=0.2))
    _, errors, ended = captured(launch, (lambda: True) if stop else (lambda: False))
    return _said(failure(ended, program_of(path), errors.decode("utf-8", "replace")))


def said(ended: Ended, errors: str = "", path: str = "/nowhere/tool") -> Diagnostic:
    return _said(failure(ended, program_of(Path(path)), errors))


def _said(diagnostic: Diagnostic) -> Diagnostic:
    assert diagnostic.hint, "there is always something to do"
    assert diagnostic.message[-1] != "."
    return diagnostic


@posix
def test_an_exit_code_is_named(tmp_path: Path) -> None:
    diagnostic = told(script(tmp_path, "exit 3"))
    assert (diagnostic.code, diagnostic.message) == ("program-failed", "`tool` exited with code 3")


@posix
@pytest.mark.parametrize(("code", "word"), [(2, "--help"), (126, "run bit"), (127, "PATH")])
def test_codes_with_a_meaning_are_explained(code: int, word: str, tmp_path: Path) -> None:
    assert word in told(script(tmp_path, f"exit {code}")).hint


@posix
@pytest.mark.parametrize("name", ["SIGSEGV", "SIGABRT", "SIGFPE", "SIGBUS"])
def test_a_crash_is_called_a_crash(name: str, tmp_path: Path) -> None:
    diagnostic = told(script(tmp_path, f"ulimit -c 0; kill -{name[3:]} $$"))
    assert diagnostic.code == "program-killed"
    assert f"crashed ({name})" in diagnostic.message
    assert "bug" in diagnostic.hint


@posix
def test_a_program_killed_from_outside_may_have_run_out_of_memory(tmp_path: Path) -> None:
    diagnostic = told(script(tmp_path, "kill -KILL $$"))
    assert "was killed by SIGKILL" in diagnostic.message
    assert "memory" in diagnostic.hint


@posix
def test_a_shell_that_tells_of_a_killed_child_is_understood(tmp_path: Path) -> None:
    diagnostic = told(script(tmp_path, f"exit {128 + 9}"))
    assert diagnostic.code == "program-failed"
    assert "something that it ran was killed by SIGKILL" in diagnostic.message


@posix
def test_too_long_too_much_and_stopped_are_told_apart(tmp_path: Path) -> None:
    endless = script(tmp_path, "exec tail -f /dev/null")
    diagnostic = told(endless, Limits(seconds=0.2, grace=0.1))
    assert diagnostic.code == "program-timeout"
    assert "--timeout" in diagnostic.hint
    diagnostic = told(endless, stop=True)
    assert (diagnostic.code, diagnostic.severity) == ("program-stopped", "note")
    talkative = script(tmp_path, "exec yes")
    assert told(talkative, Limits(seconds=20, output=10_000, grace=0.1)).code == "program-output"


def test_too_many_processes_are_told() -> None:
    assert said(Ended(None, "SIGKILL", "too many processes", 0.3)).code == "program-processes"


@posix
def test_a_real_library_that_is_missing_is_named(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if not compiler or not sys.platform.startswith("linux"):
        pytest.skip("needs a C compiler on Linux")
    (tmp_path / "part.c").write_text("int part(void) { return 0; }")
    (tmp_path / "main.c").write_text("int part(void); int main(void) { return part(); }")
    library = tmp_path / "libpart-of-tool.so.1"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, tmp_path / "part.c"], check=True, timeout=60)
    subprocess.run([compiler, "-o", tmp_path / "tool", tmp_path / "main.c", library], check=True, timeout=60)
    library.unlink()
    diagnostic = told(tmp_path / "tool")
    assert diagnostic.code == "program-library"
    assert "libpart-of-tool.so.1` is not installed" in diagnostic.message


@posix
@pytest.mark.skipif(not shutil.which("node"), reason="Node is not installed")
def test_a_real_node_module_that_is_missing_is_named(tmp_path: Path) -> None:
    path = script(tmp_path, "require('no-such-module')\n", f"#!{shutil.which('node')}\n")
    diagnostic = told(path)
    assert diagnostic.code == "program-library"
    assert "Node module `no-such-module`" in diagnostic.message
    assert "npm install" in diagnostic.hint


@posix
def test_a_real_python_module_that_is_missing_is_named(tmp_path: Path) -> None:
    diagnostic = told(script(tmp_path, "import no_such_module.inner\n", f"#!{sys.executable}\n"))
    assert diagnostic.message == "`tool` did not run: it needs the Python module `no_such_module`"
    assert "pip install no_such_module" in diagnostic.hint


@posix
def test_a_real_interpreter_that_is_missing_is_named(tmp_path: Path) -> None:
    diagnostic = told(script(tmp_path, "", "#!/usr/bin/env no-such-ruby\n"))
    assert diagnostic.code == "program-interpreter"
    assert "`no-such-ruby`" in diagnostic.message


@pytest.mark.parametrize(
    ("errors", "words"),
    [
        (
            "dyld[812]: Library not loaded: @rpath/libpart.dylib\n  Referenced from: <X> /a/tool\n  Reason: tried: ...",
            "the library `@rpath/libpart.dylib` is not installed",
        ),
        (
            "Error loading shared library libpart.so.1: No such file or directory (needed by /a/tool)",
            "the library `libpart.so.1` is not installed",
        ),
        (
            "/a/tool: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by /a/tool)",
            "it is built for a newer system, with GLIBC_2.38",
        ),
        (
            "Error relocating /a/tool: __sprintf_chk: symbol not found",
            "it is built for another C library: `__sprintf_chk` is not in this one",
        ),
    ],
)
def test_words_of_other_loaders_are_understood(errors: str, words: str) -> None:
    diagnostic = said(Ended(127), errors)
    assert diagnostic.code == "program-library"
    assert words in diagnostic.message


def test_words_are_found_at_the_end_of_much_output_too() -> None:
    errors = "x\n" * 1_000_000 + "ModuleNotFoundError: No module named 'rich'"
    assert "`rich`" in said(Ended(1), errors).message


@posix
def test_a_program_that_is_no_program_is_told(tmp_path: Path) -> None:
    path = script(tmp_path, "\1\2\3\4", "\x7fELF")
    assert told(path).code == "program-architecture"


@posix
def test_a_program_that_lost_its_run_bit_is_told(tmp_path: Path) -> None:
    assert told(script(tmp_path, "true", mode=0o644)).code == "program-not-executable"


@posix
def test_a_program_that_is_gone_is_told_from_one_whose_interpreter_is_gone(tmp_path: Path) -> None:
    assert told(script(tmp_path, "", "#!/nowhere/ruby\n")).code == "program-interpreter"
    assert said(Ended(None, failure="No such file", errno=errno.ENOENT)).code == "program-missing"


@posix
def test_arguments_that_are_too_long_are_told(tmp_path: Path) -> None:
    path = script(tmp_path, "true")
    launch = Launch((str(path), "x" * 10_000_000), str(tmp_path), ENV, Limits(seconds=20, output=1000))
    diagnostic = _said(failure(captured(launch)[2], program_of(path), ""))
    assert diagnostic.code == "program-not-started"
    assert "arguments are too long" in diagnostic.message
