"""The example extension `gallery`, run as a real program: what it prints, what it keeps, and how it fails."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pisces.checking.check import check
from pisces.commands.programs.program import argv_of, checked_program
from pisces.discovery.inventory import inventory
from pisces.discovery.package_format import format_named
from pisces.packages.store.tree import tree_of
from pisces.places import Places

PACKAGE = Path(__file__).resolve().parents[2] / "examples" / "gallery"
NAMES = [each["name"] for each in json.loads((PACKAGE / "gallery.json").read_text("utf-8"))["extensions"]]
Done = subprocess.CompletedProcess[str]


class Gallery:
    """The program with a cache of its own."""

    def __init__(self, folder: Path) -> None:
        self.cache = folder / "cache"
        self.env = {**os.environ, "XDG_CACHE_HOME": str(self.cache), "COLUMNS": "100"}
        self.env.pop("GALLERY_SOURCES", None)
        self.program = [sys.executable, str(PACKAGE / "bin" / "gallery")]

    def run(self, *words: str, text: str = "") -> Done:
        command = [*self.program, *words]
        return subprocess.run(
            command, input=text, env=self.env, capture_output=True, encoding="utf-8", check=False, timeout=60
        )

    def told(self, *words: str) -> str:
        done = self.run(*words)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        return done.stdout

    def json(self, *words: str) -> Any:
        return json.loads(self.told(*words, "--json"))

    def names(self, *words: str) -> list[str]:
        return [each["name"] for each in self.json(*words)]

    def index_file(self) -> Path:
        (found,) = (self.cache / "extension-gallery").glob("*.sqlite")
        return found


@pytest.fixture
def gallery(tmp_path: Path) -> Gallery:
    return Gallery(tmp_path)


def plant(folder: Path, name: str, manifest: str = "gemini-extension.json", **fields: object) -> Path:
    path = folder / manifest
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"name": name, "version": "1.2.0", **fields}), "utf-8")
    return path


def test_the_package_passes_check(tmp_path: Path) -> None:
    result = check([str(PACKAGE)], Places(str(tmp_path / "home"), str(tmp_path)))
    assert result.diagnostics == ()


@pytest.mark.skipif(os.name == "nt", reason="the first line is not read there")
def test_the_command_runs_its_program(gallery: Gallery, tmp_path: Path) -> None:
    found = inventory(str(PACKAGE), format_named("gemini"), Places(str(tmp_path / "home"), str(tmp_path)))
    (command,) = [each.item for each in found.found["commands"]]
    assert set(command.executable.subcommands) == {"list", "search", "show", "index"}
    with checked_program(command.executable) as program:
        gallery.program = list(argv_of(program, []))
        assert "terraform" in gallery.told("search", "terraform")


def test_list_shows_every_extension(gallery: Gallery) -> None:
    told = gallery.told("list")
    assert all(name in told for name in NAMES)
    assert f"{len(NAMES)} extensions" in told
    assert all(len(line) <= 100 for line in told.splitlines())
    assert gallery.names("list") == sorted(NAMES, key=str.lower)
    assert len(set(NAMES)) == len(NAMES) >= 25


def test_search_finds_the_name_first_and_words_in_descriptions_too(gallery: Gallery) -> None:
    assert gallery.names("search", "terraform") == ["terraform"]
    assert gallery.names("search", "postgres")[0] == "postgres"
    assert {"pinecone", "zilliz"} <= set(gallery.names("search", "vector", "database"))
    assert gallery.names("search", "Chrome") == ["chrome-devtools-mcp"]
    assert gallery.names("search", "terraf") == ["terraform"], "the beginning of a word is enough"


@pytest.mark.parametrize(
    ("typed", "meant"), [("terrafrom", "terraform"), ("chorme", "chrome"), ("databse", "database")]
)
def test_a_misspelled_word_is_understood_and_said(typed: str, meant: str, gallery: Gallery) -> None:
    told = gallery.told("search", typed)
    assert told.startswith(f"Nothing fits `{typed}`; this fits `{meant}`:")
    assert gallery.names("search", typed) == gallery.names("search", meant)


@pytest.mark.parametrize("words", [["zzzzzz"], ['"'], ["*"], ["a AND OR NOT"], ["'; DROP TABLE extensions; --"], ["☃"]])
def test_odd_words_find_nothing_or_something_but_never_break(words: list[str], gallery: Gallery) -> None:
    assert gallery.run("search", *words).returncode == 0
    assert "Traceback" not in gallery.run("search", *words).stderr
    assert len(gallery.names("list")) == len(NAMES)


def test_nothing_found_is_said_kindly(gallery: Gallery) -> None:
    assert gallery.told("search", "zzzzzz") == f"Nothing fits `zzzzzz`. `gallery list` shows all {len(NAMES)}.\n"
    assert gallery.json("search", "zzzzzz") == []


def test_show_tells_all_about_one(gallery: Gallery) -> None:
    told = gallery.told("show", "chrome-devtools-mcp")
    assert told.startswith("chrome-devtools-mcp\n")
    assert "pisces extensions install https://github.com/ChromeDevTools/chrome-devtools-mcp" in told
    assert gallery.told("show", "Chrome") == told, "the beginning is enough where it fits one only"


def test_show_suggests_what_was_meant(gallery: Gallery) -> None:
    done = gallery.run("show", "terrafrom")
    assert (done.returncode, done.stdout) == (1, "")
    assert "did you mean terraform?" in done.stderr
    assert "`gallery list`" in gallery.run("show", "zzzzzz").stderr


def test_help_and_wrong_words(gallery: Gallery) -> None:
    assert gallery.told("--help") == gallery.told()
    assert "GALLERY_SOURCES" in gallery.told()
    assert gallery.run("shwo").returncode == 2
    assert gallery.run("search").returncode == 2


def test_folders_are_read_three_levels_down(gallery: Gallery, tmp_path: Path) -> None:
    folder = tmp_path / "extensions"
    plant(folder / "one", "one", description="The first", mcpServers={"docs": {"command": "x"}})
    (folder / "one" / "commands" / "git").mkdir(parents=True)
    (folder / "one" / "commands" / "git" / "commit.toml").write_text('prompt = "x"')
    plant(folder / "owner" / "two", "two", ".claude-plugin/plugin.json", keywords=["lint"])
    (folder / "owner" / "two" / "README.md").write_text("# Two\n\n![badge](x)\n\nKeeps imports in order.\n")
    plant(folder / "a" / "b" / "three", "three", "qwen-extension.json")
    plant(folder / "a" / "b" / "c" / "four", "too-deep")
    (folder / "broken").mkdir()
    (folder / "broken" / "gemini-extension.json").write_text("{")
    assert gallery.told("index", str(folder)) == f"3 extensions from {folder}\n"
    one, three, two = gallery.json("list")
    assert one == {
        "name": "one",
        "version": "1.2.0",
        "description": "The first",
        "path": str(folder / "one"),
        "brings": "1 command, 1 MCP server",
    }
    assert (three["name"], two["description"]) == ("three", "Keeps imports in order.")
    assert gallery.names("search", "lint") == ["two"]
    assert gallery.names("search", "imports") == ["two"]
    assert f"pisces extensions install {folder / 'one'}" in gallery.told("show", "one")
    assert gallery.told("index", "--bundled") == f"{len(NAMES)} extensions from the list that comes along\n"
    assert gallery.names("search", "lint") != ["two"]


def test_the_variable_comes_before_what_was_remembered(gallery: Gallery, tmp_path: Path) -> None:
    plant(tmp_path / "remembered", "remembered")
    (tmp_path / "list.json").write_text('{"extensions": [{"name": "listed"}, 5, {"name": 7}]}')
    plant(tmp_path / "given", "given")
    gallery.told("index", str(tmp_path / "remembered"))
    gallery.env["GALLERY_SOURCES"] = os.pathsep.join([str(tmp_path / "list.json"), str(tmp_path / "given")])
    assert gallery.names("list") == ["7", "given", "listed"]


def test_a_source_that_is_missing_is_said(gallery: Gallery, tmp_path: Path) -> None:
    done = gallery.run("index", str(tmp_path / "nowhere"))
    assert (done.returncode, done.stdout) == (1, "")
    assert "does not exist" in done.stderr
    gallery.env["GALLERY_SOURCES"] = str(tmp_path / "nowhere")
    assert "look at GALLERY_SOURCES" in gallery.run("list").stderr


def test_the_index_is_kept_and_built_again_only_when_a_source_changes(gallery: Gallery, tmp_path: Path) -> None:
    manifest = plant(tmp_path / "extensions" / "one", "one")
    gallery.env["GALLERY_SOURCES"] = str(tmp_path / "extensions")
    assert gallery.names("list") == ["one"]
    first = gallery.index_file().stat().st_ino, gallery.index_file().stat().st_mtime_ns
    assert gallery.names("list") == ["one"]
    assert (gallery.index_file().stat().st_ino, gallery.index_file().stat().st_mtime_ns) == first
    plant(tmp_path / "extensions" / "two", "two")
    assert gallery.names("list") == ["one", "two"]
    manifest.unlink()
    assert gallery.names("list") == ["two"]


def test_a_damaged_index_is_built_again(gallery: Gallery) -> None:
    gallery.told("list")
    gallery.index_file().write_bytes(b"not a database at all" * 100)
    assert gallery.names("search", "terraform") == ["terraform"]
    with sqlite3.connect(gallery.index_file()) as database:
        assert database.execute("SELECT count(*) FROM extensions").fetchone() == (len(NAMES),)
    database.close()


def test_without_a_cache_it_works_in_memory(gallery: Gallery, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file, not a folder")
    assert gallery.names("search", "terraform") == ["terraform"]


def test_without_full_text_search_it_says_so_and_still_finds(gallery: Gallery, tmp_path: Path) -> None:
    program = """
