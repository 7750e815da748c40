"""Whatever lies under the name of a discovery file in a folder that all users share, no command stumbles over it."""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.ide.client_room import Room
from tests.ide.vscode_like import VsCodeLike, open_file
from tests.warm_shell import pisces

if sys.platform == "win32":
    pytest.skip("Windows has no shared temporary folder", allow_module_level=True)

NAME = "gemini-ide-server-1-2.json"


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        os.chdir(path.parent)  # the path itself may be too long for a socket
        made.bind(path.name)


def _huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 40)


def _of_somebody(path: Path) -> None:
    path.write_text("{}")
    if os.getuid() != 0:
        pytest.skip("needs root, to give files away")
    os.chown(path, 12345, -1)


def _device(path: Path) -> None:
    try:
        os.mknod(path, 0o020666, os.makedev(1, 5))  # a read of it never ends
    except OSError:
        pytest.skip("needs the right to make a device")


def _unreadable(path: Path) -> None:
    path.write_text("{}")
    path.chmod(0)


def _link_to_a_pipe(path: Path) -> None:
    os.mkfifo(path.parent / "pipe")
    path.symlink_to("pipe")


ODD: dict[str, Callable[[Path], object]] = {
    "folder": lambda path: path.mkdir(),
    "closed folder": lambda path: path.mkdir(mode=0),
    "pipe": lambda path: os.mkfifo(path),
    "socket": _socket,
    "device": _device,
    "dangling link": lambda path: path.symlink_to("nowhere"),
    "link to itself": lambda path: path.symlink_to(path.name),
    "link to a pipe": _link_to_a_pipe,
    "huge file": _huge,
    "file of somebody": _of_somebody,
    "unreadable file": _unreadable,
    "half a file": lambda path: path.write_bytes(b'{"port": 1'),
    "bytes": lambda path: path.write_bytes(b"\xff\xfe\0"),
}


@pytest.fixture(params=ODD)
def room(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    made = Room(tmp_path)
    folder = made.folder / "gemini" / "ide"
    folder.mkdir(parents=True)
    monkeypatch.chdir(tmp_path)  # and back again at the end
    ODD[request.param](folder / NAME)
    return made


def _pisces(room: Room, *words: str) -> tuple[int, str, str]:
    passed = {name: os.environ[name] for name in ("PATH", "PYTHONDONTWRITEBYTECODE") if name in os.environ}
    done = pisces("ide", *words, cwd=room.project, env={**passed, **room.env})
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout, done.stderr


def test_the_editor_beside_it_is_found_and_the_thing_is_said(room: Room) -> None:
    with VsCodeLike(room.folder, room.project) as editor:
        editor.show(open_file(room.main))
        status, out, err = _pisces(room, "status", "--output-format", "json")
        assert status == 0, out + err
        codes = {each["code"] for each in json.loads(out)["diagnostics"]}
        is_root = os.getuid() == 0  # who may read everything
        assert codes <= {"ide-file-unreadable", "ide-file-not-ours"}
        assert len(codes) == 1 or is_root
        status, out, err = _pisces(room, "watch", "--once")
        assert (status, "main.py" in out) == (0, True), err
        status, out, err = _pisces(room, "probe", "--no-diff")
        assert status == 0, out + err


def test_a_companion_starts_beside_it(room: Room) -> None:
    status, out, err = _pisces(room, "serve", "--workspace", str(room.project))
    assert status == 0, err
    assert [json.loads(line)["event"] for line in out.splitlines()] == ["ready"]


@pytest.mark.parametrize("words", ["status", "watch --once", "probe", "serve"])
@pytest.mark.parametrize("below", ["gemini", "gemini/ide"])
@pytest.mark.parametrize("kind", ["pipe", "dangling link", "link to itself", "closed folder", "half a file"])
def test_a_folder_that_is_none_ends_nothing(tmp_path: Path, words: str, below: str, kind: str) -> None:
    room = Room(tmp_path)
    path = room.folder / below
    path.parent.mkdir(parents=True, exist_ok=True)
    ODD[kind](path)
    status, _, err = _pisces(room, *words.split())
    assert status == (0 if words == "serve" else 1), err


def test_thousands_of_foreign_files_are_said_in_a_few_lines(tmp_path: Path) -> None:
    room = Room(tmp_path)
    folder = room.folder / "gemini" / "ide"
    folder.mkdir(parents=True)
    for number in range(3000):
        (folder / f"gemini-ide-server-{number}-1.json").mkdir()
    with VsCodeLike(room.folder, room.project) as editor:
        editor.show(open_file(room.main))
        status, out, err = _pisces(room, "status")
    assert status == 0, err
    assert len((out + err).splitlines()) < 200
    assert "2,980 more" in err
