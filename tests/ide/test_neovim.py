"""The companion of Neovim in the real, headless one, with our client in the place of an agent in its terminal."""

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

from pisces.shapes.ide_context import Cursor
from tests.ide import editor_story as story
from tests.ide.editor_story import COMPANIONS, PATIENCE, PISCES, TEXT, Person, Project
from tests.ide.gemini_desk import Desk, desk_in
from tests.ide.gemini_terminal import GEMINI, fake_gemini, needs_gemini, until
from tests.ide.pseudoterminal import Pseudoterminal

pytestmark = pytest.mark.skipif(not shutil.which("nvim"), reason="needs Neovim")


class Neovim(Person):
    """Driven from outside, as `nvim --server` does it."""

    def __init__(self, project: Project) -> None:
        self.address = str(project.tmp / "nvim.sock")
        self._answer = project.tmp / "answer"
        plugin = COMPANIONS / "neovim"
        command = ["nvim", "--clean", "--headless", "--listen", self.address, "--cmd", f"set rtp^={plugin} noswapfile"]
        self.process = subprocess.Popen(
            command, cwd=project.folder, env=project.env, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        assert until(lambda: self._asks("1") == "1", PATIENCE), "Neovim does not start"
        words = ", ".join(json.dumps(word) for word in PISCES)
        self.lua(f'require("pisces").setup({{ command = {{ {words} }} }})')
        self.do("PiscesStart")
        assert until(project.files, PATIENCE), "no companion"

    def lua(self, code: str) -> Any:
        """What a function with this body returns: through a file, since 0.7 prints answers as messages."""
        self._answer.unlink(missing_ok=True)
        told = f"json_encode(luaeval({_quoted(f'(function() {code} end)()')}))"
        said = self._asks(f"writefile([{told}], {_quoted(str(self._answer))})")
        assert said == "0", said
        return json.loads(self._answer.read_text("utf-8"))

    def do(self, line: str) -> None:
        self.lua(f"vim.cmd({json.dumps(line)})")

    def keys(self, keys: str) -> None:
        self._remote("--remote-send", keys)

    def mode(self) -> str:
        return str(self.lua("return vim.api.nvim_get_mode().mode"))

    def quit(self) -> None:
        self.keys("<C-\\><C-n>:qall!<CR>")
        self.process.wait(PATIENCE)

    def edit(self, path: Path) -> None:
        self.do(f"edit {path}")

    def move_to(self, line: int, character: int) -> None:
        self.keys(f"<Esc>:call cursor({line}, {character})<CR>")

    def select_first_two_lines(self) -> None:
        self.keys("<Esc>ggVj")

    def rename(self, path: Path, to: Path) -> None:
        self.do(f"edit {path}")
        self.do(f"saveas {to}")

    def close(self, path: Path) -> None:
        self.do(f"bdelete {path}")

    def seen_diff(self) -> tuple[str, str] | None:
        texts = self.lua(
            "local found = {} "
            "for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do if vim.wo[win].diff then "
            "table.insert(found, vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(win), 0, -1, false)) end end "
            "return found"
        )
        return (_joined(texts[0]), _joined(texts[1])) if len(texts) == 2 else None

    def focused(self) -> str:
        return f"{self.lua('return vim.api.nvim_get_current_win()')} {self.mode()}"

    def replace_proposal(self, text: str) -> None:
        self._visit_proposal()
        self.lua(f"vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split({json.dumps(text.rstrip())}, '\\n'))")

    def accept(self) -> None:
        self._visit_proposal()
        self.do("write")

    def reject(self) -> None:
        self.do("PiscesReject")

    def dismiss(self) -> None:
        self._visit_proposal()
        self.do("quit!")

    def _visit_proposal(self) -> None:
        self.lua(
            "for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do "
            "if vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(win)):find('^pisces:') then "
            "vim.api.nvim_set_current_win(win) end end"
        )

    def _asks(self, expression: str) -> str:
        return self._remote("--remote-expr", expression).strip()

    def _remote(self, how: str, what: str) -> str:
        command = ["nvim", "--server", self.address, how, what]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=PATIENCE)
        return done.stdout or done.stderr  # 0.7 prints what was asked for to stderr


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _joined(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines) if lines != [""] else ""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


