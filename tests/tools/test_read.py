"""`read`: text with numbers, parts of long files, pictures, folders, and everything that is none of these."""

from __future__ import annotations

import asyncio
import base64
import os
import sys
from pathlib import Path

import pytest
from tests.tools.bench import Desk, text_in


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_lines_have_their_numbers(desk: Desk) -> None:
    desk.file("a.txt", "one\ntwo\n")
    assert desk.text("read", path="a.txt") == "     1  one\n     2  two"


def test_a_part_says_how_to_go_on(desk: Desk) -> None:
    desk.file("a.txt", "".join(f"line {number}\n" for number in range(1, 11)))
    text = desk.text("read", path="a.txt", offset=3, limit=2)
    assert text.split("\n") == ["     3  line 3", "     4  line 4", "[6 more lines of 10: go on with offset 5]"]


def test_a_line_behind_the_end_is_said(desk: Desk) -> None:
    desk.file("a.txt", "one\n")
    assert desk.text("read", path="a.txt", offset=5) == "failed: `a.txt` has 1 lines: there is no line 5"


def test_an_empty_file_is_said_to_be_empty(desk: Desk) -> None:
    desk.file("a.txt", "")
    assert desk.text("read", path="a.txt") == "[the file is empty]"


@pytest.mark.parametrize(
    "data",
    [
        "zwölf\r\nfoo\r\n".encode(),
        b"\xef\xbb\xbf" + "zwölf\nfoo\n".encode(),
        b"\xff\xfe" + "zwölf\nfoo\n".encode("utf-16-le"),
        b"\xfe\xff" + "zwölf\r\nfoo".encode("utf-16-be"),
    ],
)
def test_encodings_and_line_ends_are_understood(desk: Desk, data: bytes) -> None:
    desk.file("a.txt", data)
    assert desk.text("read", path="a.txt") == "     1  zwölf\n     2  foo"


def test_bytes_that_are_no_utf_8_are_shown_as_such(desk: Desk) -> None:
    desk.file("a.txt", b"caf\xe9\n")
    assert desk.text("read", path="a.txt") == "     1  caf\ufffd"


def test_a_form_feed_is_no_line_end(desk: Desk) -> None:
    desk.file("a.txt", "one\x0ctwo\u2028three\nfour\n")
    assert desk.text("read", path="a.txt").count("\n") == 1


def test_a_long_line_is_cut(desk: Desk) -> None:
    desk.file("a.txt", "x" * 10_000)
    assert desk.text("read", path="a.txt").endswith("x [8000 more characters]")


def test_a_long_file_is_cut(desk: Desk) -> None:
    desk.file("a.txt", "y\n" * 5000)
    assert desk.text("read", path="a.txt").endswith("[3000 more lines of 5000: go on with offset 2001]")


def test_wide_lines_do_not_fill_the_context(desk: Desk) -> None:
    desk.file("a.txt", ("z" * 1500 + "\n") * 2000)
    assert len(desk.text("read", path="a.txt")) < 80_000


def test_a_picture_is_sent_as_one(desk: Desk) -> None:
    data = b"\x89PNG\r\n\x1a\n" + bytes(50)
    desk.file("a.png", data)
    picture = desk.call("read", path="a.png")["content"][1]
    assert (picture["type"], picture["mimeType"], base64.b64decode(picture["data"])) == ("image", "image/png", data)


def test_a_picture_that_no_model_takes_is_refused(desk: Desk) -> None:
    desk.file("a.png", b"\x89PNG\r\n\x1a\n" + bytes(4_000_000))
    assert "make a smaller copy" in desk.text("read", path="a.png")


def test_other_binary_files_are_refused(desk: Desk) -> None:
    desk.file("a.bin", b"\x7fELF\0\0\0")
    assert desk.text("read", path="a.bin") == "failed: `a.bin` is not text (7 bytes): use `shell` to examine it"


def test_a_folder_is_listed(desk: Desk) -> None:
    desk.file("sub/a.txt", "")
    desk.file("sub/deep/b.txt", "")
    assert desk.text("read", path="sub") == "a.txt\ndeep/"


def test_a_name_that_is_not_there_has_a_hint(desk: Desk) -> None:
    desk.file("README.md", "")
    assert desk.text("read", path="Readme.md") == "failed: `Readme.md` does not exist. Did you mean `README.md`?"


def test_home_is_expanded_before_gates_see_the_path(desk: Desk) -> None:
    (desk.home / "x").write_text("at home")
    prepare = desk.tools["read"].prepare
    assert prepare is not None
    assert prepare({"path": "~/x"}) == {"path": str(desk.home / "x")}
    assert "at home" in desk.text("read", path="~/x")
    assert prepare({"path": "~x"}) == {"path": "~x"}


@pytest.mark.parametrize("name", ["a\0b", "\ud800", "x" * 5000, "../" * 2000 + "x", "a\n\x1b[31mb"])
def test_hostile_names_fail_with_a_sentence(desk: Desk, name: str) -> None:
    for tool in ("read", "list"):
        text = desk.text(tool, path=name)
        assert text.startswith("failed: ")
        assert text.encode(), "no half character goes back to the model"


def test_broken_links_and_circles_fail_with_a_sentence(desk: Desk) -> None:
    (desk.folder / "gone").symlink_to("nowhere")
    (desk.folder / "circle").symlink_to("circle")
    assert "does not exist" in desk.text("read", path="gone")
    assert desk.text("read", path="circle").startswith("failed: ")


def test_pipes_and_devices_never_hang(desk: Desk) -> None:
    if sys.platform == "win32":
        pytest.skip("no named pipes here")
    os.mkfifo(desk.folder / "pipe")
    assert "named pipe" in desk.text("read", path="pipe")
    assert "device" in desk.text("read", path="/dev/zero")


def test_a_file_without_permission_fails_with_a_sentence(desk: Desk) -> None:
    if sys.platform == "win32" or os.geteuid() == 0:
        pytest.skip("needs permissions that hold")
    desk.file("secret", "x").chmod(0)
    assert "permission denied" in desk.text("read", path="secret")


def test_of_a_huge_file_only_the_part_is_read(desk: Desk) -> None:
    path = desk.file("huge.log", b"")
    with path.open("wb") as file:
        for _ in range(100):
            file.write(b"a line of some length, over and over\n" * 28_000)
    text = desk.text("read", path="huge.log", offset=2_500_000, limit=2)
    assert text.startswith("2500000  a line of some length")
    assert text.endswith("go on with offset 2500002]")
    assert "no line 9000000" in desk.text("read", path="huge.log", offset=9_000_000)


def test_a_huge_line_is_not_read_whole(desk: Desk) -> None:
    path = desk.file("huge.json", b"")
    with path.open("wb") as file:
        file.seek(100_000_000)
        file.write(b"\nend\n")
    desk.file("line.json", b"{" * 9_000_000 + b"\nend\n")
    assert "is not text" in desk.text("read", path="huge.json")
    assert "     2  end" in desk.text("read", path="line.json", offset=2)


def test_twenty_at_once_all_answer(desk: Desk) -> None:
    for number in range(20):
        desk.file(f"{number}.txt", f"number {number}")

    async def all_at_once() -> list[str]:
        calls = (desk.run("read", path=f"{number}.txt") for number in range(20))
        return [text_in(each) for each in await asyncio.gather(*calls)]

    assert asyncio.run(all_at_once()) == [f"     1  number {number}" for number in range(20)]
