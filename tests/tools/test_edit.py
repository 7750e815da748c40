"""`write` and `edit`: only over what the model saw, exactly or with a word about it, and never half."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.tools.bench import Desk

from pisces.shapes.tool import ToolFailed
from pisces.tools.proposed import proposed_text
from pisces.tools.replacing import Edit, replaced


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def read_then(desk: Desk, name: str, content: str | bytes) -> Path:
    path = desk.file(name, content)
    desk.text("read", path=name)
    return path


def test_a_text_is_replaced_and_the_diff_is_there(desk: Desk) -> None:
    path = read_then(desk, "a.txt", "one\ntwo\nthree\n")
    result = desk.call("edit", path="a.txt", old="two", new="2")
    assert path.read_text() == "one\n2\nthree\n"
    assert result["details"] == {
        "path": str(path),
        "diff": "--- a.txt\n+++ a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three",
        "added": 1,
        "removed": 1,
        "is_new": False,
    }


def test_several_edits_are_made_in_order_or_not_at_all(desk: Desk) -> None:
    path = read_then(desk, "a.txt", "one\ntwo\n")
    good = [{"old": "one", "new": "1"}, {"old": "1\ntwo", "new": "1\n2"}]
    assert "edit 3 of 3: `old` is not in the file" in desk.text(
        "edit", path="a.txt", edits=[*good, {"old": "zzz", "new": ""}]
    )
    assert path.read_text() == "one\ntwo\n"
    desk.text("edit", path="a.txt", edits=good)
    assert path.read_text() == "1\n2\n"


def test_a_text_that_stands_there_twice_names_the_lines(desk: Desk) -> None:
    path = read_then(desk, "a.txt", "x = 1\ny = 2\nx = 1\n")
    assert "stands 2 times in the file, in lines 1, 3" in desk.text("edit", path="a.txt", old="x = 1", new="x = 3")
    desk.text("edit", path="a.txt", old="x = 1", new="x = 3", replace_all=True)
    assert path.read_text() == "x = 3\ny = 2\nx = 3\n"


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"old": "a", "new": "b", "edits": [{"old": "a", "new": "b"}]},
        {"old": "", "new": "b"},
        {"old": "a", "new": "a"},
    ],
)
def test_edits_without_a_meaning_are_refused(desk: Desk, given: dict[str, object]) -> None:
    path = read_then(desk, "a.txt", "a\n")
    assert desk.text("edit", path="a.txt", **given).startswith("failed: ")
    assert path.read_text() == "a\n"


@pytest.mark.parametrize(
    ("text", "old", "new", "after"),
    [
        ("if x:   \n    go()\n", "if x:\n    go()", "if y:\n    go()", "if y:\n    go()\n"),
        ("say(\u201chello\u201d)\n", 'say("hello")', 'say("bye")', 'say("bye")\n'),
        ("a \u2013 b\n", "a - b", "a + b", "a + b\n"),
        ("x =  1\n", "x = 1", "x = 2", "x = 2\n"),
        (
            "def f():\n    if a:\n        b()\n",
            "if a:\n    b()",
            "if a:\n    c()",
            "def f():\n    if a:\n        c()\n",
        ),
        ("  a:\n    b\n", "a:\n  b\n", "a:\n  c\n", "  a:\n    c\n"),
        ("\tx\n\t\ty\n", "  x\n  \ty", "  x\n  \tz", "\tx\n\t\tz\n"),
    ],
)
def test_blanks_quotes_and_dashes_are_forgiven_and_said(text: str, old: str, new: str, after: str) -> None:
    done = replaced(text, (Edit(old, new),))
    assert done.text == after
    assert "only blanks, quotes or dashes differed" in done.notes[0]


@pytest.mark.parametrize(
    ("text", "old"),
    [
        ("a\n\tb\n\t\tc\n", "a\n    b\n        c"),  # tabs against blanks: the new text cannot be moved
        ("x\u00a0=  1\nx  = 1\n", "x = 1"),  # two places
        ("ab\n", "a b"),  # a blank is not nothing
        ("a\nb\n", "a b"),  # nor a line end
        ("anything", "   \n"),
    ],
)
def test_what_may_mean_something_else_is_refused(text: str, old: str) -> None:
    with pytest.raises(ToolFailed):
        replaced(text, (Edit(old, "new"),))


def test_forgiving_takes_linear_time() -> None:
    hostile = " " * 200_000 + "x" + "\n " * 100_000
    with pytest.raises(ToolFailed):
        replaced(hostile, (Edit("  \n  y" * 500 + "  z", "new"),))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"one\r\ntwo\r\n", b"one\r\n2\r\n"),
        (b"\xef\xbb\xbfone\ntwo\n", b"\xef\xbb\xbfone\n2\n"),
        (b"one\r\ntwo\nthree", b"one\r\n2\nthree"),
        (b"caf\xe9\ntwo\n\xff", b"caf\xe9\n2\n\xff"),
        (b"\xff\xfe" + "\u00e9\r\ntwo\r\n".encode("utf-16-le"), b"\xff\xfe" + "\u00e9\r\n2\r\n".encode("utf-16-le")),
        (b"one\x0ctwo\x1c\r", b"one\x0c2\x1c\r"),
    ],
)
def test_every_other_byte_stays_as_it_was(desk: Desk, before: bytes, after: bytes) -> None:
    path = read_then(desk, "a.txt", before)
    desk.text("edit", path="a.txt", old="two", new="2")
    assert path.read_bytes() == after


def test_new_lines_have_the_ends_of_the_file(desk: Desk) -> None:
    path = read_then(desk, "a.txt", b"one\r\ntwo\r\n")
    desk.text("edit", path="a.txt", old="one\ntwo", new="1\r\n2\n3")
    assert path.read_bytes() == b"1\r\n2\r\n3\r\n"
    desk.text("write", path="a.txt", content="x\ny\n")
    assert path.read_bytes() == b"x\r\ny\r\n"


def test_a_file_that_was_not_read_is_not_changed(desk: Desk) -> None:
    path = desk.file("a.txt", "one\n")
    assert "`read` it first" in desk.text("edit", path="a.txt", old="one", new="1")
    assert "`read` it first" in desk.text("write", path="a.txt", content="1")
    assert path.read_text() == "one\n"


def test_a_file_that_changed_since_is_not_changed(desk: Desk) -> None:
    path = read_then(desk, "a.txt", "one\n")
    path.write_text("one\nmine\n")
    assert "has changed since you read it" in desk.text("edit", path="a.txt", old="one", new="1")
    assert "has changed since you read it" in desk.text("write", path="a.txt", content="1")
    assert path.read_text() == "one\nmine\n"


def test_what_was_written_has_been_seen(desk: Desk) -> None:
    desk.text("write", path="a.txt", content="one\n")
    assert desk.text("edit", path="a.txt", old="one", new="1").startswith("changed")
    assert desk.text("write", path="a.txt", content="2\n").startswith("changed")


def test_folders_above_a_new_file_are_made(desk: Desk) -> None:
    result = desk.call("write", path="a/b/c.txt", content="x\n")
    assert (desk.folder / "a/b/c.txt").read_text() == "x\n"
    assert (result["details"]["is_new"], result["details"]["diff"].split("\n")[0]) == (True, "--- /dev/null")


def test_permissions_stay_and_new_files_have_the_usual_ones(desk: Desk) -> None:
    path = read_then(desk, "run.sh", "echo one\n")
    path.chmod(0o750)
    desk.text("edit", path="run.sh", old="one", new="two")
    assert path.stat().st_mode & 0o777 == 0o750
    desk.text("write", path="new.txt", content="")
    plain = desk.file("plain.txt", "")
    assert (desk.folder / "new.txt").stat().st_mode == plain.stat().st_mode


def test_a_link_stays_a_link(desk: Desk) -> None:
    target = desk.file("target.txt", "one\n")
    (desk.folder / "link.txt").symlink_to("target.txt")
    desk.text("read", path="link.txt")
    result = desk.call("edit", path="link.txt", old="one", new="two")
    assert (desk.folder / "link.txt").is_symlink()
    assert target.read_text() == "two\n"
    assert result["details"]["path"] == str(target)


def test_nothing_is_left_beside_the_file(desk: Desk) -> None:
    read_then(desk, "a.txt", "one\n")
    desk.text("edit", path="a.txt", old="one", new="two")
    assert os.listdir(desk.folder) == ["a.txt"]


def test_a_file_that_is_read_only_is_not_replaced(desk: Desk) -> None:
    if sys.platform == "win32" or os.geteuid() == 0:
        pytest.skip("needs permissions that hold")
    path = read_then(desk, "a.txt", "one\n")
    path.chmod(0o444)
    assert "permission denied" in desk.text("edit", path="a.txt", old="one", new="two")
    assert path.read_text() == "one\n"


@pytest.mark.parametrize("name", ["a\0b", "\ud800.txt", "x" * 5000, "sub"])
def test_names_that_are_no_files_fail_with_a_sentence(desk: Desk, name: str) -> None:
    desk.file("sub/a.txt", "")
    assert desk.text("write", path=name, content="x").startswith("failed: ")
    assert desk.text("edit", path=name, old="x", new="y").startswith("failed: ")


def test_pipes_and_devices_are_not_written(desk: Desk) -> None:
    if sys.platform == "win32":
        pytest.skip("no named pipes here")
    os.mkfifo(desk.folder / "pipe")
    assert "named pipe" in desk.text("write", path="pipe", content="x")
    assert "device" in desk.text("write", path="/dev/null", content="x")


def test_half_a_character_is_refused(desk: Desk) -> None:
    path = read_then(desk, "a.txt", "one\n")
    assert "half a character" in desk.text("edit", path="a.txt", old="one", new="\ud800")
    assert path.read_text() == "one\n"


def test_edits_of_one_file_at_once_all_hold(desk: Desk) -> None:
    path = read_then(desk, "a.txt", "".join(f"<{number}>\n" for number in range(20)))

    async def all_at_once() -> None:
        calls = (desk.run("edit", path="a.txt", old=f"<{number}>", new=f"[{number}]") for number in range(20))
        await asyncio.gather(*calls)

    asyncio.run(all_at_once())
    assert path.read_text() == "".join(f"[{number}]\n" for number in range(20))


FULL = """
import resource, sys
from pathlib import Path
from tests.tools.bench import Desk
desk = Desk(Path(sys.argv[1]))
desk.text("read", path="a.txt")
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
print(desk.text("write", path="a.txt", content="x" * 5000))
print(desk.text("write", path="new.txt", content="x" * 5000))
print(desk.text("shell", command="seq 100000 | head -c 100000"))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such limits here")
def test_on_a_full_disk_the_old_text_stays(desk: Desk) -> None:
    path = desk.file("a.txt", "one\n")
    argv = [sys.executable, "-c", FULL, str(desk.folder.parent)]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=True, cwd=Path(__file__).parents[2])
    assert done.stdout.count("File too large. It is as it was") == 2
    assert "could not be stored: File too large" in done.stdout
    assert path.read_text() == "one\n"
    assert os.listdir(desk.folder) == ["a.txt"]


def test_what_a_call_would_make_of_a_file_is_known_before(desk: Desk) -> None:
    path = desk.file("a.txt", "one\r\n")
    folder = str(desk.folder)
    edit = proposed_text("edit", {"path": "a.txt", "old": "one", "new": "two"}, folder)
    assert edit is not None
    assert (edit.path, edit.before, edit.after, edit.data) == (str(path), "one\n", "two\n", b"two\r\n")
    write = proposed_text("write", {"path": "b.txt", "content": "x"}, folder)
    assert write is not None
    assert (write.before, write.after) == (None, "x")
    assert proposed_text("shell", {"command": "ls"}, folder) is None
    assert path.read_bytes() == b"one\r\n"
