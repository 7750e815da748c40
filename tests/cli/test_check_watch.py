"""`check --watch`: again whenever a file changes, until Ctrl-C."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import threading
from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path
from queue import Queue
from subprocess import DEVNULL, PIPE

import pytest
from tests.checking.planting import plant
from tests.checking.test_command_line import run
from tests.checking.trees import command

from pisces.cli._check_watch import signature, unwatched, watch
from pisces.files import MOST_FOLDERS
from pisces.places import Places
from pisces.ui.screen import Screen

PATIENCE = 60


def test_the_check_is_done_again_after_a_change(tmp_path: Path) -> None:
    plant(tmp_path / "box", command('prompt = "a"'))
    seen: list[str] = []

    def once(_arguments: Namespace, _places: Places, _screen: Screen) -> int:
        file = tmp_path / "box/commands/fix.toml"
        seen.append(file.read_text("utf-8"))
        if len(seen) == 3:
            raise KeyboardInterrupt
        file.write_text(f'prompt = "{"b" * len(seen)}"', "utf-8")
        return 1

    err = io.StringIO()
    places, screen = Places(str(tmp_path), str(tmp_path)), Screen(io.StringIO(), err, {})
    assert watch(Namespace(paths=["box"]), places, screen, once) == 0
    assert seen == ['prompt = "a"', 'prompt = "b"', 'prompt = "bb"']
    assert err.getvalue().count("waiting for changes; Ctrl-C ends it") == 2


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("box/new.md", True),
        ("box/.gemini/settings.json", True),
        ("box/pisces.toml", True),
        ("pyproject.toml", True),
        ("box/.git/index", False),
        ("box/node_modules/a.js", False),
        ("other.md", False),
    ],
)
def test_what_counts_as_a_change(name: str, counts: bool, tmp_path: Path) -> None:
    if ".git/" in name:  # the root of a repository ends the search for a configuration
        plant(tmp_path, {"box/.git/": ""})
    plant(tmp_path / "box", command('prompt = "a"'))
    places = Places(str(tmp_path / "home"), str(tmp_path))
    before, _ = signature(["box"], places)
    assert signature(["box"], places)[0] == before
    plant(tmp_path, {name: "x"})
    assert (signature(["box"], places)[0] != before) is counts


def test_a_file_that_is_removed_is_a_change(tmp_path: Path) -> None:
    plant(tmp_path / "box", command('prompt = "a"'))
    places = Places(str(tmp_path), str(tmp_path))
    before, _ = signature(["box/commands/fix.toml"], places)
    (tmp_path / "box/commands/fix.toml").unlink()
    assert signature(["box/commands/fix.toml"], places)[0] != before


@pytest.mark.parametrize("words", [("--output-format", "json"), ("--diff",)])
def test_it_is_for_people_only(words: tuple[str, ...], tmp_path: Path) -> None:
    code, out, err = run(tmp_path, command('prompt = "a"'), "box", "--watch", *words)
    assert (code, out) == (2, "")
    assert err == "--watch is for people: use it without --output-format and --diff\n"


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is another signal there")
def test_it_ends_at_ctrl_c(tmp_path: Path) -> None:
    plant(tmp_path / "box", command('prompt = "Fix $ARGUMENTS"'))
    env = {**os.environ, "HOME": str(tmp_path)}
    words = [sys.executable, "-m", "pisces", "check", "box", "--watch"]
    with subprocess.Popen(words, cwd=tmp_path, env=env, stderr=PIPE, stdout=DEVNULL, text=True) as process:
        lines: Queue[str] = Queue()
        reader = threading.Thread(target=_read, args=(process.stderr, lines))
        reader.start()
        try:
            _wait_for("waiting for changes", lines)
            (tmp_path / "box/commands/fix.toml").write_text('prompt = "Fix"', "utf-8")
            assert "no problems" in _wait_for("checked 1 package", lines)
            _wait_for("waiting for changes", lines)
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE) == 0
        finally:
            process.kill()
            reader.join(PATIENCE)


def _read(stream: Iterable[str], lines: Queue[str]) -> None:
    for line in stream:
        lines.put(line)


def _wait_for(text: str, lines: Queue[str]) -> str:
    while True:
        line = lines.get(timeout=PATIENCE)
        if text in line:
            return line


def test_folders_that_are_not_watched_are_named(tmp_path: Path) -> None:
    for number in range(MOST_FOLDERS + 1):
        (tmp_path / "box" / str(number)).mkdir(parents=True)
    places = Places(home=str(tmp_path / "home"), cwd=str(tmp_path), env={})
    assert unwatched(["box"], places) == [str(tmp_path / "box")]
    assert unwatched(["box/1"], places) == []
