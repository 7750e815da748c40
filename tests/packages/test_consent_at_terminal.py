"""Consent at a real terminal: yes installs; no, an empty line, the end of input and Ctrl-C change nothing."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.packages.test_install import World

if sys.platform == "win32":
    pytest.skip("needs POSIX terminals", allow_module_level=True)

PATIENCE = 30.0


def controlling_terminal() -> None:
    """In the child: a session of its own whose terminal is ours, so that Ctrl-C arrives as it does for a person."""
    import fcntl
    import termios

    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def at_terminal(world: World, answer: bytes, *words: str) -> tuple[int, str]:
    """Runs pisces on a terminal, types the answer when asked, and returns the exit code and all that was shown."""
    master, slave = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "pisces", *words],
        cwd=world.project,
        env=world.env,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        preexec_fn=controlling_terminal,
    )
    os.close(slave)
    shown, typed = b"", False
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        ready, _, _ = select.select([master], [], [], 0.1)
        if ready:
            try:
                shown += os.read(master, 65536)
            except OSError:  # the other side is closed
                break
        if b"[y/N]" in shown and not typed:
            os.write(master, answer)
            typed = True
        if not ready and process.poll() is not None:
            break
    os.close(master)
    return process.wait(timeout=PATIENCE), shown.decode()


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def test_yes_installs(world: World) -> None:
    code, shown = at_terminal(world, b"y\n", "extensions", "install", str(world.package("review")))
    assert code == 0, shown
    assert world.listed() == {"review": "1.0.0"}


@pytest.mark.parametrize("answer", [b"n\n", b"\n", b"\x04", b"\x03"], ids=["no", "empty", "end", "ctrl-c"])
def test_anything_else_changes_nothing(answer: bytes, world: World) -> None:
    code, shown = at_terminal(world, answer, "extensions", "install", str(world.package("review")))
    assert code != 0, shown
    assert "[consent-refused]" in shown or answer == b"\x03"  # which may come before the question is read
    assert "Traceback" not in shown
    assert world.listed() == {}
    assert not (world.home / ".pisces").exists()
