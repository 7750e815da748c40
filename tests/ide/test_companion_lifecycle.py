"""The discovery file lives exactly as long as the companion: written whole, for its user alone, and taken away."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pisces.diagnostics import Diagnostic
from pisces.ide import Companion, CompanionOptions, Editor, Window
from pisces.ide.discovery_file import (
    DiscoveryFile,
    discovery_files,
    discovery_folder,
    is_alive,
    stale_files,
    temporary_folder,
)
from tests.ide.companion_client import Client
from tests.ide.gemini_terminal import until

PATIENCE = 20.0


class Serving:
    """`pisces ide serve` in a process of its own."""

    def __init__(self, tmp: Path, *arguments: str, program: tuple[str, ...] = ()) -> None:
        command = [sys.executable, *(program or ("-m", "pisces")), "ide", "serve", *arguments]
        env = {**os.environ, "TMPDIR": str(tmp)}
        self.process = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp)
        self.ready = self.hear()
        assert self.ready["event"] == "ready"
        self.file = Path(self.ready["files"][0])

    def hear(self) -> Any:
        assert self.process.stdout
        return json.loads(self.process.stdout.readline())

    def say(self, **line: Any) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(line).encode() + b"\n")
        self.process.stdin.flush()

    def end(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE)
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe
            pipe.close()


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Serving]:
    made = Serving(tmp_path, "--workspace", str(tmp_path))
    yield made
    made.end()


def read(companion: Companion) -> dict[str, Any]:
    told = json.loads(Path(companion.files[0]).read_text())
    assert isinstance(told, dict)
    return told


def is_listening(port: int) -> bool:
    with socket.socket() as sock:
        return sock.connect_ex(("127.0.0.1", port)) == 0


def test_the_file_says_where_and_what_and_only_to_its_user(tmp_path: Path) -> None:
    window = Window(("/one", "/two"), "myeditor", "My Editor", (4711, 4712))
    with Companion(window, env={"TMPDIR": str(tmp_path)}) as companion:
        names = [f"gemini-ide-server-{pid}-{companion.port}.json" for pid in (4711, 4712)]
        assert list(companion.files) == [str(tmp_path / "gemini" / "ide" / name) for name in names]
        assert read(companion) == {
            "port": companion.port,
            "workspacePath": os.pathsep.join(["/one", "/two"]),
            "authToken": companion.token,
            "ideInfo": {"name": "myeditor", "displayName": "My Editor"},
        }
        if os.name == "posix":
            assert stat.S_IMODE(os.stat(companion.files[0]).st_mode) == 0o600
        assert sorted(os.listdir(tmp_path / "gemini" / "ide")) == sorted(names), "and nothing else is left there"
    assert os.listdir(tmp_path / "gemini" / "ide") == []
    assert not is_listening(companion.port)


def test_our_reader_reads_what_our_writer_wrote(tmp_path: Path) -> None:
    env = {"TMPDIR": str(tmp_path)}
    with Companion(Window(("/one",), "ed", "Ed"), env=env) as companion:
        path, pid = companion.files[0], os.getpid()
        expected = DiscoveryFile(companion.port, "/one", companion.token, "ed", "Ed", pid, path)
        assert discovery_files(env) == [expected]


def test_the_file_is_written_again_when_other_folders_are_open(tmp_path: Path) -> None:
    with Companion(Window(("/one",)), env={"TMPDIR": str(tmp_path)}) as companion:
        before = companion.files
        companion.move_to("/two", "/three")
        assert companion.files == before
        assert read(companion)["workspacePath"] == os.pathsep.join(["/two", "/three"])
        assert companion.env["GEMINI_CLI_IDE_WORKSPACE_PATH"] == os.pathsep.join(["/two", "/three"])
        companion.move_to()
        assert read(companion)["workspacePath"] == ""


def test_a_file_that_was_tidied_away_comes_back(tmp_path: Path) -> None:
    with Companion(Window(), None, CompanionOptions(keep_alive=0.05), {"TMPDIR": str(tmp_path)}) as companion:
        os.unlink(companion.files[0])
        assert until(lambda: os.path.exists(companion.files[0]))


def test_a_link_in_the_place_of_the_file_is_replaced_and_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    with Companion(Window(("/one",)), env={"TMPDIR": str(tmp_path)}) as companion:
        path = Path(companion.files[0])
        path.unlink()
        path.symlink_to(victim)
        companion.move_to("/two")
        assert not path.is_symlink()
        assert read(companion)["workspacePath"] == "/two"
    assert victim.read_text() == "precious"


def test_where_no_file_can_be_written_the_variables_still_work(tmp_path: Path) -> None:
    (tmp_path / "gemini").write_text("somebody was here first")
    with Companion(Window(), env={"TMPDIR": str(tmp_path)}) as companion:
        assert [problem.code for problem in companion.problems] == ["ide-file-unwritable"]
        assert companion.files == ()
        token = companion.env["GEMINI_CLI_IDE_AUTH_TOKEN"]
        with Client(int(companion.env["GEMINI_CLI_IDE_SERVER_PORT"]), token).connect() as client:
            assert client.next() == {"workspaceState": {"openFiles": []}}


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_below_a_temporary_folder_of_all_users_ours_is_for_all_users_too(tmp_path: Path) -> None:
    for name, mode, expected in (("shared", 0o1777, 0o1777), ("own", 0o700, 0o700)):
        folder = tmp_path / name
        folder.mkdir()
        folder.chmod(mode)
        with Companion(Window(), env={"TMPDIR": str(folder)}):
            inner = folder / "gemini" / "ide"
            assert [stat.S_IMODE(each.stat().st_mode) for each in (inner.parent, inner)] == [expected] * 2


def test_threads_may_start_and_stop_it_at_the_same_time(tmp_path: Path) -> None:
    editor = Editor(lambda _path, _content: None)
    companion = Companion(Window(), editor, env={"TMPDIR": str(tmp_path)})
    before = threading.active_count()
    crowd = [threading.Thread(target=lambda: companion.start().stop()) for _ in range(20)]
    for each in crowd:
        each.start()
    for each in crowd:
        each.join(PATIENCE)
    with companion, Client(companion.port, companion.token).connect() as client:
        assert client.call("openDiff", filePath="/a", newContent="") == {"content": []}
        companion.trust(True)
        while client.next()["workspaceState"].get("isTrusted") is not True:
            continue
    assert until(lambda: threading.active_count() == before)
    assert os.listdir(discovery_folder({"TMPDIR": str(tmp_path)})) == []


def test_it_starts_and_stops_as_often_as_one_likes(tmp_path: Path) -> None:
    companion = Companion(Window(), env={"TMPDIR": str(tmp_path)})
    companion.stop()
    for _ in range(2):
        companion.start().start()
        with Client(companion.port, companion.token).connect() as client:
            client.next()
            companion.stop()
            assert client.stream_ended.wait(PATIENCE)
        companion.stop()
        assert companion.files == ()


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize(("number", "status"), [("SIGTERM", -15), ("SIGHUP", -1), ("SIGINT", 130)])
def test_a_signal_takes_the_file_away(serving: Serving, number: str, status: int) -> None:
    assert serving.file.exists()
    serving.process.send_signal(getattr(signal, number))
    assert serving.process.wait(PATIENCE) == status
    assert not serving.file.exists()


def test_the_end_of_its_input_takes_the_file_away(serving: Serving) -> None:
    assert serving.process.stdin
    serving.process.stdin.close()
    assert serving.process.wait(PATIENCE) == 0
    assert not serving.file.exists()


def test_the_word_stop_takes_the_file_away(serving: Serving) -> None:
    serving.say(do="stop")
    assert serving.process.wait(PATIENCE) == 0
    assert not serving.file.exists()


def test_what_a_crash_leaves_behind_the_next_start_removes(serving: Serving, tmp_path: Path) -> None:
    env = {"TMPDIR": str(tmp_path)}
    assert stale_files(env, (os.getpid(),)) == [], "it lives"
    serving.process.kill()
    serving.process.wait(PATIENCE)
    assert serving.file.exists(), "nobody was asked"
    assert [file.path for file in stale_files(env, (os.getpid(),))] == [str(serving.file)]
    with Companion(Window(), env=env) as companion:
        assert [problem.code for problem in companion.problems] == ["ide-file-stale"]
        assert not serving.file.exists()
        assert discovery_files(env) == [each for each in discovery_files(env) if isinstance(each, DiscoveryFile)]


def test_files_of_living_editors_and_open_ports_stay(tmp_path: Path) -> None:
    env = {"TMPDIR": str(tmp_path)}
    folder = Path(discovery_folder(env))
    folder.mkdir(parents=True)
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    with socket.create_server(("127.0.0.1", 0)) as listening, socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))  # taken, but nobody listens
        used, unused = listening.getsockname()[1], closed.getsockname()[1]
        for pid, port in ((gone.pid, used), (os.getppid(), unused), (gone.pid, unused)):
            (folder / f"gemini-ide-server-{pid}-{port}.json").write_text(json.dumps({"port": port}))
        assert [(file.pid, file.port) for file in stale_files(env)] == [(gone.pid, unused)]


@pytest.mark.skipif(os.name == "nt", reason="there a process keeps the parent that it had")
def test_it_ends_with_the_editor_even_if_a_shell_holds_its_input(tmp_path: Path) -> None:
    serve = "subprocess.Popen([sys.executable, '-m', 'pisces', 'ide', 'serve'])"
    script = f"import subprocess, sys, time; {serve}; time.sleep(60)"
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-c", script], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as editor:
        assert editor.stdout
        file = Path(json.loads(editor.stdout.readline())["files"][0])
        assert file.exists()
        editor.kill()
        editor.wait(PATIENCE)
        assert until(lambda: not file.exists())


EMBEDDED = """
import os, sys
from pisces.ide import Companion, Window
companion = Companion(Window()).start()
print(companion.files[0], flush=True)
if os.name == "posix" and not os.fork():
    sys.exit()  # a child ends, as children of editors do