import runpy, sqlite3, sys
class Plain(sqlite3.Connection):
    def execute(self, query, *values):
        if "fts5" in query:
            raise sqlite3.OperationalError("no such module: fts5")
        return super().execute(query, *values)
connect = sqlite3.connect
sqlite3.connect = lambda path: connect(path, factory=Plain)
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
    gallery.program = [sys.executable, "-c", program, str(PACKAGE / "bin" / "gallery")]
    done = gallery.run("search", "terraform", "--json")
    assert [each["name"] for each in json.loads(done.stdout)] == ["terraform"]
    assert "no full text search (no such module: fts5)" in done.stderr
    assert gallery.run("search", "terrafrom").stdout.startswith("Nothing fits `terrafrom`; this fits `terraform`")


def test_control_characters_of_others_do_not_reach_the_screen(gallery: Gallery, tmp_path: Path) -> None:
    plant(tmp_path / "extensions" / "evil", "evil\x1b]0;title\x07", description="one\x1b[2Jtwo\r\nthree\u202e")
    gallery.env["GALLERY_SOURCES"] = str(tmp_path / "extensions")
    for words in (["list"], ["list", "--json"], ["search", "one"], ["show", "evil"]):
        told = gallery.told(*words)
        assert not any(char in told for char in ("\x1b", "\x07", "\r", "\u202e", "\\u001b"))