@pytest.fixture
def neovim(project: Project) -> Iterator[Neovim]:
    made = Neovim(project)
    yield made
    if made.process.poll() is None:
        made.process.kill()
        made.process.wait(PATIENCE)
    assert until(lambda: not project.files(), PATIENCE), "the companion outlives its editor"


def test_an_agent_follows_the_files(project: Project, neovim: Neovim) -> None:
    asyncio.run(story.an_agent_follows_the_files(project, neovim))


def test_a_diff_is_settled_in_the_editor(project: Project, neovim: Neovim) -> None:
    neovim.do(f"edit {project.two}")
    asyncio.run(story.a_diff_is_settled_in_the_editor(project, neovim))


def test_a_diff_is_settled_in_the_terminal(project: Project, neovim: Neovim) -> None:
    asyncio.run(story.a_diff_is_settled_in_the_terminal(project, neovim))


def test_every_kind_of_selection_is_told(project: Project, neovim: Neovim) -> None:
    wide = project.folder / "wide.txt"
    wide.write_text("äöü one\nxyz two\n")

    async def selections() -> None:
        async with project.client() as ide:
            neovim.edit(wide)
            for keys, expected in (
                ("ggvl", "äö"),
                ("gg0lvj", "öü one\nxy"),
                ("G$vgg0lll", " one\nxyz two"),
                ("gg0l<C-v>jl", "öü\nyz"),
            ):
                neovim.keys(f"<Esc>{keys}")
                await story.is_told(ide, lambda told, text=expected: story.active(told)[2] == text)  # type: ignore[misc]
            neovim.keys("<Esc>:set selection=exclusive<CR>gg0vll")
            await story.is_told(ide, lambda told: story.active(told)[2] == "äö")

    asyncio.run(selections())


def test_a_terminal_knows_its_companion_and_keeps_the_keys(project: Project, neovim: Neovim) -> None:
    watch = " ".join([*PISCES, "ide", "watch", "--once", "--wait", "10"])
    neovim.edit(project.one)
    neovim.do("split | enew")
    neovim.lua("_G.job = vim.fn.termopen({ 'sh' })")
    neovim.keys("i")
    assert until(lambda: neovim.mode() == "t", PATIENCE)
    neovim.lua("vim.fn.chansend(_G.job, 'echo port=$GEMINI_CLI_IDE_SERVER_PORT\\n')")
    assert until(lambda: f"port={project.files()[0].port}" in _screen(neovim), PATIENCE), _screen(neovim)
    neovim.lua(f"vim.fn.chansend(_G.job, {json.dumps(watch)} .. '\\n')")
    assert until(lambda: "one.txt" in _screen(neovim), PATIENCE), _screen(neovim)

    async def diff() -> None:
        async with project.client() as ide:
            await story.eventually(lambda: ide.connection)
            before = neovim.focused()
            shown = await ide.open_diff(str(project.one), "proposed\n")
            await story.eventually(neovim.seen_diff)
            assert neovim.focused() == before
            assert before.endswith(" t")
            neovim.accept()
            assert (await asyncio.wait_for(shown.answer(), PATIENCE)).is_accepted
            await story.eventually(lambda: neovim.focused() == before, neovim.focused)

    asyncio.run(diff())


def _screen(neovim: Neovim) -> str:
    return "".join(neovim.lua("return vim.api.nvim_buf_get_lines(0, 0, -1, false)"))


