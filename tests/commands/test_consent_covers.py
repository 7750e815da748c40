"""Consent to a program covers its entry in the manifest and every file of its package: real programs, real attacks."""

from __future__ import annotations

import json
import os
import py_compile
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

if sys.platform == "win32":
    pytest.skip("scripts start by their first line", allow_module_level=True)

from tests.processes.person import Person
from tests.warm_shell import pisces

SCRIPT = f"#!{sys.executable}\nimport words\nprint(words.TEXT)\n"


class Box:
    """A package in another harness's folder, with one program that imports a file beside it."""

    def __init__(self, top: Path) -> None:
        self.home, self.project = top / "home", top / "project"
        self.folder = self.home / ".gemini" / "extensions" / "box"
        self.folder.mkdir(parents=True)
        self.project.mkdir()
        self.entry: dict[str, Any] = {"type": "executable", "binary": "${extensionPath}/say", "requireConfirm": True}
        self.write_entry()
        (self.folder / "words.py").write_text("TEXT = 'agreed'\n")
        (self.folder / "say").write_text(SCRIPT)
        (self.folder / "say").chmod(0o755)

    def write_entry(self, **changes: Any) -> None:
        self.entry = {key: value for key, value in {**self.entry, **changes}.items() if value is not None}
        manifest = {"name": "box", "version": "1.0.0", "commands": {"say": self.entry}}
        (self.folder / "gemini-extension.json").write_text(json.dumps(manifest))

    def run(self, *options: str) -> tuple[int, str]:
        env = {"HOME": str(self.home), "PATH": os.environ["PATH"], "COLUMNS": "0"}
        done = pisces("run", "--yes", *options, "/say", cwd=self.project, env=env)
        return done.returncode, done.stdout + done.stderr

    def agree(self) -> None:
        (accepted,) = re.findall(r"sha256:[0-9a-f]{64}", self.run()[1])
        assert self.run("--accept", accepted) == (0, "agreed\n")
        assert self.run() == (0, "agreed\n")


@pytest.fixture
def box(tmp_path: Path) -> Box:
    made = Box(tmp_path)
    made.agree()
    return made


def no_confirmation(box: Box) -> None:
    box.write_entry(requireConfirm=None)


def a_variable(box: Box) -> None:
    box.write_entry(env={"BOX_MODE": "wild"})


def a_sandbox_less(box: Box) -> None:
    box.write_entry(sandbox=True)


def more_time(box: Box) -> None:
    box.write_entry(timeout=3600)


def a_worker(box: Box) -> None:
    box.write_entry(worker=True)


def more_output(box: Box) -> None:
    box.write_entry(context="append")


def a_sibling(box: Box) -> None:
    """The same length, and the times of its content as before."""
    path = box.folder / "words.py"
    before = path.stat()
    path.write_text("TEXT = 'wicked'\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def stale_bytecode(box: Box) -> None:
    """Bytecode that is never compared with its source."""
    evil = box.folder / "evil.py"
    evil.write_text("TEXT = 'wicked'\n")
    cached = box.folder / "__pycache__" / f"words.{sys.implementation.cache_tag}.pyc"
    py_compile.compile(str(evil), str(cached), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    evil.unlink()


def a_link_in_place(box: Box) -> None:
    other = box.home / "other.py"
    other.write_text("TEXT = 'agreed'\n")
    (box.folder / "words.py").unlink()
    (box.folder / "words.py").symlink_to(other)


def a_module_of_the_library(box: Box) -> None:
    (box.folder / "site.py").write_text("print('wicked')\n")


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        (no_confirmation, "`requireConfirm` is gone, it was true"),
        (a_variable, "`env` is new: BOX_MODE"),
        (a_sandbox_less, "`sandbox` is new: true"),
        (more_time, "`timeout` is new: 3600"),
        (a_worker, "`worker` is new: true"),
        (more_output, '`context` is new: "append"'),
        (a_sibling, "changed words.py"),
        (stale_bytecode, "added __pycache__/words."),
        (a_link_in_place, "changed words.py"),
        (a_module_of_the_library, "added site.py"),
    ],
)
def test_what_changed_after_the_consent_does_not_run_and_is_named(
    box: Box, change: Callable[[Box], None], shown: str
) -> None:
    change(box)
    status, text = box.run()
    assert status == 1
    assert shown in text
    assert "wicked" not in text


