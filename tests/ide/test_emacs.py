"""The companion of Emacs in the real one, on a terminal, with our client in the place of an agent in its shell."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.ide import editor_story as story
from tests.ide.editor_story import COMPANIONS, PATIENCE, PISCES, Person, Project
from tests.ide.gemini_terminal import until
from tests.ide.pseudoterminal import Pseudoterminal

pytestmark = pytest.mark.skipif(not shutil.which("emacs"), reason="needs Emacs")

PACKAGE = COMPANIONS / "emacs" / "pisces-ide.el"
ESCAPE, CONTROL_C, CONTROL_K = "\x1b", "\x03", "\x0b"


class Emacs(Person):
    """Keys go through a pseudoterminal, questions through `emacsclient`."""

    def __init__(self, project: Project) -> None:
        self._client = ["emacsclient", "-s", str(project.tmp / "emacs")]
        words = " ".join(json.dumps(word) for word in PISCES)
        setup = f"""(progn (require 'json)
            (setq server-name {_quoted(project.tmp / "emacs")} pisces-ide-command '({words}))
            (setq make-backup-files nil create-lockfiles nil inhibit-startup-screen t confirm-kill-processes nil)
            (server-start) (pisces-ide-mode 1))"""
        command = ["emacs", "-nw", "-Q", "-l", str(PACKAGE), "--eval", setup]
        self.terminal = Pseudoterminal(command, project.folder, project.env)
        self.keys = self.terminal.keys

    def eval(self, code: str) -> Any:
        """The value of the code, seen as the user's window sees it."""
        asked = f"(json-encode (with-current-buffer (window-buffer (selected-window)) {code}))"
        done = subprocess.run([*self._client, "--eval", asked], capture_output=True, check=False, timeout=PATIENCE)
        assert done.returncode == 0, done.stderr.decode()
        return json.loads(json.loads(done.stdout))

    def edit(self, path: Path) -> None:
        self.keys(f"{ESCAPE}xfind-file\r\x01\x0b{path}\r")  # C-a C-k: not what is offered
        assert until(lambda: self.eval("buffer-file-name") == str(path), PATIENCE)

    def move_to(self, line: int, character: int) -> None:
        self.keys(f"\x00\x00{ESCAPE}xgoto-line\r{line}\r")  # C-SPC C-SPC: nothing is selected
        self.keys("\x06" * (character - 1))

    def select_first_two_lines(self) -> None:
        self.keys(f"{ESCAPE}<\x00\x0e\x0e")

    def rename(self, path: Path, to: Path) -> None:
        self.edit(path)
        self.keys(f"{ESCAPE}xwrite-file\r\x01\x0b{to}\r")

    def close(self, path: Path) -> None:
        self.keys(f"{ESCAPE}xkill-buffer\r{path.name}\r")

    def seen_diff(self) -> tuple[str, str] | None:
        texts = self.eval(
            "(vconcat (delq nil (mapcar (lambda (window) (with-current-buffer (window-buffer window)"
            " (and pisces-ide-diff-mode (buffer-string)))) (window-list nil nil (frame-first-window)))))"
        )
        return (texts[0], texts[1]) if len(texts) == 2 else None

    def focused(self) -> str:
        return str(self.eval('(format "%s %s" (selected-window) (buffer-name))'))

    def replace_proposal(self, text: str) -> None:
        self._visit_proposal()
        self.keys(f"\x18h\x17{text.replace(chr(10), chr(13))}")  # C-x h C-w
        assert until(lambda: self.eval("(buffer-string)") == text, PATIENCE)

    def accept(self) -> None:
        self._visit_proposal()
        self.keys(CONTROL_C + CONTROL_C)

    def reject(self) -> None:
        self._visit_proposal()
        self.keys(CONTROL_C + CONTROL_K)

    def dismiss(self) -> None:
        self._visit_proposal()
        self.keys("\x18k\r")

    def _visit_proposal(self) -> None:
        assert self.eval("(progn (select-window (get-buffer-window (car pisces-ide--diffs))) t)")


def _quoted(text: object) -> str:
    return json.dumps(str(text))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


@pytest.fixture
def emacs(project: Project) -> Iterator[Emacs]:
    made = Emacs(project)
    try:
        assert until(project.files, PATIENCE), "no companion"
        yield made
    finally:
        made.terminal.end()
    assert until(lambda: not project.files(), PATIENCE), "the companion outlives its editor"


def test_it_compiles_without_a_warning(tmp_path: Path) -> None:
    copy = shutil.copy(PACKAGE, tmp_path)
    command = [
        "emacs",
        "-Q",
        "--batch",
        "--eval",
        "(setq byte-compile-error-on-warn t)",
        "-f",
        "batch-byte-compile",
        copy,
    ]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=PATIENCE)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_an_agent_follows_the_files(project: Project, emacs: Emacs) -> None:
    asyncio.run(story.an_agent_follows_the_files(project, emacs))


def test_a_diff_is_settled_in_the_editor(project: Project, emacs: Emacs) -> None:
    emacs.edit(project.two)
    asyncio.run(story.a_diff_is_settled_in_the_editor(project, emacs))


def test_a_diff_is_settled_in_the_terminal(project: Project, emacs: Emacs) -> None:
    asyncio.run(story.a_diff_is_settled_in_the_terminal(project, emacs))


def test_a_shell_knows_its_companion_and_its_folder_is_open(project: Project, emacs: Emacs) -> None:
    other = project.folder.parent / "other"
    other.mkdir()
    emacs.edit(project.one)
    watch = " ".join([*PISCES, "ide", "watch", "--once", "--wait", "10"])
    emacs.eval(f"(let ((default-directory {_quoted(f'{other}/')})) (shell) t)")
    emacs.keys("echo port=$GEMINI_CLI_IDE_SERVER_PORT\r")
    port = project.files()[0].port
    assert until(lambda: f"port={port}" in emacs.eval("(buffer-string)"), PATIENCE), emacs.eval("(buffer-string)")
    assert until(lambda: str(other) in (project.files()[0].workspace_path or "").split(os.pathsep), PATIENCE)
    emacs.keys(f"{watch}\r")
    assert until(lambda: '"path"' in emacs.eval("(buffer-string)"), PATIENCE), emacs.eval("(buffer-string)")
    assert str(project.one) in emacs.eval("(buffer-string)")


def test_a_file_in_another_encoding_is_told_as_text(project: Project, emacs: Emacs) -> None:
    odd = project.folder / "odd.txt"
    odd.write_bytes(b"caf\xe9 \xff\x80\n\xc3\n")

    async def told() -> None:
        async with project.client() as ide:
            emacs.keys(f"\x18\rcutf-8\r{ESCAPE}xfind-file\r\x01\x0b{odd}\r")  # C-x RET c: as UTF-8, which it is not
            emacs.keys("\x18h")
            await story.is_told(ide, lambda context: story.active(context)[2].startswith("caf\xe9 \xff"))

    asyncio.run(told())


def test_an_agent_that_writes_is_seen_in_the_buffer(project: Project, emacs: Emacs) -> None:
    emacs.edit(project.one)

    async def written() -> None:
        async with project.client() as ide:
            await story.eventually(lambda: ide.connection)
            shown = await ide.open_diff(str(project.one), "proposed\n")
            await story.eventually(emacs.seen_diff)
            emacs.accept()
            outcome = await asyncio.wait_for(shown.answer(), PATIENCE)
            project.one.write_text(outcome.content or "")
            look = '(with-current-buffer "one.txt" (buffer-string))'
            await story.eventually(lambda: emacs.eval(look) == "proposed\n", lambda: emacs.eval(look))

    asyncio.run(written())


def test_it_keeps_every_rule(project: Project, emacs: Emacs) -> None:
    story.no_rule_is_broken(project)


def test_it_is_installed_where_the_two_lines_find_it(project: Project) -> None:
    told = project.pisces("install", "emacs")
    assert told["installed"]
    lines = told["then"].splitlines()[1:]
    assert len(lines) == 2
    init = project.home / "init.el"
    init.write_text("\n".join(['(setq pisces-ide-command \'("no-such-pisces"))', *lines]))
    command = ["emacs", "-Q", "--batch", "-l", str(init), "--eval", "(princ (featurep 'pisces-ide))"]
    done = subprocess.run(
        command, env=project.env, capture_output=True, encoding="utf-8", check=False, timeout=PATIENCE
    )
    assert done.stdout == "t", done.stderr
    assert "no-such-pisces" in done.stderr, "a missing pisces is said, and Emacs goes on"


@pytest.mark.parametrize(
    "there",
    [
        (),
        (".emacs.d/",),
        (".config/emacs/",),
        (".emacs.d/", ".config/emacs/"),
        (".emacs", ".config/emacs/"),
        ("xdg/emacs/",),
    ],
)
def test_it_is_installed_into_the_folder_that_emacs_uses(project: Project, there: tuple[str, ...]) -> None:
    for name in there:
        path = project.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir() if name.endswith("/") else path.touch()
    if there == ("xdg/emacs/",):
        project.env["XDG_CONFIG_HOME"] = str(project.home / "xdg")
    asked = ["emacs", "--batch", "--eval", "(princ (expand-file-name user-emacs-directory))"]
    done = subprocess.run(asked, env=project.env, capture_output=True, encoding="utf-8", check=True, timeout=PATIENCE)
    told = project.pisces("install", "emacs")
    assert told["target"] == f"{done.stdout}pisces"
    assert (Path(told["target"]) / "pisces-ide.el").is_file()
    assert "pisces" in told["then"]


def test_it_stops_with_its_editor(project: Project, emacs: Emacs) -> None:
    assert emacs.eval('(progn (pisces-ide-mode -1) (or (getenv "GEMINI_CLI_IDE_AUTH_TOKEN") "none"))') == "none"
    assert project.files() == []
    assert emacs.eval("(progn (pisces-ide-mode 1) t)")
    assert until(project.files, PATIENCE)
    emacs.keys("\x18\x03")
    emacs.terminal.wait()
    assert project.files() == []