_TO_THE_TERMINAL = {
    "another window": "<C-w>w",
    "a command": ":<C-u>call nvim_set_current_win(g:agent)<CR>",
    "escape and a command": "<Esc>:call nvim_set_current_win(g:agent)<CR>",
    "a new terminal": "<Esc>:botright split | terminal sh<CR>",
    "the mouse": "<Cmd>call nvim_set_current_win(g:agent)<CR>",
}


@pytest.mark.parametrize("how", _TO_THE_TERMINAL)
@pytest.mark.parametrize(
    ("select", "text"), [("ggVj", "one\ntwo\n"), ("ggv$", "one"), ("Gvgg", None), ("gg<C-v>jl", "on\ntw")]
)
def test_a_selection_stays_when_the_cursor_goes_to_the_terminal(
    project: Project, neovim: Neovim, how: str, select: str, text: str | None
) -> None:
    async def body() -> None:
        async with project.client() as ide:
            neovim.do("split | terminal sh")
            neovim.lua("vim.g.agent = vim.api.nvim_get_current_win() vim.cmd('wincmd p')")
            neovim.edit(project.one)
            neovim.keys(f"<Esc>{select}")
            await story.is_told(ide, lambda told: bool(story.active(told)[2]))
            await story.is_told(ide, lambda told: text is None or story.active(told)[2] == text)
            neovim.keys(_TO_THE_TERMINAL[how])
            await story.eventually(lambda: neovim.lua("return vim.bo.buftype") == "terminal")
            await asyncio.to_thread(until, lambda: False, 1.5)  # longer than a selection in the file would last
            assert ide.context
            path, _, selected = story.active(ide.context)
            assert path == str(project.one)
            assert selected == text or (text is None and selected)

    asyncio.run(body())


def test_a_selection_that_is_given_up_in_the_file_is_forgotten(project: Project, neovim: Neovim) -> None:
    async def body() -> None:
        async with project.client() as ide:
            neovim.edit(project.one)
            for after in ("<Esc>", "<Esc>j", "y", "<Esc>ix<Esc>", "d"):
                neovim.keys("<Esc>gg0vl")
                await story.is_told(ide, lambda told: len(story.active(told)[2]) > 1)
                neovim.keys(after)
                await story.is_told(ide, lambda told: story.active(told)[2] == "")
            neovim.keys("<Esc>gg0vl")
            await story.is_told(ide, lambda told: len(story.active(told)[2]) > 1)
            neovim.edit(project.two)
            await story.is_told(ide, lambda told: story.active(told) == (str(project.two), Cursor(1, 1), ""))

    asyncio.run(body())


def test_another_folder_is_written_into_the_file(project: Project, neovim: Neovim) -> None:
    deeper = project.folder / "deeper"
    deeper.mkdir()
    neovim.do(f"lcd {deeper}")
    both = f"{project.folder}{os.pathsep}{deeper}"
    assert until(lambda: project.files()[0].workspace_path == both, PATIENCE), project.files()
    assert until(lambda: neovim.lua("return vim.env.GEMINI_CLI_IDE_WORKSPACE_PATH") == both, PATIENCE)


def test_an_agent_that_writes_is_seen_in_the_buffer(project: Project, neovim: Neovim) -> None:
    neovim.edit(project.one)

    async def written() -> None:
        async with project.client() as ide:
            await story.eventually(lambda: ide.connection)
            shown = await ide.open_diff(str(project.one), "proposed\n")
            await story.eventually(neovim.seen_diff)
            neovim.accept()
            outcome = await asyncio.wait_for(shown.answer(), PATIENCE)
            project.one.write_text(outcome.content or "")
            await story.eventually(lambda: neovim.focused() and _screen(neovim) == "proposed", lambda: _screen(neovim))

    asyncio.run(written())


def test_it_keeps_every_rule(project: Project, neovim: Neovim) -> None:
    story.no_rule_is_broken(project)