def test_a_reader_that_goes_away_is_no_error(gallery: Gallery) -> None:
    command = [*gallery.program, "list"]
    with subprocess.Popen(command, env=gallery.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout
        assert running.stderr
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait(timeout=60) == 0


def test_as_a_worker_it_answers_the_same_one_call_after_another(gallery: Gallery) -> None:
    calls = [["search", "terraform"], ["show", "terrafrom"], ["--help"], ["shwo"], ["list", "--json"]]
    lines = [json.dumps({"id": number, "args": words}) for number, words in enumerate(calls)]
    lines.insert(1, '{"cancel": 0}')
    done = gallery.run("--worker", text="\n".join(lines) + "\n")
    assert (done.returncode, done.stderr) == (0, "")
    first, *answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert first == {"ready": 1}
    for number, words in enumerate(calls):
        alone = gallery.run(*words)
        mine = [each for each in answers if each["id"] == number]
        assert "".join(each.get("out", "") for each in mine) == alone.stdout
        assert "".join(each.get("err", "") for each in mine) == alone.stderr
        assert mine[-1] == {"id": number, "exit": alone.returncode}


def test_running_it_changes_nothing_in_its_package(gallery: Gallery, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(PACKAGE, tmp_path / "copy", ignore=shutil.ignore_patterns("__pycache__")))
    gallery.program = [sys.executable, str(copy / "bin" / "gallery")]
    before = tree_of(str(copy)).hash
    gallery.told("list")
    gallery.told("search", "terraform")
    assert tree_of(str(copy)).hash == before


def test_several_at_once_do_not_disturb_each_other(gallery: Gallery) -> None:
    command = [*gallery.program, "search", "terraform"]
    running = [
        subprocess.Popen(command, env=gallery.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(6)
    ]
    for each in running:
        out, err = each.communicate(timeout=60)
        assert (each.returncode, err) == (0, b"")
        assert out.startswith(b"terraform")