if os.name == "posix":
    os.wait()
print(os.path.exists(companion.files[0]), flush=True)
"""


def test_an_editor_that_forgets_to_stop_it_leaves_nothing_and_its_children_do_no_harm(tmp_path: Path) -> None:
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", EMBEDDED], env=env, capture_output=True, text=True, check=True)
    path, is_there = done.stdout.split()
    assert is_there == "True"
    assert not os.path.exists(path)


POSIX: list[tuple[dict[str, str], str]] = [
    ({"TMPDIR": "/a/", "TMP": "/b"}, "/a"),
    ({"TMPDIR": "", "TMP": "/b//"}, "/b/"),
    ({"TEMP": "/c"}, "/c"),
    ({"TMPDIR": "/"}, "/"),
    ({}, "/tmp"),
]
WINDOWS: list[tuple[dict[str, str], str]] = [
    ({"TEMP": "C:\\T\\", "TMP": "C:\\U"}, "C:\\T"),
    ({"TMP": "C:\\"}, "C:\\"),
    ({"SystemRoot": "C:\\Windows"}, "C:\\Windows\\temp"),
    ({"windir": "D:\\W"}, "D:\\W\\temp"),
]


@pytest.mark.parametrize(("env", "folder"), POSIX)
def test_the_temporary_folder_is_the_one_of_node(env: dict[str, str], folder: str) -> None:
    assert temporary_folder(env, "posix") == folder


@pytest.mark.parametrize(("env", "folder"), WINDOWS)
def test_the_temporary_folder_is_the_one_of_node_on_windows(env: dict[str, str], folder: str) -> None:
    assert temporary_folder(env, "nt") == folder


def test_a_process_is_alive_or_not() -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    assert is_alive(os.getpid())
    gone.wait()
    assert not is_alive(gone.pid)


def planted(tmp_path: Path, content: bytes, pid: str = "4711-9") -> tuple[dict[str, str], Path]:
    env = {"TMPDIR": str(tmp_path)}
    folder = Path(discovery_folder(env))
    folder.mkdir(parents=True)
    file = folder / f"gemini-ide-server-{pid}.json"
    file.write_bytes(content)
    return env, file


def codes(env: dict[str, str]) -> list[str]:
    return [each.code for each in discovery_files(env) if isinstance(each, Diagnostic)]


def test_the_file_of_another_user_does_not_count(tmp_path: Path) -> None:
    env, file = planted(tmp_path, b'{"port": 9}')
    if sys.platform == "win32" or os.getuid() != 0:
        pytest.skip("only root can give a file to another user")
    os.chown(file, 12345, 12345)
    assert codes(env) == ["ide-file-not-ours"]
    assert "12345" in str(discovery_files(env)[0])
    assert stale_files(env) == [], "and it is not ours to remove"


def test_a_link_in_the_place_of_a_file_does_not_count(tmp_path: Path) -> None:
    env, file = planted(tmp_path, b'{"port": 9}')
    file.rename(tmp_path / "elsewhere.json")
    file.symlink_to(tmp_path / "elsewhere.json")
    assert codes(env) == ["ide-file-not-ours"]
    assert len(discovery_files(env)) == 1


def test_a_pipe_in_the_place_of_a_file_stops_nobody(tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("there are no named pipes")
    env, file = planted(tmp_path, b"")
    file.unlink()
    os.mkfifo(file)
    assert codes(env) == ["ide-file-unreadable"]


BROKEN = [
    b"",
    b"{",
    b"[]",
    b"{}",
    b'{"port": 0}',
    b'{"port": 65536}',
    b'{"port": true}',
    b'{"port": "x"}',
    b"[" * 100_000,
]


@pytest.mark.parametrize("content", [*BROKEN, b'{"port": 9, "x": "' + b"x" * 70_000 + b'"}'])
def test_a_broken_file_is_skipped_with_a_reason(tmp_path: Path, content: bytes) -> None:
    env, _ = planted(tmp_path, content)
    assert codes(env) == ["ide-file-unreadable"]


def test_files_of_other_companions_and_of_the_old_name_are_read(tmp_path: Path) -> None:
    env, file = planted(tmp_path, b'{"port": "9", "workspacePath": "/a"}', "4711")
    assert discovery_files(env) == [DiscoveryFile(9, "/a", pid=4711, path=str(file))]
    file.write_text('{"stdio": {"command": "x", "args": ["y"]}}')
    assert discovery_files(env) == [DiscoveryFile(0, pid=4711, path=str(file), stdio=("x", "y"))]
    (file.parent / "gemini-ide-server-x.json").write_text("{}")
    (file.parent / "another.json").write_text("{}")
    assert len(discovery_files(env)) == 1
