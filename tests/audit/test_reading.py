"""The log is read whatever is in it: torn and foreign lines, files that are renamed meanwhile, links."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pisces.audit.log import AuditLog, AuditOptions
from pisces.audit.reading import Logged, LogTail, records
from pisces.audit.record import LoadedRecord
from pisces.diagnostics import Diagnostic

posix = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes of POSIX")


def line(name: str, **more: object) -> str:
    head = {"at": "2026-11-16T08:00:00.000Z", "session": "s", "workspace": "/w", "what": "loaded"}
    return json.dumps({**head, "name": name, **more}) + "\n"


def names(path: Path, last: int = 0) -> list[str]:
    return [each.text("name") for each in records(str(path), last) if isinstance(each, Logged)]


def problems(path: Path) -> list[tuple[str, str, int]]:
    found = [each for each in records(str(path)) if isinstance(each, Diagnostic)]
    return [(each.code, os.path.basename(each.path), each.line) for each in found]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.jsonl"


def test_a_log_that_is_not_there_has_no_records(path: Path) -> None:
    assert list(records(str(path))) == []


def test_records_of_all_files_come_oldest_first(path: Path) -> None:
    for number, suffix in enumerate((".3", ".2", ".1", "")):
        path.with_name(f"log.jsonl{suffix}").write_text(line(f"{number}a") + line(f"{number}b"))
    path.with_name("log.jsonl.4").write_text(line("not ours"))
    assert names(path) == ["0a", "0b", "1a", "1b", "2a", "2b", "3a", "3b"]
    assert names(path, last=3) == ["2b", "3a", "3b"]
    assert names(path, last=100) == names(path)


def test_a_torn_last_line_is_left_out(path: Path) -> None:
    path.write_text(line("whole") + line("torn")[:40])
    assert names(path) == ["whole"]
    assert problems(path) == []


def test_a_record_behind_a_torn_one_is_read(path: Path) -> None:
    path.write_text(line("one") + line("torn")[:40] + line("two") + line("three"))
    assert names(path) == ["one", "two", "three"]
    assert problems(path) == [("audit-line", "log.jsonl", 2)]


@pytest.mark.parametrize(
    "garbage",
    [
        "x",
        "[]",
        "null",
        "{",
        '{"at": 1, "what": "loaded"}',
        '{"what": "loaded"}',
        '{"at": "now"}',
        "[" * 9_000,
        "\x00\x1b[2J",
    ],
    ids=repr,
)
def test_a_line_that_is_no_record_is_named_and_the_rest_is_read(garbage: str, path: Path) -> None:
    path.write_text(line("one") + garbage + "\n" + line("two"))
    assert names(path) == ["one", "two"]
    assert problems(path) == [("audit-line", "log.jsonl", 2)]


def test_a_file_of_garbage_is_one_diagnostic(path: Path) -> None:
    path.write_bytes(b"\xff\n" * 100_000)
    assert names(path) == []
    assert problems(path) == [("audit-line", "log.jsonl", 1)]


@posix
def test_links_and_pipes_are_not_read(path: Path, tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("pipes of POSIX")
    secret = tmp_path / "secret"
    secret.write_text(line("of another file"))
    path.symlink_to(secret)
    os.mkfifo(path.with_name("log.jsonl.1"))
    path.with_name("log.jsonl.2").mkdir()
    assert names(path) == []
    assert [code for code, *_ in problems(path)] == ["audit-unreadable"] * 3
    tail = LogTail(str(path))
    assert news(tail) == news(tail) == []
    tail.close()


def test_a_detail_of_any_type_is_text_when_it_is_asked_for() -> None:
    record = Logged("", "", "", "ran", {"exit": 0, "none": None, "list": [1]})
    assert [record.text(name) for name in ("exit", "none", "list", "missing")] == ["0", "", "[1]", ""]


class Following:
    """A log with small files, and somebody who follows it."""

    def __init__(self, path: Path, most_bytes: int = 700) -> None:
        self.log = AuditLog(str(path), AuditOptions(session="s", most_bytes=most_bytes))
        self.written = 0

    def write(self, count: int) -> None:
        for _ in range(count):
            self.log.write(LoadedRecord("module", str(self.written)))
            self.written += 1


@pytest.fixture
def following(path: Path) -> Iterator[Following]:
    made = Following(path)
    yield made
    made.log.close()


def news(tail: LogTail) -> list[str]:
    return [each.text("name") for each in tail.news()]


def test_what_is_there_comes_first_and_then_what_is_new(path: Path, following: Following) -> None:
    following.write(2)
    tail = LogTail(str(path))
    assert news(tail) == ["0", "1"]
    following.write(2)
    assert news(tail) == ["2", "3"]
    assert news(tail) == []
    tail.close()


def test_a_log_that_begins_later_is_followed_from_its_beginning(path: Path, following: Following) -> None:
    tail = LogTail(str(path))
    assert news(tail) == []
    following.write(2)
    assert news(tail) == ["0", "1"]
    tail.close()


@pytest.mark.parametrize("at_once", [1, 5, 10, 14])
def test_following_survives_renamed_files(at_once: int, path: Path, following: Following) -> None:
    """A file has five records: up to three renames between two looks."""
    following.write(1)
    tail = LogTail(str(path))
    seen = []
    for _ in range(8):
        following.write(at_once)
        seen += news(tail)
    tail.close()
    assert seen == [str(number) for number in range(following.written)]
    assert path.with_name("log.jsonl.1").exists()


def test_half_a_line_waits_for_the_other_half(path: Path) -> None:
    tail = LogTail(str(path))
    whole = line("one")
    path.write_text(whole[:30])
    assert news(tail) == []
    with path.open("a") as file:
        file.write(whole[30:])
    assert news(tail) == ["one"]
    tail.close()