def test_it_is_installed_where_neovim_looks(project: Project) -> None:
    assert project.pisces("install", "neovim")["installed"]
    asked = "lua print(vim.fn.exists(':PiscesAccept'), #vim.fn.getcompletion('pisces', 'help') > 0)"
    command = ["nvim", "--headless", "-i", "NONE", "+" + asked, "+qall"]
    done = subprocess.run(
        command, env=project.env, capture_output=True, encoding="utf-8", check=False, timeout=PATIENCE
    )
    assert done.stderr.strip() == "2 true"


def test_it_starts_by_itself_where_somebody_looks(project: Project) -> None:
    project.pisces("install", "neovim")
    program = project.home / "pisces"
    program.write_text(f'#!/bin/sh\nexec {" ".join(PISCES)} "$@"\n')
    program.chmod(0o755)
    env = {**project.env, "PATH": f"{project.home}:{project.env['PATH']}"}
    terminal = Pseudoterminal(["nvim", "-i", "NONE", "-n", str(project.one)], project.folder, env)
    try:
        assert until(project.files, PATIENCE)
        pids = {file.pid for file in project.files()}
        assert os.getpid() in pids, "for an agent that looks above the process above its shell"
        assert terminal.process.pid in pids
        terminal.keys("\x1b:qall!\r")
        terminal.wait()
        assert project.files() == []
    finally:
        terminal.end()


def test_it_stops_with_its_editor(project: Project, neovim: Neovim) -> None:
    neovim.do("PiscesStop")
    assert project.files() == []
    assert neovim.lua("return vim.env.GEMINI_CLI_IDE_AUTH_TOKEN or 'none'") == "none"
    neovim.do("PiscesStart")
    assert until(project.files, PATIENCE)
    neovim.quit()
    assert project.files() == []


@needs_gemini
def test_the_real_gemini_cli_in_a_terminal_of_neovim(tmp_path: Path) -> None:
    for name in ("desk", "editor"):
        (tmp_path / name).mkdir()
    with desk_in(tmp_path / "desk") as desk:
        project = Project(tmp_path / "editor")
        project.env |= desk.home.env
        neovim = Neovim(project)
        try:
            _work_with_gemini(desk, project, neovim)
        finally:
            neovim.quit()
    assert project.files() == []


def _work_with_gemini(desk: Desk, project: Project, neovim: Neovim) -> None:
    model = fake_gemini()
    neovim.do("set columns=120 lines=60")
    neovim.edit(project.one)
    neovim.keys("ggVj")
    assert until(lambda: neovim.mode() == "V", PATIENCE)
    neovim.keys("<Esc>:botright split | enew<CR>")
    neovim.lua("_G.job = vim.fn.termopen({ 'bash', '--norc' }); _G.terminal = vim.api.nvim_get_current_buf()")

    def screen() -> str:
        return "\n".join(neovim.lua("return vim.api.nvim_buf_get_lines(_G.terminal, 0, -1, false)"))

    def type_in(keys: str) -> None:
        neovim.lua(f"vim.fn.chansend(_G.job, {json.dumps(keys)})")

    def shows(words: str) -> None:
        assert until(lambda: words in screen(), 60), screen()

    type_in(f"node {GEMINI} -m gemini-2.5-pro\r")
    shows("Type your message")
    assert until(lambda: neovim.lua("return require('pisces').clients()") == 1, PATIENCE), screen()
    desk.api.push(model.call("write_file", {"file_path": str(project.one), "content": "proposed\n"}))
    desk.api.push(model.text("all is written"))
    type_in("please write")
    shows("please write")
    type_in("\r")
    assert until(neovim.seen_diff, 60), screen()
    shows("Apply this change?")
    assert neovim.seen_diff() == (TEXT, "proposed\n")
    neovim.replace_proposal("edited in Neovim\n")
    neovim.accept()
    shows("all is written")
    assert project.one.read_text() == "edited in Neovim\n"
    told = "\n".join(desk.api.streams()[0].texts("user"))
    assert "Here is the user's editor context" in told
    assert str(project.one) in told