def test_what_lies_behind_a_link_out_of_the_package_is_covered(tmp_path: Path) -> None:
    made = Box(tmp_path)
    (made.folder / "words.py").rename(made.home / "words.py")
    (made.folder / "words.py").symlink_to(made.home / "words.py")
    made.agree()
    (made.home / "words.py").write_text("TEXT = 'wicked'\n")
    status, text = made.run()
    assert (status, "wicked" in text) == (1, False)


def test_a_file_that_was_only_touched_asks_nothing(box: Box) -> None:
    os.utime(box.folder / "words.py")
    assert box.run() == (0, "agreed\n")
    assert box.run() == (0, "agreed\n")


def test_keys_in_another_order_are_the_same_entry_but_not_the_same_file(box: Box) -> None:
    """Whoever rewrites the manifest is asked again: its other parts may have changed as well."""
    box.entry = dict(reversed(box.entry.items()))
    box.write_entry()
    status, text = box.run()
    assert status == 1
    assert "changed gemini-extension.json" in text


@pytest.mark.parametrize("name", ["PYTHONPYCACHEPREFIX", "PYTHONPATH", "pythonpycacheprefix"])
def test_a_variable_that_loads_other_code_is_not_set_even_with_consent(tmp_path: Path, name: str) -> None:
    made = Box(tmp_path)
    evil = tmp_path / "evil"
    (made.folder / "elsewhere").mkdir()
    source = made.folder / "elsewhere" / "words.py"
    source.write_text("TEXT = 'wicked'\n")
    (source.parent / "site.py").write_text("print('wicked')\n")
    cached = evil / str(made.folder).lstrip("/") / f"words.{sys.implementation.cache_tag}.pyc"
    py_compile.compile(str(source), str(cached), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    made.write_entry(env={name: str(evil if "CACHE" in name.upper() else source.parent)})
    made.agree()


def test_two_commands_of_one_program_are_agreed_to_one_by_one(tmp_path: Path) -> None:
    made = Box(tmp_path)
    other = {**made.entry, "env": {"BOX_MODE": "wild"}}
    manifest = {"name": "box", "version": "1.0.0", "commands": {"say": made.entry, "shout": other}}
    (made.folder / "gemini-extension.json").write_text(json.dumps(manifest))
    made.agree()
    env = {"HOME": str(made.home), "PATH": os.environ["PATH"]}
    done = pisces("run", "--yes", "/shout", cwd=made.project, env=env)
    assert (done.returncode, done.stdout) == (1, "")
    assert made.run() == (0, "agreed\n")


def test_an_approval_of_the_file_alone_counts_as_none(box: Box) -> None:
    path = box.home / ".pisces" / "agent" / "approvals.json"
    stored = json.loads(path.read_text())
    for each in stored["programs"].values():
        del each["entry"]
    path.write_text(json.dumps(stored))
    assert box.run()[0] == 1


def at_terminal(box: Box) -> Person:
    words = [sys.executable, "-m", "pisces", "run", "/say"]
    return Person(["env", f"HOME={box.home}", "COLUMNS=200", *words], box.project)


def test_a_person_sees_the_difference(box: Box) -> None:
    no_confirmation(box)
    with at_terminal(box) as person:
        person.sees("it changed since you allowed it")
        person.sees("`requireConfirm` is gone, it was true")
        person.sees("Allow it")
        person.types("y\r")
        person.sees("agreed")
        person.program.wait(timeout=20)
    assert box.run() == (0, "agreed\n")


def test_a_file_that_changes_while_the_question_waits_is_not_run(tmp_path: Path) -> None:
    made = Box(tmp_path)
    made.write_entry(requireConfirm=None)
    with at_terminal(made) as person:
        person.sees("Allow it")
        a_sibling(made)
        person.types("y\r")
        person.sees("files of its package changed")
        person.program.wait(timeout=20)
    assert made.run()[0] == 1
