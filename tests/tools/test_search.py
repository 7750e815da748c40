"""`list`, `glob` and `grep`: what is there, without what Git leaves out, bounded in output and time."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest
from tests.tools.bench import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = Desk(tmp_path)
    (made.folder / ".git").mkdir()
    made.file(".git/config", "needle\n")
    made.file(".gitignore", "build/\n*.log\n")
    made.file("src/main.py", "import os\nneedle = 1\n")
    made.file("src/deep/view.ts", "const needle = 2\n")
    made.file("src/deep/view.tsx", "nothing\n")
    made.file("build/out.py", "needle\n")
    made.file("debug.log", "needle\n")
    made.file(".github/flow.yml", "needle: 3\n")
    return made


def test_a_folder_is_listed_with_marks(desk: Desk) -> None:
    (desk.folder / "link").symlink_to("nowhere")
    assert desk.text("list").split("\n") == [
        ".git/",
        ".github/",
        ".gitignore",
        "build/",
        "debug.log",
        "link@",
        "src/",
    ]
    assert desk.text("list", path="src/deep") == "view.ts\nview.tsx"
    assert desk.text("list", path="srk").startswith("failed: `srk`: No such file or directory. Did you mean `src`?")


def test_a_name_with_escape_codes_cannot_act(desk: Desk) -> None:
    desk.file("odd/a\n\x1b[31mb", "needle\n")
    assert desk.text("list", path="odd") == "a\\n\\x1b[31mb"
    assert desk.text("glob", pattern="odd/*") == "odd/a\\n\\x1b[31mb"
    assert desk.text("grep", pattern="needle", path="odd") == "odd/a\\n\\x1b[31mb\n1: needle"


def test_an_endless_folder_is_cut(desk: Desk) -> None:
    for number in range(1100):
        desk.file(f"many/{number:04}", "x\n")
    assert desk.text("list", path="many").endswith("0999\n[100 more entries: use `glob` for some of them]")
    assert "[more than 500 files: use a narrower pattern" in desk.text("glob", pattern="many/*")
    assert "[more than 200 matches: use a narrower pattern" in desk.text("grep", pattern="x", path="many")


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("*.py", ["src/main.py"]),
        ("**/*.ts", ["src/deep/view.ts"]),
        ("src/**/*.{ts,tsx}", ["src/deep/view.ts", "src/deep/view.tsx"]),
        ("./src/*.py", ["src/main.py"]),
        ("view.ts?", ["src/deep/view.tsx"]),
        ("*.yml", [".github/flow.yml"]),
        ("out.py", []),
        (".git/config", []),
    ],
)
def test_files_are_found_by_name(desk: Desk, pattern: str, found: list[str]) -> None:
    text = desk.text("glob", pattern=pattern)
    assert (text.split("\n") if found else text[:8]) == (found or "no files")


def test_a_folder_to_search_in_may_be_named(desk: Desk) -> None:
    assert desk.text("glob", pattern="*.ts", path="src/deep") == "src/deep/view.ts"
    assert desk.text("glob", pattern="*.py", path="build") == "build/out.py", "named, so it is meant"
    assert desk.text("glob", pattern="*", path="none").startswith("failed: ")


@pytest.mark.parametrize("pattern", ["../*", "/etc/*", "a/../../b", "~/x", "{a,../b}", "{a,b}" * 8, "[", "a\\"])
def test_a_pattern_stays_in_its_folder(desk: Desk, pattern: str) -> None:
    assert desk.text("glob", pattern=pattern).startswith("failed: ")
    assert desk.text("grep", pattern="x", glob=pattern).startswith("failed: ")


def test_links_to_elsewhere_are_not_followed(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/secret.txt").write_text("needle secret\n")
    (desk.folder / "out").symlink_to(tmp_path / "outside")
    (desk.folder / "secret.txt").symlink_to(tmp_path / "outside/secret.txt")
    assert "out/secret.txt" not in desk.text("glob", pattern="**/secret.txt")
    assert "secret" not in desk.text("grep", pattern="needle")


def test_lines_are_found_under_their_files(desk: Desk) -> None:
    assert desk.text("grep", pattern="needle").split("\n") == [
        ".github/flow.yml",
        "1: needle: 3",
        "src/main.py",
        "2: needle = 1",
        "src/deep/view.ts",
        "1: const needle = 2",
    ]
    assert desk.text("grep", pattern="NEEDLE") == "no match"
    assert desk.text("grep", pattern="(?i)^NEEDLE", glob="*.py") == "src/main.py\n2: needle = 1"
    assert desk.text("grep", pattern="os$", path="src/main.py") == "src/main.py\n1: import os"


def test_a_line_is_searched_alone(desk: Desk) -> None:
    desk.file("a.txt", "one\ntwo\n")
    assert desk.text("grep", pattern=r"one\Z", path="a.txt") == "a.txt\n1: one"
    assert desk.text("grep", pattern=r"one(?!\n)", path="a.txt") == "a.txt\n1: one"
    assert desk.text("grep", pattern=r"one\stwo", path="a.txt") == "no match"


def test_of_a_long_line_the_place_is_shown(desk: Desk) -> None:
    desk.file("min.js", "x" * 100_000 + "needle" + "y" * 100_000)
    text = desk.text("grep", pattern="needle", path="min.js")
    assert "needle" in text
    assert len(text) < 400


def test_binary_and_large_files_are_left_out_and_large_ones_said(desk: Desk) -> None:
    desk.file("odd/a.bin", b"needle\0")
    desk.file("odd/large.txt", b"needle\n" * 2_000_000)
    assert desk.text("grep", pattern="needle", path="odd") == "[1 large files were not searched]"


@pytest.mark.parametrize("pattern", ["(", "*a", "(?P<n>a)(?P<n>b)", "[z-a]", "a{2,1}"])
def test_a_pattern_that_is_none_fails_with_a_sentence(desk: Desk, pattern: str) -> None:
    assert desk.text("grep", pattern=pattern).startswith("failed: `pattern` or `glob` is not valid: ")


def test_pipes_and_devices_never_hang(desk: Desk) -> None:
    if sys.platform == "win32":
        pytest.skip("no named pipes here")
    os.mkfifo(desk.folder / "src/pipe")
    assert "needle = 1" in desk.text("grep", pattern="needle", path="src")
    assert "src/pipe" in desk.text("glob", pattern="pipe")
    assert "neither a folder nor a file" in desk.text("grep", pattern="x", path="src/pipe")
    assert "neither a folder nor a file" in desk.text("grep", pattern="x", path="/dev/zero")


def test_a_pattern_that_takes_for_ever_holds_nothing_up(desk: Desk) -> None:
    desk.file("evil.txt", "a" * 60 + "!\n")

    async def body() -> None:
        search = asyncio.ensure_future(desk.run("grep", pattern="(a+)+$", path="evil.txt"))
        for _ in range(20):  # the loop is free while it runs
            await asyncio.sleep(0)
        assert not search.done()
        search.cancel()
        with pytest.raises(asyncio.CancelledError):
            await search

    asyncio.run(body())
