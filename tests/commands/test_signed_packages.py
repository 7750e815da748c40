"""A signature covers the package: its files, and its manifest with the entry that is used. minisign itself signs."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.warm_shell import pisces

pytest.importorskip("cryptography")
MINISIGN = shutil.which("minisign") or ""
pytestmark = pytest.mark.skipif(not MINISIGN or os.name == "nt", reason="minisign is not installed")


class Signed:
    """A package of two files with a signed program, named for each run: so nothing but the signature is in question."""

    def __init__(self, top: Path) -> None:
        self.home, self.folder, self._keys = top / "home", top / "box", top / "keys"
        for each in (self.home, self.folder, self._keys):
            each.mkdir()
        command = [MINISIGN, "-G", "-W", "-p", str(self._keys / "pub"), "-s", str(self._keys / "key")]
        subprocess.run(command, check=True, capture_output=True)
        self.key = (self._keys / "pub").read_text().splitlines()[1]
        self.write_entry()
        (self.folder / "words").write_text("TEXT=agreed\n")
        (self.folder / "say").write_text('#!/bin/sh\n. "$(dirname "$0")/words"\necho $TEXT\n')
        (self.folder / "say").chmod(0o755)

    def write_entry(self, **more: Any) -> None:
        entry = {"type": "executable", "binary": "${extensionPath}/say", "publisher": "acme", "key": self.key, **more}
        manifest = {"name": "box", "version": "1.0.0", "commands": {"say": entry}}
        (self.folder / "gemini-extension.json").write_text(json.dumps(manifest))

    def sign(self, comment: str | None = None) -> None:
        shown = self.pisces("commands", "show", "--package", str(self.folder), "/say")[1]
        named = re.search(r"'(package=sha256:[0-9a-f]{64})'", shown)
        assert named
        text = named[1] if comment is None else comment.replace("PACKAGE", named[1])
        command = [MINISIGN, "-S", "-s", str(self._keys / "key"), "-m", str(self.folder / "say"), "-t", text]
        subprocess.run(command, check=True, capture_output=True, input=b"")

    def run(self) -> tuple[int, str]:
        return self.pisces("run", "--package", str(self.folder), "/say")

    def pisces(self, *words: str) -> tuple[int, str]:
        env = {"HOME": str(self.home), "PATH": os.environ["PATH"]}
        done = pisces(*words, cwd=self.home, env=env)
        return done.returncode, done.stdout + done.stderr


@pytest.fixture
def box(tmp_path: Path) -> Signed:
    return Signed(tmp_path)


def test_a_package_signed_as_pisces_says_it_runs(box: Signed) -> None:
    box.sign()
    assert box.run() == (0, "agreed\n")
    box.sign("box 1.0.0 PACKAGE")
    assert box.run() == (0, "agreed\n")


@pytest.mark.parametrize("comment", ["box 1.0.0", "xPACKAGE", "PACKAGEx", "package=sha256:" + "0" * 63])
def test_a_signature_of_the_file_alone_is_refused(box: Signed, comment: str) -> None:
    box.sign(comment)
    status, text = box.run()
    assert (status, "signature-partial" in text) == (1, True)
    assert "package=sha256:" in text


def a_file(box: Signed) -> None:
    (box.folder / "words").write_text("TEXT=wicked\n")


def a_new_file(box: Signed) -> None:
    (box.folder / "more").write_text("")


def a_file_that_looks_like_a_signature(box: Signed) -> None:
    (box.folder / "words.py.minisig").write_text("x = 1\n")


def a_folder_that_looks_like_a_signature(box: Signed) -> None:
    (box.folder / "say.minisig.d").mkdir()
    (box.folder / "say.minisig.d" / "words").write_text("TEXT=wicked\n")


def a_variable(box: Signed) -> None:
    box.write_entry(env={"TEXT": "wicked"})


def no_confirmation(box: Signed) -> None:
    box.write_entry(requireConfirm=False)


def a_link(box: Signed) -> None:
    (box.home / "words").write_text("TEXT=agreed\n")
    (box.folder / "words").unlink()
    (box.folder / "words").symlink_to(box.home / "words")


@pytest.mark.parametrize(
    "change",
    [
        a_file,
        a_new_file,
        a_file_that_looks_like_a_signature,
        a_folder_that_looks_like_a_signature,
        a_variable,
        no_confirmation,
        a_link,
    ],
)
def test_what_changed_after_it_was_signed_does_not_run(box: Signed, change: Callable[[Signed], None]) -> None:
    box.sign()
    change(box)
    status, text = box.run()
    assert (status, "signature-wrong" in text) == (1, True)


def test_a_second_hash_in_the_comment_is_refused(box: Signed) -> None:
    box.sign(f"PACKAGE package=sha256:{'0' * 64}")
    assert "signature-wrong" in box.run()[1]


def test_what_stores_and_git_put_into_the_folder_is_not_signed(box: Signed) -> None:
    box.sign()
    (box.folder / ".git").mkdir()
    (box.folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (box.folder / ".gemini-extension-install.json").write_text("{}")
    assert box.run() == (0, "agreed\n")
